#pragma once

// Makes the cells of a column that models read (learn/features/cell_table.h), from raw values and from released cells.

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "learn/features/cell_table.h"
#include "table/table.h"

namespace tada {

/// The columns that models see: all with a role but the label, in the order of the table.
inline std::vector<ColumnId> FeatureColumns(const Roles& roles) {
  std::vector<ColumnId> ids;
  for (const auto* list : {&roles.quasi, &roles.sensitive, &roles.keep})
    ids.insert(ids.end(), list->begin(), list->end());
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// Cells of one original column: those of its codes come first, under the codes' numbers; then "anything".
class CellMaker {
 public:
  explicit CellMaker(const Column& source) : source_(source) {
    made_.numeric = source.is_numeric();
    for (Code code = source.num_missing(); code < source.num_codes() && made_.numeric; ++code) {
      low_ = std::min(low_, source.number(code));
      high_ = std::max(high_, source.number(code));
    }
    if (!(low_ <= high_)) low_ = high_ = 0;
    made_.num_names = made_.numeric ? 0 : source.num_values();
    for (Code code = 0; code < source.num_codes(); ++code) {
      if (!made_.numeric) {
        AddNames({source.value_id(code)});
      } else if (source.is_missing(code)) {
        AddInterval(low_, high_);
      } else {
        AddInterval(source.number(code), source.number(code));
      }
    }
    AddAnything();
  }

  uint32_t AddInterval(double low, double high) {
    made_.cells.push_back({low, high, 0, 0});
    return Last();
  }
  uint32_t AddNames(const std::set<uint32_t>& names) {
    const auto begin = static_cast<uint32_t>(made_.names.size());
    made_.names.insert(made_.names.end(), names.begin(), names.end());
    made_.cells.push_back({0, 0, begin, static_cast<uint32_t>(made_.names.size())});
    return Last();
  }
  uint32_t anything() const { return source_.num_codes(); }
  CellColumn& column() { return made_; }

 private:
  uint32_t Last() const { return static_cast<uint32_t>(made_.cells.size()) - 1; }
  void AddAnything() {
    if (made_.numeric) {
      AddInterval(low_, high_);
      return;
    }
    std::set<uint32_t> all;
    for (uint32_t name = 0; name < made_.num_names; ++name) all.insert(all.end(), name);
    AddNames(all);
  }

  const Column& source_;
  CellColumn made_;
  double low_ = INFINITY, high_ = -INFINITY;
};

}  // namespace tada
