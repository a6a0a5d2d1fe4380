#include <algorithm>
#include <map>
#include <set>

#include "base/fault.h"
#include "recode/cell_list.h"
#include "recode/hierarchy_cells.h"
#include "recode/recoder.h"
#include "table/column_builder.h"

namespace tada {
namespace {

// What the rows of a group have in a column.
struct Extent {
  Code low = 0, high = 0;  // of those that are not missing
  bool missing = false, present = false;
};

Extent ExtentOf(const Column& column, std::span<const RowId> rows) {
  Extent extent{UINT32_MAX, 0};
  column.codes().Visit([&](auto codes) {
    for (const RowId row : rows) {
      const Code code = codes[row];
      if (column.is_missing(code)) {
        extent.missing = true;
        continue;
      }
      extent.present = true;
      extent.low = std::min(extent.low, code);
      extent.high = std::max(extent.high, code);
    }
  });
  return extent;
}

// All cuts of a column. Rows of one person that reach beyond the box of the group that holds them widen it to the next cut.
class CutsOfColumn {
 public:
  CutsOfColumn(const Groups& groups, size_t index) {
    for (const auto& box : groups.boxes()) {
      for (const Cut& cut : {(*box)[index].lower, (*box)[index].upper}) {
        if (!cut.open()) by_below_.insert(cut);
      }
    }
    for (const Cut& cut : by_below_) by_above_.emplace(cut.above, cut);
  }
  Cut LowerFor(Code code, const Cut& lower) const {
    if (lower.open() || code >= lower.above) return lower;
    const auto behind = by_above_.upper_bound(code);
    return behind == by_above_.begin() ? Cut{} : std::prev(behind)->second;
  }
  Cut UpperFor(Code code, const Cut& upper) const {
    if (upper.open() || code <= upper.below) return upper;
    const auto found = by_below_.lower_bound(Cut{code, 0});
    return found == by_below_.end() ? Cut{} : *found;
  }

 private:
  std::set<Cut> by_below_;
  std::map<Code, Cut> by_above_;
};

// Collects intervals as texts of their bounds, and makes the dictionary of these at the end.
class BoundList {
 public:
  BoundList(const Column& column, ReleasedColumn& out) : column_(column), out_(out) {}

  uint32_t Interval(const std::string& low, const std::string& high) {
    const auto [known, is_new] = numbers_.try_emplace({low, high}, static_cast<uint32_t>(texts_.size()));
    if (is_new) texts_.push_back({low, high});
    return known->second;
  }
  /// All rows miss their number: the cell says so, as the column spells it.
  uint32_t Missing() {
    const std::string text(column_.text(0));
    return Interval(text, text);
  }
  uint32_t Mask() {
    mask_ = true;
    return kMask;
  }

  void Finish() {
    ColumnOptions options{.kind = Kind::kNumeric, .missing = {}};
    for (Code code = 0; code < column_.num_missing(); ++code) options.missing.emplace_back(column_.text(code));
    ColumnBuilder builder(column_.name(), options);
    builder.SetType(column_.type(), column_.type_detail());
    for (const auto& [low, high] : texts_) {
      builder.AppendText(low);
      builder.AppendText(high);
    }
    Result<Column> built = builder.Finish();
    TADA_ASSERT(built.ok());
    const auto bounds = std::make_shared<const Column>(std::move(built).value());
    CellList cells(out_);
    std::vector<uint32_t> cell_of(texts_.size());
    for (size_t i = 0; i < texts_.size(); ++i) {
      const Code low = bounds->codes()[2 * i], high = bounds->codes()[2 * i + 1];
      cell_of[i] = bounds->same_value(low, high) ? cells.Value(low) : cells.Interval(low, high);
    }
    const uint32_t mask = mask_ ? cells.Mask() : 0;
    for (uint32_t& cell : out_.cell_of_group) cell = cell == kMask ? mask : cell_of[cell];
    out_.bounds = bounds;
  }

 private:
  static constexpr uint32_t kMask = UINT32_MAX;
  const Column& column_;
  ReleasedColumn& out_;
  std::map<std::pair<std::string, std::string>, uint32_t> numbers_;
  std::vector<std::pair<std::string, std::string>> texts_;
  bool mask_ = false;
};

void RecodeNumbers(const Column& column, size_t index, const DomainBounds* domain, const Groups& groups,
                   ReleasedColumn& out) {
  BoundList bounds(column, out);
  const CutsOfColumn cuts(groups, index);
  std::optional<CutTexts> texts;
  if (column.num_codes() > column.num_missing()) texts.emplace(column, domain);
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    const GroupId shown = TADA_FAULT("recode-box") ? groups.num_groups() - 1 - group : group;
    const Extent extent = ExtentOf(column, groups.rows(shown));
    uint32_t& cell = out.cell_of_group[group];
    if (extent.missing) {
      cell = extent.present ? bounds.Mask() : bounds.Missing();
      continue;
    }
    const BoxSide& side = (*groups.box(shown))[index];
    cell = bounds.Interval(texts->Lower(cuts.LowerFor(extent.low, side.lower)),
                           texts->Upper(cuts.UpperFor(extent.high, side.upper)));
  }
  bounds.Finish();
}

// The values that a group's box allows, and those that rows of its people have beyond it.
std::vector<Code> ValuesOf(const Column& column, const BoxSide& side, std::span<const RowId> rows) {
  std::vector<Code> beyond;
  column.codes().Visit([&](auto codes) {
    for (const RowId row : rows) {
      if (!std::binary_search(side.values->begin(), side.values->end(), Code{codes[row]})) beyond.push_back(codes[row]);
    }
  });
  if (beyond.empty()) return *side.values;
  beyond.insert(beyond.end(), side.values->begin(), side.values->end());
  std::sort(beyond.begin(), beyond.end());
  beyond.erase(std::unique(beyond.begin(), beyond.end()), beyond.end());
  return beyond;
}

void RecodeNames(const Column& column, size_t index, const Groups& groups, const RareValues& rare,
                 ReleasedColumn& out) {
  CellList cells(out);
  std::map<const std::vector<Code>*, uint32_t> known;  // many groups share a list
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    const BoxSide& side = (*groups.box(group))[index];
    std::vector<Code> values = ValuesOf(column, side, groups.rows(group));
    const bool plain = values.size() == side.values->size();
    if (const auto found = known.find(side.values.get()); plain && found != known.end()) {
      out.cell_of_group[group] = found->second;
      continue;
    }
    const bool all = values.size() == column.num_codes() && values.size() > 1;
    const uint32_t cell = all || rare.HasAny(values) ? cells.Mask()
                          : values.size() == 1       ? cells.Value(values[0])
                                                     : cells.Set(values);
    out.cell_of_group[group] = cell;
    if (plain) known.emplace(side.values.get(), cell);
  }
}

}  // namespace

ReleasedColumn RecodeByBox(const Table& table, ColumnId id, size_t index, const Hierarchy* hierarchy,
                           const DomainBounds* domain, const Groups& groups, const RareValues& rare) {
  const Column& column = table.column(id);
  ReleasedColumn out;
  out.source = id;
  out.recoded = true;
  out.cell_of_group.resize(groups.num_groups());
  if (hierarchy != nullptr) {
    HierarchyCells cells(column, *hierarchy, rare, out);
    for (GroupId group = 0; group < groups.num_groups(); ++group) {
      const std::vector<Code> values = ValuesOf(column, (*groups.box(group))[index], groups.rows(group));
      out.cell_of_group[group] = cells.Above(values);
    }
  } else if (column.is_numeric()) {
    RecodeNumbers(column, index, domain, groups, out);
  } else {
    RecodeNames(column, index, groups, rare, out);
  }
  return out;
}

}  // namespace tada
