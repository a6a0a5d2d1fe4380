// Recursive 2-means over the values of a column (the paper on decision support names it, and leaves the features open).
//   features   of a value: the means of the other numeric columns over its rows, standardized, and, with a label, the shares
//              of its classes. Two values of equal features are never told apart.
// Deterministic: the first centers are the point farthest from the mean and the point farthest from that one.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hierarchy/hierarchy_builders.h"

namespace tada {
namespace {

using Point = std::vector<double>;

double Distance(const Point& a, const Point& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

Point Mean(const std::vector<Point>& points, const std::vector<Code>& codes) {
  Point mean(points[codes[0]].size(), 0.0);
  for (const Code code : codes) {
    for (size_t i = 0; i < mean.size(); ++i) mean[i] += points[code][i];
  }
  for (double& x : mean) x /= static_cast<double>(codes.size());
  return mean;
}

Code Farthest(const std::vector<Point>& points, const std::vector<Code>& codes, const Point& from) {
  return *std::max_element(codes.begin(), codes.end(),
                           [&](Code a, Code b) { return Distance(points[a], from) < Distance(points[b], from); });
}

// Splits codes in two, or returns an empty second half if their points are one.
std::pair<std::vector<Code>, std::vector<Code>> Split(const std::vector<Point>& points,
                                                      const std::vector<Code>& codes) {
  Point left = points[Farthest(points, codes, Mean(points, codes))];
  Point right = points[Farthest(points, codes, left)];
  std::pair<std::vector<Code>, std::vector<Code>> sides;
  for (int round = 0; round < 100; ++round) {
    std::pair<std::vector<Code>, std::vector<Code>> next;
    for (const Code code : codes) {
      (Distance(points[code], left) <= Distance(points[code], right) ? next.first : next.second).push_back(code);
    }
    // Of numbers so large that their means round to one of them, a round may leave a side empty: the one before stands.
    if (next.first.empty() || next.second.empty()) {
      if (sides.first.empty()) return {codes, {}};
      break;
    }
    if (next == sides) break;
    sides = std::move(next);
    left = Mean(points, sides.first);
    right = Mean(points, sides.second);
  }
  return sides;
}

// The mean of a numeric column over the rows of each code, scaled to mean 0 and deviation 1 over the rows.
void AddMeans(const Column& of, const Column& by, std::vector<Point>& points) {
  std::vector<double> sums(by.num_codes(), 0.0), counts(by.num_codes(), 0.0);
  double sum = 0, squares = 0, rows = 0;
  for (size_t row = 0; row < by.num_rows(); ++row) {
    const Code code = of.codes()[row];
    if (of.is_missing(code)) continue;
    const double x = of.number(code);
    sums[by.codes()[row]] += x;
    counts[by.codes()[row]] += 1;
    sum += x, squares += x * x, rows += 1;
  }
  const double mean = rows > 0 ? sum / rows : 0, variance = rows > 0 ? squares / rows - mean * mean : 0;
  for (Code code = 0; code < by.num_codes(); ++code) {
    const bool known = variance > 0 && counts[code] > 0;
    points[code].push_back(known ? (sums[code] / counts[code] - mean) / std::sqrt(variance) : 0.0);
  }
}

void AddShares(const Column& label, const Column& by, std::vector<Point>& points) {
  std::vector<double> rows(by.num_codes(), 0.0);
  const size_t first = points.empty() ? 0 : points[0].size();
  for (Point& point : points) point.resize(first + label.num_values(), 0.0);
  for (size_t row = 0; row < by.num_rows(); ++row) {
    points[by.codes()[row]][first + label.value_id(label.codes()[row])] += 1;
    rows[by.codes()[row]] += 1;
  }
  for (Code code = 0; code < by.num_codes(); ++code) {
    for (size_t i = first; i < points[code].size() && rows[code] > 0; ++i) points[code][i] /= rows[code];
  }
}

}  // namespace

std::vector<std::string> TwoMeansPaths(const Table& table, ColumnId id, std::optional<ColumnId> label) {
  const Column& column = table.column(id);
  std::vector<Point> points(column.num_codes());
  for (ColumnId other = 0; other < table.num_columns(); ++other) {
    if (other != id && other != label && table.column(other).is_numeric())
      AddMeans(table.column(other), column, points);
  }
  if (label && table.column(*label).num_values() <= 1000) AddShares(table.column(*label), column, points);
  std::vector<std::string> paths(column.num_codes());
  std::vector<Code> all(column.num_codes() - column.num_missing());
  std::iota(all.begin(), all.end(), column.num_missing());
  std::vector<std::vector<Code>> open;
  if (all.size() > 1 && !points[all[0]].empty()) open.push_back(std::move(all));
  while (!open.empty()) {
    const std::vector<Code> codes = std::move(open.back());
    open.pop_back();
    auto [left, right] = Split(points, codes);
    if (right.empty()) continue;
    for (const Code code : left) paths[code] += '0';
    for (const Code code : right) paths[code] += '1';
    if (left.size() > 1) open.push_back(std::move(left));
    if (right.size() > 1) open.push_back(std::move(right));
  }
  return paths;
}

}  // namespace tada
