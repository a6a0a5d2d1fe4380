#include "report/hierarchy_text.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/option_mark.h"
#include "report/draw/text_layout.h"

namespace tada {
namespace {

constexpr size_t kShownChildren = 12;

// The tree of lines from the root down, each label once, with how many values are below it.
void DrawBelow(const HierarchyLines& lines, size_t level, const std::vector<size_t>& members, const std::string& indent,
               std::string& out) {
  std::vector<std::pair<std::string, std::vector<size_t>>> children;
  for (const size_t i : members) {
    const std::string& label = lines.lines[i][level];
    auto found =
        std::find_if(children.begin(), children.end(), [&](const auto& child) { return child.first == label; });
    if (found == children.end()) found = children.insert(children.end(), {label, {}});
    found->second.push_back(i);
  }
  for (size_t c = 0; c < children.size(); ++c) {
    const bool last = c + 1 == children.size() || c == kShownChildren;
    if (c == kShownChildren) {
      out += fmt::format("{}└─ ... and {} more\n", indent, children.size() - c);
      return;
    }
    out += fmt::format("{}{} {}", indent, last ? "└─" : "├─", children[c].first);
    out += level > 0 ? fmt::format(" ({})\n", children[c].second.size()) : "\n";
    if (level > 0) DrawBelow(lines, level - 1, children[c].second, indent + (last ? "   " : "│  "), out);
  }
}

}  // namespace

std::string LevelTable(const Hierarchy& hierarchy, const Column& column, bool show_values) {
  const std::vector<uint64_t> smallest = hierarchy.SmallestNodes(column);
  std::vector<std::vector<std::string>> rows = {{"level", "labels", "rows of the rarest", "for example"}};
  uint64_t last = 0;
  for (uint32_t level = 0; level < hierarchy.num_levels(); ++level) {
    std::vector<std::string> some;
    const Code shown = level == 0 && !show_values ? 0 : std::min<Code>(3, hierarchy.num_nodes(level));
    for (Code node = 0; node < shown; ++node) some.push_back(hierarchy.label(level, node));
    if (shown == 0) some.emplace_back("(" TADA_OPTION("show-values") ")");
    const bool idle = level > 0 && level < hierarchy.top() && smallest[level] <= last;
    if (!idle) last = smallest[level];
    rows.push_back({fmt::format("{}", level), fmt::format("{}", hierarchy.num_nodes(level)),
                    fmt::format("{}", smallest[level]),
                    fmt::format("{}{}", fmt::join(some, "  "),
                                idle ? "   (makes nobody harder to find: 'build' would drop it)" : "")});
  }
  return AlignColumns(rows, {true, true, true, false});
}

std::string FalseLabels(const Hierarchy& hierarchy) {
  std::string text;
  for (const std::string& wrong : hierarchy.corrected()) text += fmt::format("false label: {}\n", wrong);
  return text;
}

std::string HierarchyDrawing(const HierarchyLines& lines) {
  std::vector<size_t> all(lines.lines.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::string out = fmt::format("{} ({} values)\n", lines.lines[0].back(), all.size());
  DrawBelow(lines, lines.lines[0].size() - 2, all, "", out);
  return out;
}

}  // namespace tada
