// Growing the tree: counting open nodes over a part of the rows, and deciding how a node splits.

#include <map>

#include "partition/engine/splits/table_chooser.h"
#include "spread/part_problem.h"
#include "spread/table_parts.h"

namespace tada {
namespace {

// The rows of a part by open node.
std::map<uint32_t, std::vector<RowId>> RowsOfOpenNodes(const SpreadTree& tree, std::span<const int32_t> node_of_row) {
  std::map<uint32_t, std::vector<RowId>> rows;
  std::vector<std::vector<RowId>*> place(tree.nodes().size(), nullptr);
  for (const uint32_t node : tree.In(SpreadTree::State::kOpen)) place[node] = &rows[node];
  for (RowId row = 0; row < node_of_row.size(); ++row) {
    if (place[static_cast<size_t>(node_of_row[row])] != nullptr)
      place[static_cast<size_t>(node_of_row[row])]->push_back(row);
  }
  std::erase_if(rows, [](const auto& entry) { return entry.second.empty(); });
  return rows;
}

uint64_t NumRows(const ValueTable& table) {
  uint64_t rows = 0;
  for (size_t v = 0; v < table.size(); ++v) rows += table.rows(v);
  return rows;
}

// All stages look at the same labels, or at none.
std::span<const LabelView> LabelsOf(const std::vector<std::unique_ptr<const TableChooser>>& choosers) {
  for (const auto& chooser : choosers) {
    if (!chooser->labels().empty()) return chooser->labels();
  }
  return {};
}

}  // namespace

std::vector<std::pair<uint32_t, std::string>> Shared::Count(const SpreadTree& tree, const CodeColumns& codes) const {
  std::map<uint32_t, std::vector<RowId>> rows_of = RowsOfOpenNodes(tree, Route(tree, codes));
  std::vector<std::pair<uint32_t, std::string>> counted;
  if (rows_of.empty()) return counted;
  const Table table = TableOf(codes);
  std::map<uint32_t, std::vector<uint32_t>> nodes_of_controller;
  for (const auto& [node, rows] : rows_of) nodes_of_controller[tree.nodes()[node].controller].push_back(node);
  for (const auto& [controller, nodes] : nodes_of_controller) {
    const PartProblem asked(*this, table, controller);
    std::vector<std::vector<RowId>> lists;
    for (const uint32_t node : nodes) lists.push_back(std::move(rows_of[node]));
    const Groups groups = Groups::FromLists(lists);
    const NodeRows laid(asked.problem, groups);
    const auto choosers = Choosers(asked, controller);
    const std::span<const LabelView> labels = LabelsOf(choosers);
    std::vector<ValueTable> tables(num_quasi());
    for (size_t g = 0; g < nodes.size(); ++g) {
      const Node node{groups.spans()[g].begin, groups.spans()[g].end, 0, 0, nullptr};
      for (uint32_t i = 0; i < tables.size(); ++i) tables[i].Count(asked.problem, laid, node, i, labels, true);
      counted.emplace_back(nodes[g], TableParts::Pack(tables));
    }
  }
  return counted;
}

StageSplit Shared::Choose(const SpreadTree& tree, uint32_t id, std::span<const std::string_view> counts) const {
  const SpreadTree::Node& node = tree.nodes()[id];
  const PartProblem asked(*this, empty_, node.controller);
  const auto choosers = Choosers(asked, node.controller);
  const std::span<const LabelView> labels = LabelsOf(choosers);
  std::vector<std::vector<ValueTable>> parts;
  for (const std::string_view part : counts) parts.push_back(TableParts::Unpack(part, num_quasi()));
  std::vector<ValueTable> tables;
  for (size_t i = 0; i < num_quasi(); ++i) {
    std::vector<const ValueTable*> of_column;
    for (const std::vector<ValueTable>& part : parts) of_column.push_back(&part[i]);
    tables.push_back(TableParts::Merge(asked.problem, labels, of_column));
  }
  TADA_ASSERT(NumRows(tables[0]) == node.rows);  // no part is missing, none came twice
  StageSplit found;
  for (found.stage = node.stage; found.stage < stages_.size(); ++found.stage) {
    const auto scratch = choosers[found.stage]->MakeScratch();
    found.split = choosers[found.stage]->Decide(tables, *scratch);
    if (found.split.num_children > 0) break;
  }
  if (found.split.num_children == 0) {
    for (const ValueTable& table : tables) found.final_codes.emplace_back(table.codes().begin(), table.codes().end());
    return found;
  }
  const ValueTable& table = tables[found.split.column];
  found.child_rows.assign(found.split.num_children, 0);
  for (size_t v = 0; v < table.size(); ++v) found.child_rows[found.split.ChildOf(table.code(v))] += table.rows(v);
  return found;
}

}  // namespace tada
