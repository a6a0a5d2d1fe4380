#include "learn/trees/variance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tada {

VarianceCriterion::VarianceCriterion(std::span<const double> targets, double min_rows, double price)
    : targets_(targets), min_rows_(min_rows), price_(price) {
  const auto rows = static_cast<double>(targets.size());
  for (const double target : targets) mean_ += target / rows;
  std::vector<double> counts(3, 0.0);
  for (size_t row = 0; row < targets.size(); ++row) Add(counts, row, 1);
  negligible_ = 1e-12 * Spread(counts);
}

double VarianceCriterion::Price(size_t rows, double cost, size_t leaves) {
  if (rows <= leaves) return cost;  // nothing to tell noise by
  return 2 * std::log(static_cast<double>(rows)) * cost / static_cast<double>(rows - leaves);
}

double VarianceCriterion::Spread(std::span<const double> counts) const {
  return counts[0] <= 0 ? 0 : std::max(0.0, counts[2] - counts[1] * counts[1] / counts[0]);
}

bool VarianceCriterion::MayDivide(std::span<const double> counts) const {
  return Spread(counts) > negligible_ && counts[0] >= 2 * min_rows_;
}

std::vector<double> VarianceCriterion::LeafValues(std::span<const double> counts) const {
  return {counts[0] > 0 ? mean_ + counts[1] / counts[0] : mean_};
}

TreeSplit VarianceCriterion::RateThreshold(TreeSplit split, double total, double /*rows_below*/,
                                           uint32_t /*tried*/) const {
  split.merit = split.gain * total - price_;
  return split;
}

TreeSplit VarianceCriterion::RateNames(size_t column, std::span<const double> counts, double spread,
                                       double total) const {
  double left = 0, branches = 0;
  uint32_t large = 0;
  for (size_t at = 0; at < counts.size(); at += width()) {
    const std::span<const double> of_name = counts.subspan(at, width());
    if (Rows(of_name) <= 0) continue;
    left += Spread(of_name);
    branches += 1;
    large += Rows(of_name) >= min_rows_ ? 1 : 0;
  }
  if (large < 2) return {};
  const auto names = static_cast<uint32_t>(counts.size() / width());
  return {static_cast<int32_t>(column), 0, names, (spread - left) / total, spread - left - price_ * (branches - 1)};
}

TreeSplit VarianceCriterion::Choose(std::span<const TreeSplit> splits, double /*total*/) const {
  TreeSplit best;
  best.merit = -std::numeric_limits<double>::infinity();
  for (const TreeSplit& split : splits) {
    if (split.gain > 0 && split.merit > best.merit) best = split;
  }
  return best;
}

}  // namespace tada
