#include "run/apply/applied_column.h"

#include <algorithm>
#include <cmath>

#include "recode/cell_list.h"
#include "table/column_builder.h"
#include "table/number.h"

namespace tada {

AppliedColumn::AppliedColumn(const CutColumn& cut, const Column& column, const Hierarchy* hierarchy,
                             const std::vector<std::string>& missing)
    : cut_(cut), column_(column), hierarchy_(hierarchy), missing_(missing) {
  writing_ = Writing::Parse(cut.writing).value();
  for (Code code = 0; code < column.num_codes(); ++code) {
    if (column.is_numeric()) plain_.push_back(column.plain(code));
    code_of_.emplace(column.is_missing(code) ? "" : std::string(column.text(code)), code);
  }
  for (const CutCell& cell : cut.cells) covers_.push_back(CoverOf(cell));
  Standardize();
}

bool AppliedColumn::IsMissing(const std::string& text) const {
  return text.empty() || std::ranges::find(missing_, text) != missing_.end();
}

bool AppliedColumn::Precedes(std::string_view a, std::string_view b) const {
  return column_.is_date() ? DateKey(a) < DateKey(b) : CompareNumbers(a, b) < 0;
}

std::string AppliedColumn::PlainOf(const std::string& text) const {
  return writing_.is_plain() ? text : writing_.Plain(text).value_or(text);
}

Code AppliedColumn::FirstFrom(const std::string& plain) const {
  const auto found = std::partition_point(plain_.begin() + column_.num_missing(), plain_.end(),
                                          [&](const std::string& own) { return Precedes(own, plain); });
  return static_cast<Code>(found - plain_.begin());
}

Code AppliedColumn::FirstAbove(const std::string& plain) const {
  const auto found = std::partition_point(plain_.begin() + column_.num_missing(), plain_.end(),
                                          [&](const std::string& own) { return !Precedes(plain, own); });
  return static_cast<Code>(found - plain_.begin());
}

AppliedColumn::Cover AppliedColumn::CoverOf(const CutCell& cell) const {
  using enum CutCell::Form;
  Cover cover;
  const auto range = [&](const std::string& low, const std::string& high) {
    cover.low = FirstFrom(PlainOf(low));
    const Code behind = FirstAbove(PlainOf(high));
    cover.high = behind;  // exclusive until below
    if (behind <= cover.low) {
      cover.low = 1, cover.high = 0;
    } else {
      cover.high = behind - 1;
    }
  };
  switch (cell.form) {
    case kMask:
      cover.all = true;
      break;
    case kInterval:
      range(cell.low, cell.high);
      break;
    case kValue:
      if (IsMissing(cell.low)) {
        cover.missing = true;
      } else if (column_.is_numeric()) {
        range(cell.low, cell.low);
      } else if (const auto found = code_of_.find(cell.low); found != code_of_.end()) {
        cover.low = cover.high = found->second;
      }
      break;
    case kSet:
      cover.codes.assign(column_.num_codes(), 0);
      for (const std::string& value : cell.values) {
        if (value.empty()) cover.missing = true;
        if (const auto found = code_of_.find(value); found != code_of_.end()) cover.codes[found->second] = 1;
      }
      break;
    case kLabel:
      cover.codes.assign(column_.num_codes(), 0);
      for (Code code = 0; hierarchy_ != nullptr && code < column_.num_codes(); ++code) {
        for (uint32_t level = 1; level < hierarchy_->num_levels(); ++level) {
          if (hierarchy_->label(level, hierarchy_->node(level, code)) == cell.low) cover.codes[code] = 1;
        }
      }
      break;
  }
  return cover;
}

bool AppliedColumn::Covers(uint32_t cell, Code code) const {
  const Cover& cover = covers_[cell];
  if (cover.all) return true;
  if (column_.is_missing(code) && cover.missing) return true;
  if (!cover.codes.empty()) return cover.codes[code] != 0;
  return !column_.is_missing(code) && code >= cover.low && code <= cover.high;
}

AppliedColumn::Split AppliedColumn::SplitOf(const CutNode& node) const {
  Split split;
  for (uint32_t i = 0; i < node.parts.size(); ++i) {
    const CutPart& part = node.parts[i];
    if (part.numbers && column_.is_numeric()) {
      split.numbers_ = true;
      if (part.missing) split.missing_ = i;
      if (part.only_missing) continue;
      split.from_.emplace_back(part.from.empty() ? 0 : FirstFrom(part.from), i);
    }
    for (const std::string& value : part.values) {
      if (const auto found = code_of_.find(value); found != code_of_.end()) split.by_code_.emplace(found->second, i);
    }
    for (const auto& [level, label] : part.below) {
      if (hierarchy_ == nullptr || level >= hierarchy_->num_levels()) continue;
      if (level == 0) {
        if (const auto found = code_of_.find(label); found != code_of_.end()) split.by_code_.emplace(found->second, i);
        continue;
      }
      for (Code at = 0; at < hierarchy_->num_nodes(level); ++at) {
        if (hierarchy_->label(level, at) == label) split.by_node_.emplace(uint64_t{level} << 32 | at, i);
      }
    }
  }
  // Of parts that begin at one code, because no value of the column lies between, the last one has it.
  std::ranges::stable_sort(split.from_, [](const auto& a, const auto& b) { return a.first < b.first; });
  return split;
}

uint32_t AppliedColumn::Split::PartOf(const AppliedColumn& column, Code code) const {
  if (numbers_) {
    if (column.column_.is_missing(code)) return missing_;
    const auto behind =
        std::ranges::upper_bound(from_, code, {}, [](const std::pair<Code, uint32_t>& part) { return part.first; });
    return behind == from_.begin() ? CutNode::kNone : std::prev(behind)->second;
  }
  if (const auto found = by_code_.find(code); found != by_code_.end()) return found->second;
  if (by_node_.empty()) return CutNode::kNone;
  for (uint32_t level = column.hierarchy_->num_levels(); level-- > 1;) {
    const auto found = by_node_.find(uint64_t{level} << 32 | column.hierarchy_->node(level, code));
    if (found != by_node_.end()) return found->second;
  }
  return CutNode::kNone;
}

void AppliedColumn::Standardize() {
  standardized_.assign(column_.num_codes(), 0);
  std::unordered_map<std::string_view, size_t> place;
  for (size_t i = 0; i < cut_.order.size(); ++i) place.emplace(cut_.order[i], i);
  for (Code code = 0; code < column_.num_codes(); ++code) {
    double number = column_.is_numeric() ? column_.number(code) : NAN;
    if (!column_.is_numeric()) {
      const auto found = place.find(column_.is_missing(code) ? "" : column_.text(code));
      if (found != place.end()) number = static_cast<double>(found->second);
    }
    if (!std::isnan(number)) standardized_[code] = (number - cut_.center) / cut_.scale;
  }
}

ReleasedColumn AppliedColumn::Release(ColumnId source, const std::vector<uint32_t>& cell_of_group) const {
  ReleasedColumn out;
  out.source = source;
  out.recoded = true;
  ColumnOptions options{.kind = cut_.kind, .dates = cut_.dates, .writing = writing_, .missing = missing_};
  if (std::ranges::find(options.missing, "") == options.missing.end()) options.missing.emplace_back();
  ColumnBuilder builder(cut_.name, options);
  if (column_.is_numeric()) builder.SetType(column_.type(), column_.type_detail());
  std::vector<uint32_t> used = cell_of_group;  // cells of the cuts
  std::ranges::sort(used);
  const auto repeated = std::ranges::unique(used);
  used.erase(repeated.begin(), repeated.end());
  for (const uint32_t index : used) {
    const CutCell& cell = cut_.cells[index];
    if (cell.form == CutCell::Form::kValue || cell.form == CutCell::Form::kInterval) builder.AppendText(cell.low);
    if (cell.form == CutCell::Form::kInterval) builder.AppendText(cell.high);
    for (const std::string& value : cell.values) builder.AppendText(value);
  }
  Result<Column> built = builder.Finish();
  TADA_ASSERT(built.ok());
  const auto shown = std::make_shared<const Column>(std::move(built).value());
  RowId at = 0;
  const auto next = [&] { return Code{shown->codes()[at++]}; };
  std::unordered_map<uint32_t, uint32_t> number;
  for (const uint32_t index : used) {
    const CutCell& cell = cut_.cells[index];
    number.emplace(index, static_cast<uint32_t>(out.cells.size()));
    Cell& made = out.cells.emplace_back();
    switch (cell.form) {
      case CutCell::Form::kMask:
        made = {Cell::Form::kMask, 0, 0, 0};
        break;
      case CutCell::Form::kValue:
        made = {Cell::Form::kValue, next(), 0, 0};
        made.high = made.low;
        break;
      case CutCell::Form::kInterval: {
        const Code low = next();
        made = {Cell::Form::kInterval, low, next(), 0};
        break;
      }
      case CutCell::Form::kLabel:
        made = {Cell::Form::kLabel, 0, 0, static_cast<uint32_t>(out.labels.size())};
        out.labels.push_back(cell.low);
        break;
      case CutCell::Form::kSet: {
        std::vector<Code>& set = out.sets.emplace_back();
        for (size_t i = 0; i < cell.values.size(); ++i) set.push_back(next());
        std::ranges::sort(set);
        made = {Cell::Form::kSet, set.front(), set.back(), static_cast<uint32_t>(out.sets.size() - 1)};
        break;
      }
    }
    if (hierarchy_ == nullptr) continue;
    Code leaves = 0;
    for (Code code = 0; code < column_.num_codes(); ++code) leaves += Covers(index, code) ? 1 : 0;
    out.leaves.push_back(std::max<Code>(leaves, 1));
  }
  for (const uint32_t index : cell_of_group) out.cell_of_group.push_back(number.at(index));
  out.bounds = shown;
  return out;
}

}  // namespace tada
