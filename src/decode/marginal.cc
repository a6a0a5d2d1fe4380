#include "decode/marginal.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/status.h"

namespace tada {
namespace {

// Cells that choose among the same atoms, as one with the rows of all.
struct Weighted {
  CellAtoms::Choice choice;
  double rows;
};

std::vector<Weighted> DistinctChoices(const CellAtoms& cells, std::span<const uint64_t> rows) {
  std::vector<Weighted> all;
  for (size_t cell = 0; cell < cells.choices.size(); ++cell) {
    if (rows[cell] > 0 && cells.choices[cell].size() > 0) {
      all.push_back({cells.choices[cell], static_cast<double>(rows[cell])});
    }
  }
  const auto key = [](const Weighted& w) { return std::tuple(w.choice.is_list, w.choice.begin, w.choice.end); };
  std::sort(all.begin(), all.end(), [&](const Weighted& a, const Weighted& b) { return key(a) < key(b); });
  std::vector<Weighted> distinct;
  for (const Weighted& one : all) {
    if (!distinct.empty() && key(distinct.back()) == key(one)) {
      distinct.back().rows += one.rows;
    } else {
      distinct.push_back(one);
    }
  }
  return distinct;
}

}  // namespace

std::vector<double> EstimateMarginal(const CellAtoms& cells, std::span<const uint64_t> rows, int rounds) {
  TADA_ASSERT(rows.size() == cells.choices.size());
  const size_t num_atoms = cells.num_atoms();
  const std::vector<Weighted> distinct = DistinctChoices(cells, rows);
  double total = 0;
  for (const Weighted& one : distinct) total += one.rows;
  if (total == 0) return std::vector<double>(num_atoms, 0.0);
  std::vector<double> share(num_atoms, 1.0 / static_cast<double>(num_atoms)), next(num_atoms);
  for (int round = 0; round < rounds; ++round) {
    std::fill(next.begin(), next.end(), 0.0);
    for (const auto& [choice, count] : distinct) {
      double mass = 0;
      for (uint32_t i = 0; i < choice.size(); ++i) mass += share[cells.atom(choice, i)];
      if (mass <= 0) continue;  // rounded away; its rows will be drawn evenly
      const double factor = count / mass / total;
      for (uint32_t i = 0; i < choice.size(); ++i) {
        const uint32_t atom = cells.atom(choice, i);
        next[atom] += share[atom] * factor;
      }
    }
    std::swap(share, next);
  }
  return share;
}

}  // namespace tada
