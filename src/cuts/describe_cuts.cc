#include <fmt/format.h>

#include "base/words.h"
#include "cuts/cuts.h"
#include "recode/release.h"

namespace tada {
namespace {

constexpr size_t kDrawnNodes = 31;
constexpr size_t kShownValues = 6;

std::string ListText(const std::vector<std::string>& values) {
  std::string text;
  for (size_t i = 0; i < std::min(values.size(), kShownValues); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", values[i].empty() ? "missing" : values[i]);
  }
  return values.size() > kShownValues ? fmt::format("{}, ... {} values", text, values.size()) : text;
}

// The condition under which rows go to a child.
std::string Condition(const CutColumn& column, const CutNode& node, size_t child) {
  const CutPart& part = node.parts[child];
  if (!part.below.empty()) {
    std::vector<std::string> labels;
    for (const auto& [level, label] : part.below) labels.push_back(label);
    return fmt::format("{}: {}", column.name, ListText(labels));
  }
  if (!part.numbers) return fmt::format("{}: {}", column.name, ListText(part.values));
  if (part.only_missing) return fmt::format("{} missing", column.name);
  if (!part.from.empty()) return fmt::format("{} >= {}", column.name, part.from);
  for (const CutPart& other : node.parts) {
    if (!other.from.empty()) return fmt::format("{} < {}", column.name, other.from);
  }
  return fmt::format("{} known", column.name);
}

std::string CellsText(const Cuts& cuts, const CutNode& node) {
  std::string text;
  for (size_t i = 0; i < node.cells.size(); ++i) {
    const CutCell& cell = cuts.columns[i].cells[node.cells[i]];
    if (cell.form == CutCell::Form::kMask) continue;
    if (cell.form == CutCell::Form::kSet && cell.values.size() > kShownValues) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", cuts.columns[i].name, CutCellText(cuts.columns[i], cell));
  }
  return text.empty() ? "*" : text;
}

// The top of the tree, level by level.
TreeDiagram TopOf(const Cuts& cuts) {
  TreeDiagram diagram{.title = "Tree of cuts", .nodes = {}, .roots = {0}};
  std::vector<uint32_t> shown{0};  // nodes of the cuts, by their place in the diagram
  diagram.nodes.push_back({.condition = "all rows", .words = CellsText(cuts, cuts.nodes[0]), .depth = 0});
  for (uint32_t at = 0; at < shown.size(); ++at) {
    const CutNode& node = cuts.nodes[shown[at]];
    diagram.nodes[at].leaf = node.children.empty();
    if (shown.size() + node.children.size() > kDrawnNodes) continue;
    for (size_t c = 0; c < node.children.size(); ++c) {
      diagram.nodes[at].children.push_back(static_cast<uint32_t>(shown.size()));
      shown.push_back(node.children[c]);
      const std::string condition = node.parts.empty() ? "nearer mean" : Condition(cuts.columns[node.column], node, c);
      diagram.nodes.push_back({.condition = condition,
                               .words = CellsText(cuts, cuts.nodes[node.children[c]]),
                               .depth = diagram.nodes[at].depth + 1});
    }
  }
  return diagram;
}

}  // namespace

std::string CutCellText(const CutColumn& column, const CutCell& cell) {
  switch (cell.form) {
    case CutCell::Form::kValue:
    case CutCell::Form::kLabel:
      return cell.low;
    case CutCell::Form::kInterval:
      return IntervalCell(cell.low, cell.high, Writing::Parse(column.writing).value());
    case CutCell::Form::kMask:
      return "*";
    case CutCell::Form::kSet:
      break;
  }
  std::string set = "{";
  for (const std::string& value : cell.values) set += (set.size() > 1 ? "," : "") + SetElementText(value);
  return set + "}";
}

NoteSection DescribeCuts(const Cuts& cuts) {
  NoteSection section{.key = "cuts", .title = "Cuts that were saved"};
  section.raw = !cuts.range_cut && cuts.by != Cuts::By::kLevels;
  if (cuts.by == Cuts::By::kLevels) {
    section.facts = Fact::Map{{"by", "levels"}, {"steps", cuts.levels.size()}};
    DataTable table{.header = {"step"}, .rows = {}, .right = {}};
    for (const CutColumn& column : cuts.columns) table.header.push_back(column.name);
    for (size_t step = 0; step < cuts.levels.size(); ++step) {
      std::vector<std::string>& row = table.rows.emplace_back(1, fmt::format("{}", step));
      for (const uint8_t level : cuts.levels[step]) row.push_back(fmt::format("level {}", level));
    }
    section.blocks.push_back(
        {"'tada apply' releases other rows at the levels of the first line, and classes that fall "
         "short at those of the next that is high enough."});
    section.blocks.push_back({std::move(table)});
    return section;
  }
  uint64_t leaves = 0;
  for (const CutNode& node : cuts.nodes) leaves += node.children.empty() ? 1 : 0;
  const bool means = cuts.by == Cuts::By::kMeans;
  section.facts = Fact::Map{{"by", means ? "means" : "boxes"}, {"boxes", leaves}, {"nodes", cuts.nodes.size()}};
  section.blocks.push_back(
      {fmt::format("'tada apply' releases other rows by these {}. A box that they do not fill is replaced by the one "
                   "around it. The top of the tree:",
                   Plural(leaves, "box", "boxes"))});
  section.blocks.push_back({TopOf(cuts)});
  return section;
}

}  // namespace tada
