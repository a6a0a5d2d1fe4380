#include "table/hierarchy.h"

#include <algorithm>
#include <unordered_map>

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
      return InvalidArgument("{}: level {} '{}' is below '{}' here and below '{}' for value '{}'", Where(aligned, i),
                             level, line[level], line[level + 1], aligned.lines[found->second][level + 1],
                             aligned.lines[found->second][0])
          .WithHint("Every node of a hierarchy has one parent: rename one of the two, or correct its line.");
    }
  }
  return Ok();
}

// The number that a value of a hierarchy spells; some files write decimal commas.
std::optional<double> NumberOf(std::string_view text, bool date) {
  if (date) return ParseDate(text);
  if (const auto number = ParseNumber(text)) return number;
  std::string dotted(text);
  if (std::count(dotted.begin(), dotted.end(), ',') != 1) return std::nullopt;
  dotted[dotted.find(',')] = '.';
  return ParseNumber(dotted);
}

struct Bounds {
  double low, high;
  bool high_open;
};

// The bounds of `20-39`, `[20-39]`, `[20,39]`, `[20,40)`; nothing for any other label.
std::optional<Bounds> BoundsOf(std::string_view label) {
  bool high_open = false;
  if (label.starts_with('[') && (label.ends_with(']') || label.ends_with(')'))) {
    high_open = label.ends_with(')');
    label = label.substr(1, label.size() - 2);
  }
  for (const char separator : {',', '-'}) {
    for (size_t at = label.find(separator, 1); at != std::string_view::npos; at = label.find(separator, at + 1)) {
      const auto low = NumberOf(label.substr(0, at), false), high = NumberOf(label.substr(at + 1), false);
      if (low && high) return Bounds{*low, *high, high_open};
    }
  }
  return std::nullopt;
}

// Finds the line of a value.
class LineFinder {
 public:
  LineFinder(const HierarchyLines& lines, const Column& column) : column_(column) {
    for (size_t i = 0; i < lines.lines.size(); ++i) {
      by_text_.try_emplace(lines.lines[i][0], i);
      if (!column.is_numeric()) continue;
      if (const auto number = NumberOf(lines.lines[i][0], column.is_date())) by_number_.try_emplace(*number, i);
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

Result<std::vector<std::optional<size_t>>> FindLines(const HierarchyLines& lines, const Column& column) {
  const LineFinder finder(lines, column);
  std::vector<std::optional<size_t>> line_of_code(column.num_codes());
  std::vector<std::string> lacking;
  for (Code code = 0; code < column.num_codes(); ++code) {
    line_of_code[code] = finder.Find(code);
    if (!line_of_code[code] && !column.is_missing(code)) lacking.emplace_back(column.text(code));
  }
  if (lacking.empty()) return line_of_code;
  const size_t shown = std::min<size_t>(5, lacking.size());
  return InvalidArgument("The hierarchy of {} lacks {} of its {} values: {}{} ({})", column.name(), lacking.size(),
                         column.num_codes(),
                         fmt::join(lacking.begin(), lacking.begin() + static_cast<ptrdiff_t>(shown), ", "),
                         lacking.size() > shown ? ", ..." : "", lines.source)
      .WithHint("Add a line for each, or let 'tada hierarchy build' make one from the data.");
}

bool IsClosedInterval(const Column& column, Code low, Code high, std::string_view label) {
  return column.is_numeric() && low < high && !column.is_missing(low) &&
         label == fmt::format("[{},{}]", column.text(low), column.text(high));
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
    return InvalidArgument("{}: value '{}' has two paths to the root", Where(lines, i), lines.lines[i][0])
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
      if (level > 0 && line) label = lines.lines[*line][level];
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
                 "The hierarchy of {} calls a node of level {} '{}', which is a value of the column, and there is "
                 "more below it, or something else ({})",
                 column.name(), level, out.labels[node], lines.source)
          .WithHint("Rename the label: a released cell that says it would be taken for the value.");
    }
  }
  hierarchy.CorrectLabels(column);
  return hierarchy;
}

void Hierarchy::CorrectLabels(const Column& column) {
  if (!column.is_numeric() || column.is_date()) return;
  for (Level& level : std::span(levels_).subspan(1)) {
    for (Code node = 0; node < level.labels.size(); ++node) {
      const Code low = level.low[node], high = level.high[node];
      const auto bounds = BoundsOf(level.labels[node]);
      if (!bounds || column.is_missing(low)) continue;
      const bool above = bounds->high_open ? column.number(high) >= bounds->high : column.number(high) > bounds->high;
      if (column.number(low) >= bounds->low && !above) continue;
      corrected_.push_back(fmt::format("{} lacks {}", level.labels[node], column.text(above ? high : low)));
      level.labels[node] =
          low == high ? std::string(column.text(low)) : fmt::format("[{},{}]", column.text(low), column.text(high));
      level.interval[node] = low < high ? 1 : 0;
    }
  }
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
