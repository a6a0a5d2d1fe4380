#include <algorithm>
#include <cmath>
#include <numeric>

#include "cuts/cut_tree.h"

namespace tada {
namespace {

// Numbers of a column by code: a number itself, a name's place in the order of the values. Missing numbers stand at the mean.
std::vector<double> NumbersOf(const Column& column) {
  std::vector<double> numbers(column.num_codes(), 0);
  for (Code code = 0; code < column.num_codes(); ++code) {
    numbers[code] = column.is_numeric() ? column.number(code) : static_cast<double>(column.value_id(code));
  }
  return numbers;
}

// Standardizes: sets center and scale, and returns the standardized number of every code.
std::vector<double> Standardize(const Column& column, const std::vector<RowId>& rows, CutColumn& out) {
  std::vector<double> numbers = NumbersOf(column);
  double sum = 0, squares = 0, count = 0;
  for (const RowId row : rows) {
    const double number = numbers[column.codes()[row]];
    if (std::isnan(number)) continue;
    sum += number;
    ++count;
  }
  out.center = count > 0 ? sum / count : 0;
  for (const RowId row : rows) {
    const double number = numbers[column.codes()[row]];
    if (!std::isnan(number)) squares += (number - out.center) * (number - out.center);
  }
  const double deviation = count > 0 ? std::sqrt(squares / count) : 0;
  out.scale = deviation > 0 && std::isfinite(deviation) ? deviation : 1;
  for (double& number : numbers) number = std::isnan(number) ? 0 : (number - out.center) / out.scale;
  if (!column.is_numeric()) {
    out.order.resize(column.num_values());
    for (Code code = column.num_codes(); code-- > 0;) {
      out.order[column.value_id(code)] = column.is_missing(code) ? "" : std::string(column.text(code));
    }
  }
  return numbers;
}

class Halver {
 public:
  Halver(std::vector<std::vector<double>> means, CutTree& tree) : means_(std::move(means)), tree_(tree) {}

  void Halve(std::vector<GroupId> groups, uint32_t parent) {
    const auto id = static_cast<uint32_t>(tree_.nodes.size());
    tree_.nodes.emplace_back().parent = parent;
    tree_.groups.push_back(groups);
    if (parent != CutNode::kNone) tree_.nodes[parent].children.push_back(id);
    if (groups.size() == 1) {
      tree_.nodes[id].mean = means_[groups.front()];
      return;
    }
    const size_t column = WidestColumn(groups);
    std::ranges::stable_sort(groups, [&](GroupId a, GroupId b) { return means_[a][column] < means_[b][column]; });
    const auto middle = groups.begin() + static_cast<ptrdiff_t>(groups.size() / 2);
    Halve({groups.begin(), middle}, id);
    Halve({middle, groups.end()}, id);
  }

 private:
  size_t WidestColumn(const std::vector<GroupId>& groups) const {
    size_t widest = 0;
    double width = -1;
    for (size_t column = 0; column < means_[groups[0]].size(); ++column) {
      double low = INFINITY, high = -INFINITY;
      for (const GroupId group : groups) {
        low = std::min(low, means_[group][column]);
        high = std::max(high, means_[group][column]);
      }
      if (high - low > width) width = high - low, widest = column;
    }
    return widest;
  }

  std::vector<std::vector<double>> means_;
  CutTree& tree_;
};

}  // namespace

CutTree TreeOfMeans(const CutsSource& source, std::vector<CutColumn>& columns) {
  std::vector<std::vector<double>> means(source.groups.num_groups());
  for (size_t i = 0; i < columns.size(); ++i) {
    const Column& column = source.table.column(source.roles.quasi[i]);
    const std::vector<double> numbers = Standardize(column, source.groups.order(), columns[i]);
    for (GroupId group = 0; group < means.size(); ++group) {
      double sum = 0;
      for (const RowId row : source.groups.rows(group)) sum += numbers[column.codes()[row]];
      const double mean = sum / static_cast<double>(source.groups.rows(group).size());
      means[group].push_back(std::round(mean * 1e6) / 1e6);  // as it is written
    }
  }
  CutTree tree;
  std::vector<GroupId> groups(source.groups.num_groups());
  std::iota(groups.begin(), groups.end(), GroupId{0});
  Halver(std::move(means), tree).Halve(std::move(groups), CutNode::kNone);
  return tree;
}

}  // namespace tada
