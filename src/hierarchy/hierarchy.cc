#include "hierarchy/hierarchy.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "table/column_doubt.h"
#include "table/label.h"
#include "table/number.h"

namespace tada {
namespace {

std::string Where(const HierarchyLines& lines, size_t line) {
  if (line >= lines.line_numbers.size()) return lines.source;
  return fmt::format("{}:{}", lines.source, lines.line_numbers[line]);
}

Status CheckNested(const HierarchyLines& aligned) {
  const size_t depth = aligned.lines.front().size();
  for (size_t level = 0; level + 1 < depth; ++level) {
    std::unordered_map<std::string_view, size_t> first;  // the line that showed a node first
    for (size_t i = 0; i < aligned.lines.size(); ++i) {
      const auto& line = aligned.lines[i];
      const auto [found, is_new] = first.try_emplace(line[level], i);
      if (is_new || aligned.lines[found->second][level + 1] == line[level + 1]) continue;
      const std::string node = level == 0 ? "the value" : fmt::format("level {} '{}'", level, line[level]);
      return InvalidArgument("{}: {} is below '{}' here and below '{}' in {}", Where(aligned, i), node, line[level + 1],
                             aligned.lines[found->second][level + 1], Where(aligned, found->second))
          .WithHint("Every node of a hierarchy has one parent: rename one of the two, or correct its line.");
    }
  }
  return Ok();
}

// The number that a value of a hierarchy spells; some files write decimal commas.
std::optional<double> NumberOf(std::string_view text, bool date, const Writing& writing) {
  if (const auto plain = writing.Plain(text)) return date ? ParseDate(*plain) : ParseNumber(*plain);
  if (date) return ParseDate(text);
  if (const auto number = ParseNumber(text)) return number;
  std::string dotted(text);
  if (std::count(dotted.begin(), dotted.end(), ',') != 1) return std::nullopt;
  dotted[dotted.find(',')] = '.';
  return ParseNumber(dotted);
}

// Finds the line of a value.
class LineFinder {
 public:
  LineFinder(const HierarchyLines& lines, const Column& column) : column_(column) {
    for (size_t i = 0; i < lines.lines.size(); ++i) {
      by_text_.try_emplace(lines.lines[i][0], i);
      if (!column.is_numeric()) continue;
      if (const auto number = NumberOf(lines.lines[i][0], column.is_date(), column.writing()))
        by_number_.try_emplace(*number, i);
    }
  }

  std::optional<size_t> Find(Code code) const {
    if (const auto found = by_text_.find(column_.text(code)); found != by_text_.end()) return found->second;
    if (!column_.is_numeric() || column_.is_missing(code)) return std::nullopt;
    const auto found = by_number_.find(column_.number(code));
    return found == by_number_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  const Column& column_;
  std::unordered_map<std::string_view, size_t> by_text_;
  std::unordered_map<double, size_t> by_number_;
};

constexpr size_t kShown = 5;  // rows that an error names

Result<std::vector<std::optional<size_t>>> FindLines(const HierarchyLines& lines, const Column& column) {
  const LineFinder finder(lines, column);
  std::vector<std::optional<size_t>> line_of_code(column.num_codes());
  size_t num_lacking = 0;
  std::vector<uint64_t> first_rows;  // of some that lack a line
  for (Code code = 0; code < column.num_codes(); ++code) {
    line_of_code[code] = finder.Find(code);
    if (line_of_code[code] || column.is_missing(code)) continue;
    if (num_lacking++ < kShown) first_rows.push_back(FirstRow(column, code));
  }
  if (num_lacking == 0) return line_of_code;
  std::sort(first_rows.begin(), first_rows.end());
  return InvalidArgument("The hierarchy of {} ({}) lacks {} of its {} values: see {}{} of the table", column.name(),
                         lines.source, num_lacking, column.num_codes(), PlacesOfRows(first_rows, column.lines()),
                         num_lacking > kShown ? ", ..." : "")
      .WithHint("Add a line for each, or let 'tada hierarchy build' make one from the data.");
}

// What a line says of a value at a level. A value that a short line repeats, and that the file writes with a decimal comma,
// is written as the column does: `0,5` would be read as the interval from 0 to 5.
std::string LabelOf(const std::vector<std::string>& line, uint32_t level, const Column& column, Code code) {
  const bool comma = line[level] == line[0] && line[0].find(',') != std::string::npos;
  if (!comma || !column.is_numeric() || column.is_missing(code)) return line[level];
  Code first = code;  // the spelling that comes first stands for all
  while (first > column.num_missing() && column.same_value(first - 1, code)) --first;
  return std::string(column.text(first));
}

bool IsClosedInterval(const Column& column, Code low, Code high, std::string_view label) {
  return column.is_numeric() && low < high && !column.is_missing(low) &&
         label == IntervalCell(column.text(low), column.text(high), column.writing());
}

}  // namespace

Result<HierarchyLines> AlignLines(HierarchyLines lines) {
  size_t depth = 0;
  for (auto& line : lines.lines) {
    while (line.size() > 1 && line.back().empty()) line.pop_back();
    depth = std::max(depth, line.size());
  }
  if (lines.lines.empty()) return InvalidArgument("The hierarchy has no values: {}", lines.source);
  if (depth < 2) {
    return InvalidArgument("The hierarchy has values and nothing above them: {}", lines.source)
        .WithHint("A line is: value;level 1;...;* with the same last field everywhere.");
  }
  std::unordered_map<std::string_view, size_t> line_of_value;
  for (size_t i = 0; i < lines.lines.size(); ++i) {
    auto& line = lines.lines[i];
    line.insert(line.begin(), depth - line.size(), line.front());
    for (size_t level = 1; level < depth; ++level) {
      if (line[level].empty() && !line[0].empty())
        return InvalidArgument("{}: empty label at level {}", Where(lines, i), level);
    }
    if (line.back() != lines.lines.front().back()) {
      return InvalidArgument("{}: two roots: '{}' and '{}'", Where(lines, i), lines.lines.front().back(), line.back())
          .WithHint("The last field of every line must be the same; add one, for example *.");
    }
  }
  for (size_t i = 0; i < lines.lines.size(); ++i) {
    const auto [found, is_new] = line_of_value.try_emplace(lines.lines[i][0], i);
    if (is_new || lines.lines[found->second] == lines.lines[i]) continue;
    return InvalidArgument("{}: the value of this line has another path to the root in {}", Where(lines, i),
                           Where(lines, found->second))
        .WithHint("Keep one of its lines.");
  }
  TADA_CHECK_OK(CheckNested(lines));
  return lines;
}

Result<Hierarchy> BindHierarchy(const HierarchyLines& lines, const Column& column) {
  TADA_TRY(line_of_code, FindLines(lines, column));
  const size_t depth = lines.lines.front().size();
  std::unordered_map<std::string_view, Code> code_of_text;
  for (Code code = 0; code < column.num_codes(); ++code) code_of_text.emplace(column.text(code), code);
  Hierarchy hierarchy;
  hierarchy.levels_.resize(depth);
  for (uint32_t level = 0; level < depth; ++level) {
    Hierarchy::Level& out = hierarchy.levels_[level];
    std::unordered_map<std::string, Code> nodes;
    out.node_of_code.resize(column.num_codes());
    Code last_value = UINT32_MAX;
    for (Code code = 0; code < column.num_codes(); ++code) {
      const std::optional<size_t> line = line_of_code[code];
      std::string label(column.text(code));
      if (level > 0 && line) label = LabelOf(lines.lines[*line], level, column, code);
      if (level + 1 == depth) label = lines.lines.front().back();
      // A missing value without a line keeps apart from a node that happens to be called alike.
      const std::string key = line || level + 1 == depth ? "=" + label : "?" + label;
      const auto [found, is_new] = nodes.try_emplace(key, static_cast<Code>(out.labels.size()));
      const Code node = found->second;
      if (is_new) {
        out.labels.push_back(label);
        out.leaves.push_back(0);
        out.low.push_back(code);
        out.high.push_back(code);
        last_value = UINT32_MAX;
      }
      out.node_of_code[code] = node;
      out.leaves[node] += column.value_id(code) != last_value || is_new ? 1 : 0;
      out.high[node] = code;
      last_value = column.value_id(code);
    }
    out.interval.resize(out.labels.size());
    for (Code node = 0; node < out.labels.size(); ++node) {
      out.interval[node] = IsClosedInterval(column, out.low[node], out.high[node], out.labels[node]) ? 1 : 0;
      const auto same = code_of_text.find(out.labels[node]);
      if (level == 0 || same == code_of_text.end() || out.labels[node] == "*") continue;
      if (out.node_of_code[same->second] == node && out.leaves[node] == 1) continue;
      return InvalidArgument(
                 "The hierarchy of {} gives a node of level {} the name of a value of the column, and there is more "
                 "below it, or something else ({})",
                 column.name(), level,
                 line_of_code[out.low[node]] ? Where(lines, *line_of_code[out.low[node]]) : lines.source)
          .WithHint("Rename the label: a released cell that says it would be taken for the value.");
    }
  }
  TADA_CHECK_OK(hierarchy.CheckLabels(lines, column, line_of_code));
  return hierarchy;
}

Status Hierarchy::CheckLabels(const HierarchyLines& lines, const Column& column,
                              const std::vector<std::optional<size_t>>& line_of_code) {
  for (uint32_t level = 1; level < num_levels(); ++level) {
    Level& here = levels_[level];
    const Reading reading = ReadingOf(column, here.labels);
    std::vector<std::optional<Code>> lacks(here.labels.size());
    std::deque<LabelCover> covers;
    for (const std::string& label : here.labels) covers.emplace_back(label, column, reading);
    for (Code code = 0; code < column.num_codes(); ++code) {
      const Code node = here.node_of_code[code];
      if (!lacks[node] && !covers[node].Covers(code)) lacks[node] = code;
    }
    for (Code node = 0; node < lacks.size(); ++node) {
      if (!lacks[node] || CorrectLabel(column, level, node, *lacks[node], covers[node].is_interval())) continue;
      const std::optional<size_t> line = line_of_code[*lacks[node]];
      return InvalidArgument("{}: label '{}' of level {} reads as {}, and {} is below it but not in it",
                             line ? Where(lines, *line) : lines.source, here.labels[node], level, covers[node].form(),
                             column.is_missing(*lacks[node]) ? "a missing value" : "the value of this line")
          .WithHint("Correct the label, or call it something that is a name only: the released cell would be false.");
    }
  }
  return Ok();
}

bool Hierarchy::CorrectLabel(const Column& column, uint32_t level, Code node, Code lacks, bool interval) {
  if (!interval || !column.is_numeric()) return false;
  Level& here = levels_[level];
  const Code low = here.low[node], high = here.high[node];
  if (column.is_missing(low) && level < top()) return false;
  corrected_.push_back(fmt::format(
      "{} lacks {}", here.labels[node],
      column.is_missing(lacks) ? "missing values" : fmt::format("the value of {}", FirstPlace(column, lacks))));
  here.interval[node] = !column.is_missing(low) && low < high ? 1 : 0;
  here.labels[node] = column.is_missing(low)     ? "*"
                      : here.interval[node] != 0 ? IntervalCell(column.text(low), column.text(high), column.writing())
                                                 : std::string(column.text(low));
  return true;
}

std::vector<uint64_t> Hierarchy::SmallestNodes(const Column& column) const {
  std::vector<uint64_t> rows_of_code(column.num_codes(), 0);
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) ++rows_of_code[code];
  });
  std::vector<uint64_t> smallest;
  for (const Level& level : levels_) {
    std::vector<uint64_t> rows(level.labels.size(), 0);
    for (Code code = 0; code < column.num_codes(); ++code) rows[level.node_of_code[code]] += rows_of_code[code];
    uint64_t least = UINT64_MAX;
    for (const uint64_t count : rows) {
      if (count > 0) least = std::min(least, count);
    }
    smallest.push_back(rows.empty() ? 0 : least);
  }
  return smallest;
}

void Hierarchy::DropIdleLevels(const Column& column) {
  const std::vector<uint64_t> smallest = SmallestNodes(column);
  std::vector<Level> kept;
  uint64_t last = smallest[0];
  for (uint32_t level = 0; level < num_levels(); ++level) {
    if (level > 0 && level < top() && smallest[level] <= last) continue;
    last = smallest[level];
    kept.push_back(std::move(levels_[level]));
  }
  levels_ = std::move(kept);
}

}  // namespace tada
