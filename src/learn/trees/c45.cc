#include "learn/trees/c45.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tada {

double XLogX(double x) { return x > 0 ? x * std::log2(x) : 0; }

double InfoOf(std::span<const double> counts) {
  double sum = 0, total = 0;
  for (const double count : counts) {
    sum += XLogX(count);
    total += count;
  }
  return XLogX(total) - sum;
}

double NormalQuantile(double tail) {
  double low = -10, high = 10;
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(middle / std::sqrt(2.0)) > tail ? low : high) = middle;
  }
  return low;
}

double AddedErrors(double rows, double errors, double confidence, double z) {
  if (rows <= 0) return 0;
  if (errors < 1) {
    const double none = rows * (1 - std::pow(confidence, 1 / rows));
    return errors == 0 ? none : none + errors * (AddedErrors(rows, 1, confidence, z) - none);
  }
  if (errors + 0.5 >= rows) return std::max(rows - errors, 0.0);
  const double f = (errors + 0.5) / rows;
  const double upper = (f + z * z / (2 * rows) + z * std::sqrt(f / rows - f * f / rows + z * z / (4 * rows * rows))) /
                       (1 + z * z / rows);
  return upper * rows - errors;
}

double C45Criterion::Rows(std::span<const double> counts) const {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

double C45Criterion::Errors(std::span<const double> counts) const {
  return Rows(counts) - *std::max_element(counts.begin(), counts.end());
}

bool C45Criterion::MayDivide(std::span<const double> counts) const {
  return Errors(counts) > 1e-9 && Rows(counts) >= 2 * min_rows_;
}

double C45Criterion::LeafCost(std::span<const double> counts) const {
  const double errors = Errors(counts);
  return errors + AddedErrors(Rows(counts), errors, confidence_, z_);
}

std::vector<double> C45Criterion::LeafValues(std::span<const double> counts) const {
  const double total = Rows(counts);
  std::vector<double> shares;
  for (const double count : counts) shares.push_back((count + 1.0 / num_labels_) / (total + 1));
  return shares;
}

double C45Criterion::LeastBranch(double total) const {
  return std::clamp(0.1 * total / static_cast<double>(num_labels_), min_rows_, std::max(min_rows_, 25.0));
}

TreeSplit C45Criterion::RateThreshold(TreeSplit split, double total, double rows_below, uint32_t tried) const {
  split.gain -= std::log2(static_cast<double>(tried)) / total;  // what it costs to say which threshold (Quinlan 1996)
  if (split.gain <= 0) return {};
  split.merit = split.gain * total / (XLogX(total) - XLogX(rows_below) - XLogX(total - rows_below));
  return split;
}

TreeSplit C45Criterion::RateNames(size_t column, std::span<const double> counts, double info, double total) const {
  double left = 0, split_info = XLogX(total);
  uint32_t large = 0;
  for (size_t at = 0; at < counts.size(); at += num_labels_) {
    const std::span<const double> of_name = counts.subspan(at, num_labels_);
    const double rows = Rows(of_name);
    if (rows <= 0) continue;
    left += InfoOf(of_name);
    split_info -= XLogX(rows);
    large += rows >= min_rows_ ? 1 : 0;
  }
  if (large < 2 || split_info <= 0) return {};
  const auto names = static_cast<uint32_t>(counts.size() / num_labels_);
  return {static_cast<int32_t>(column), 0, names, (info - left) / total, (info - left) / split_info};
}

TreeSplit C45Criterion::Choose(std::span<const TreeSplit> splits, double total) const {
  double gains = 0, averaged = 0;
  for (const TreeSplit& split : splits) {
    if (split.names >= 0.3 * total && split.names > 0) continue;  // as J48: no columns of many names
    gains += split.gain;
    averaged += 1;
  }
  const double average = averaged > 0 ? gains / averaged : 0;
  TreeSplit best;
  for (const TreeSplit& split : splits) {
    if (split.gain >= average - 1e-3 && split.gain > 0 && split.merit > best.merit) best = split;
  }
  return best;
}

}  // namespace tada
