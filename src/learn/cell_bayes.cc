#include "learn/cell_bayes.h"

#include <algorithm>
#include <cmath>

namespace tada {
namespace {

constexpr size_t kBins = 32;

// Calls f(value, share) for what a cell covers: names, or bins.
template <class F>
void ForShares(const CellColumn& column, const NumberBins& bins, const CellColumn::Cell& cell, const F& f) {
  if (!column.numeric) {
    const auto names = column.names_of(cell);
    for (const uint32_t name : names) f(name, 1.0 / static_cast<double>(names.size()));
    return;
  }
  const uint32_t first = bins.bin(cell.low), last = bins.bin(cell.high);
  if (first == last) return f(first, 1.0);
  double before = 0;
  for (uint32_t bin = first; bin <= last; ++bin) {
    const double up_to = bin == last ? 1 : bins.MassUpTo(cell, bin);
    if (up_to > before) f(bin, up_to - before);
    before = up_to;
  }
}

}  // namespace

CellBayes::CellBayes(const CellTable& table) : prior_(table.num_labels, 0.0) {
  const size_t m = table.num_labels;
  for (const uint32_t label : table.labels) prior_[label] += 1;
  for (const CellColumn& column : table.columns) {
    Column learned{NumberBins(column.numeric ? column : CellColumn{}, kBins), {}};
    const size_t values = column.numeric ? learned.bins.size() : column.num_names;
    // Rows by cell and label first: there are fewer cells than rows.
    std::vector<double> by_cell(column.cells.size() * m, 0.0);
    for (size_t row = 0; row < table.num_rows; ++row) by_cell[column.of_row[row] * m + table.labels[row]] += 1;
    learned.share.assign(values * m, 0.0);
    for (size_t cell = 0; cell < column.cells.size(); ++cell) {
      ForShares(column, learned.bins, column.cells[cell], [&](uint32_t value, double share) {
        for (size_t label = 0; label < m; ++label)
          learned.share[value * m + label] += share * by_cell[cell * m + label];
      });
    }
    for (size_t value = 0; value < values; ++value) {
      for (size_t label = 0; label < m; ++label) {
        double& share = learned.share[value * m + label];
        share = (share + 1.0 / static_cast<double>(values)) / (prior_[label] + 1);
      }
    }
    columns_.push_back(std::move(learned));
  }
  for (double& prior : prior_) prior = (prior + 1.0) / static_cast<double>(table.num_rows + m);
}

void CellBayes::Predict(const CellTable& table, size_t row, std::vector<double>& probabilities) const {
  const size_t m = prior_.size();
  std::vector<double> logs(m), likelihood(m);
  for (size_t label = 0; label < m; ++label) logs[label] = std::log(prior_[label]);
  for (size_t c = 0; c < columns_.size(); ++c) {
    std::fill(likelihood.begin(), likelihood.end(), 0.0);
    ForShares(table.columns[c], columns_[c].bins, table.columns[c].cell(row), [&](uint32_t value, double share) {
      for (size_t label = 0; label < m; ++label) likelihood[label] += share * columns_[c].share[value * m + label];
    });
    for (size_t label = 0; label < m; ++label) logs[label] += std::log(likelihood[label]);
  }
  const double most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (double& value : logs) sum += value = std::exp(value - most);
  for (size_t label = 0; label < m; ++label) probabilities[label] += logs[label] / sum;
}

}  // namespace tada
