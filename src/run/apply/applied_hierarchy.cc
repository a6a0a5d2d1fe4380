#include <algorithm>
#include <set>

#include "hierarchy/rule_builders.h"
#include "run/apply/applied_column.h"
#include "table/column_builder.h"
#include "table/label.h"

namespace tada {
namespace {

using Line = std::vector<std::string>;

// The lines of values that a rule knows, by code.
std::vector<Line> LinesByRule(const std::string& rule, const Column& column) {
  std::vector<Line> lines(column.num_codes());
  const auto add = [&](const LabelLevels& levels, Code code, Code of) {
    lines[code].emplace_back(column.text(code));
    for (const auto& level : levels) lines[code].push_back(level[of]);
    lines[code].emplace_back("*");
  };
  if (const auto levels = RuleLevels(rule, column); levels.ok()) {
    for (Code code = column.num_missing(); code < column.num_codes(); ++code) add(*levels, code, code);
    return lines;
  }
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {  // some value is not of the rule's kind
    ColumnBuilder builder(column.name(), {.kind = column.kind(), .dates = column.is_date(), .missing = {}});
    builder.AppendText(column.text(code));
    const Result<Column> alone = builder.Finish();
    if (!alone.ok()) continue;
    if (const auto levels = RuleLevels(rule, *alone); levels.ok()) add(*levels, code, 0);
  }
  return lines;
}

// Whether every label of a line that reads as an interval of numbers holds a number.
bool Holds(const Line& line, const Column& column, Code code) {
  const Reading reading = column.is_date() ? Reading::kDates : Reading::kNumbers;
  for (size_t level = 1; level + 1 < line.size(); ++level) {
    if (!LabelCover(line[level], column, reading).Covers(code)) return false;
  }
  return true;
}

// The lines of values that a list of lines knows, by code. A number that it does not list goes with its neighbour, if all labels
// above that one hold it.
std::vector<Line> LinesByList(const std::vector<Line>& known, const Column& column) {
  std::vector<Line> lines(column.num_codes());
  std::unordered_map<std::string_view, const Line*> by_text;
  for (const Line& line : known) by_text.emplace(line.front(), &line);
  const Line* below = nullptr;
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    if (const auto found = by_text.find(column.text(code)); found != by_text.end()) {
      lines[code] = *found->second;
      below = found->second;
    } else if (column.is_numeric() && below != nullptr && Holds(*below, column, code)) {
      lines[code] = *below;
      lines[code].front() = column.text(code);
    }
  }
  return lines;
}

}  // namespace

Result<AppliedHierarchy> ApplyHierarchy(const CutColumn& cut, const Column& column) {
  AppliedHierarchy applied;
  applied.unknown.assign(column.num_codes(), 0);
  if (cut.rule.empty() && cut.lines.empty()) return applied;
  std::vector<Line> by_code = cut.rule.empty() ? LinesByList(cut.lines, column) : LinesByRule(cut.rule, column);
  size_t width = cut.lines.empty() ? 0 : cut.lines.front().size();
  std::set<std::string> labels;
  for (const Line& line : by_code) {
    width = std::max(width, line.size());
    for (size_t level = 1; level < line.size(); ++level) labels.insert(line[level]);
  }
  const std::string root = cut.lines.empty() ? "*" : cut.lines.front().back();
  HierarchyLines lines{.source = cut.name, .lines = cut.lines, .line_numbers = {}};
  std::erase_if(lines.lines, [&](const Line& line) { return line.size() != width; });
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    Line& line = by_code[code];
    if (line.empty()) {
      applied.unknown[code] = 1;
      std::string own(column.text(code));
      while (labels.contains(own)) own += " (new)";
      line.assign(std::max<size_t>(width, 2), own);
      line.front() = column.text(code);
      line.back() = root;
    }
    lines.lines.push_back(line);
  }
  if (lines.lines.empty()) lines.lines.push_back({"", root});
  TADA_TRY(aligned, AlignLines(std::move(lines)));
  TADA_TRY(bound, BindHierarchy(aligned, column));
  applied.hierarchy = std::move(bound);
  return applied;
}

}  // namespace tada
