#include "partition/engine/equal_rows.h"

#include <algorithm>
#include <unordered_map>

#include "base/fault.h"
#include "base/random.h"
#include "learn/neighbours/collapse.h"

namespace tada {
namespace {

constexpr size_t kSample = 4096;
constexpr size_t kWorthwhile = 3;  // rows a representative should stand for, on average

// Hashes of the rows in the order of the groups, over what decisions depend on.
std::vector<uint64_t> HashRows(const Problem& problem, std::span<const RowId> rows) {
  std::vector<uint64_t> hashes(rows.size(), 0);
  const auto mix = [&](const Column& column, const std::vector<Code>* renumber) {
    column.codes().Visit([&](auto codes) {
      for (size_t i = 0; i < rows.size(); ++i) {
        const uint64_t code = renumber == nullptr ? codes[rows[i]] : (*renumber)[codes[rows[i]]];
        hashes[i] = (hashes[i] ^ (code + 1)) * 0xD6E8FEB86659FD93ull;
        hashes[i] ^= hashes[i] >> 32;
      }
    });
  };
  for (size_t q = 0; q < problem.num_quasi(); ++q) mix(problem.quasi(q), nullptr);
  for (const CountedColumn& sensitive : problem.checker.sensitive()) {
    mix(problem.table.column(sensitive.column), &sensitive.mark_of_code);
  }
  return hashes;
}

bool SameRow(const Problem& problem, RowId a, RowId b) {
  for (size_t q = 0; q < problem.num_quasi(); ++q) {
    if (problem.quasi(q).codes()[a] != problem.quasi(q).codes()[b]) return false;
  }
  return std::all_of(problem.checker.sensitive().begin(), problem.checker.sensitive().end(),
                     [&](const auto& sensitive) {
                       const Codes& codes = problem.table.column(sensitive.column).codes();
                       return sensitive.mark_of_code[codes[a]] == sensitive.mark_of_code[codes[b]];
                     });
}

}  // namespace

bool EqualRows::Pay(const Problem& problem, const Groups& groups) {
  if (groups.num_rows() < 2 * kSample) return false;
  // If D different rows are equally likely, s sampled ones have s^2 / (2 D) equal pairs.
  std::vector<RowId> sample;
  Random random(problem.seed);
  for (size_t i = 0; i < kSample; ++i) sample.push_back(groups.order()[random.Below(groups.num_rows())]);
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  std::unordered_map<uint64_t, uint64_t> seen;
  uint64_t pairs = 0;
  for (const uint64_t hash : HashRows(problem, sample)) pairs += seen[hash]++;
  const double different = 0.5 * static_cast<double>(sample.size()) * static_cast<double>(sample.size()) /
                           static_cast<double>(std::max<uint64_t>(pairs, 1));
  return pairs > 8 && different * kWorthwhile < static_cast<double>(groups.num_rows());
}

EqualRows::EqualRows(const Problem& problem, const Groups& groups) {
  const std::vector<uint64_t> hashes = HashRows(problem, groups.order());
  std::vector<RowId> order;
  std::vector<Groups::Span> spans;
  std::vector<std::vector<uint32_t>> numbers;  // by group, of its positions
  for (const Groups::Span& span : groups.spans()) {
    const Collapsed collapsed = CollapseEqual(
        span.size(), [&](size_t i) { return hashes[span.begin + i]; },
        [&](size_t a, size_t b) {
          return hashes[span.begin + a] == hashes[span.begin + b] &&
                 SameRow(problem, groups.order()[span.begin + a], groups.order()[span.begin + b]);
        });
    const auto begin = static_cast<uint32_t>(order.size());
    for (const uint32_t first : collapsed.first) order.push_back(groups.order()[span.begin + first]);
    spans.push_back({begin, static_cast<uint32_t>(order.size())});
    weights_.resize(order.size(), 0);
    for (const uint32_t number : collapsed.number_of) ++weights_[begin + number];
    numbers.push_back(collapsed.number_of);
  }
  first_member_.assign(order.size() + 1, 0);
  for (size_t i = 0; i < order.size(); ++i) first_member_[i + 1] = first_member_[i] + weights_[i];
  members_.resize(groups.num_rows());
  std::vector<uint32_t> next(first_member_.begin(), first_member_.end() - 1);
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    for (size_t i = 0; i < numbers[group].size(); ++i) {
      members_[next[spans[group].begin + numbers[group][i]]++] = groups.rows(group)[i];
    }
  }
  number_of_row_.assign(problem.table.num_rows(), 0);
  for (uint32_t i = 0; i < order.size(); ++i) number_of_row_[order[i]] = i;
  representatives_ = Groups(std::move(order), std::move(spans));
  representatives_.set_boxes(groups.boxes());
}

Groups EqualRows::Expand(const Groups& groups) const {
  std::vector<RowId> order;
  std::vector<Groups::Span> spans;
  order.reserve(members_.size());
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    const auto begin = static_cast<uint32_t>(order.size());
    for (const RowId row : groups.rows(group)) {
      const uint32_t number = number_of_row_[row];
      order.insert(order.end(), members_.begin() + first_member_[number], members_.begin() + first_member_[number + 1]);
    }
    if (TADA_FAULT("merge-loses-row") && group == 0 && order.size() > begin + 1) order.pop_back();
    spans.push_back({begin, static_cast<uint32_t>(order.size())});
  }
  Groups expanded(std::move(order), std::move(spans));
  expanded.set_boxes(groups.boxes());
  return expanded;
}

}  // namespace tada
