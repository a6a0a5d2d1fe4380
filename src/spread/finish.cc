// Finishing a node: the rest of the method on rows that have met, and their cells.

#include <algorithm>

#include "recode/cell_form.h"
#include "recode/plain_release.h"
#include "recode/recoder.h"
#include "run/bind/canonical_rows.h"
#include "spread/part_problem.h"
#include "spread/shown_loss.h"
#include "table/select_rows.h"

namespace tada {
namespace {

// The quasi-identifiers alone: nothing else is recoded.
Roles OnlyQuasi(const Roles& roles) {
  Roles only;
  only.quasi = roles.quasi;
  return only;
}

}  // namespace

// A column with a hierarchy is text everywhere, so that all nodes agree on its type, whether they have labels or not.
std::vector<ColumnId> Shared::TextColumns() const {
  std::vector<ColumnId> columns;
  for (size_t i = 0; i < bound_.roles.quasi.size(); ++i) {
    if (i < hierarchies_.size() && hierarchies_.of(i)) columns.push_back(bound_.roles.quasi[i]);
  }
  return columns;
}

FinishedNode Shared::ShowCells(const Release& release) const {
  NoProgress progress;
  FinishedNode finished;
  ShownLoss shown(empty_, bound_.roles.quasi);
  shown.Add(release);
  finished.shown = shown.Pack();
  finished.cells = std::make_shared<const Batches>(
      MakeBatches(stored_, release, plan_.cells == "typed" ? CellForm::kTyped : CellForm::kText, false, Workers(1),
                  progress, TextColumns()));
  return finished;
}

// The rows of a large final node never meet. A few rows that have all of its codes show the node's cells, for any number of rows.
FinishedNode Shared::ShowFinal(const SpreadTree::Node& node, size_t num_rows) const {
  size_t longest = 0;
  for (const std::vector<Code>& codes : node.final_codes) longest = std::max(longest, codes.size());
  std::vector<std::vector<int32_t>> made(names_.size(), std::vector<int32_t>(longest, 0));
  for (size_t i = 0; i < num_quasi(); ++i) {
    for (size_t row = 0; row < longest; ++row) {
      made[i][row] = static_cast<int32_t>(node.final_codes[i][std::min(row, node.final_codes[i].size() - 1)]);
    }
  }
  const Table table = TableOf(CodeColumns(made.begin(), made.end()));
  Release release = Recode(table, OnlyQuasi(bound_.roles), Groups::Whole(longest),
                           {.keep_order = true, .hierarchies = hierarchies_.pointers()}, Workers(1));
  release.row_order.assign(num_rows, 0);
  return ShowCells(release);
}

Result<FinishedNode> Shared::Finish(const SpreadTree& tree, uint32_t id, const CodeColumns& codes) const {
  const SpreadTree::Node& node = tree.nodes()[id];
  if (node.state == SpreadTree::State::kFinal) return ShowFinal(node, codes[0].size());
  const Table table = TableOf(codes);
  StageNotes notes;
  TADA_TRY(groups, controllers_[node.controller].needs_all_rows ? RefineWhole(node.controller, table, notes)
                                                                : RefinePart(node, table, notes));
  FinishedNode finished = ShowCells(Recode(table, OnlyQuasi(bound_.roles), groups,
                                           {.keep_order = true, .hierarchies = hierarchies_.pointers()}, Workers(1)));
  const std::string& name = controllers_[node.controller].name;
  for (const std::string& warning : notes.warnings) {
    finished.warnings.push_back(name.empty() ? warning : fmt::format("Controller {}: {}", name, warning));
  }
  return finished;
}

Result<Groups> Shared::RefinePart(const SpreadTree::Node& node, const Table& table, StageNotes& notes) const {
  PartProblem asked(*this, table, node.controller);
  Groups groups = Groups::Whole(table.num_rows());
  for (size_t stage = node.stage; stage < spread_stages_.size(); ++stage) {
    TADA_TRY(refined,
             spread_stages_[stage]->RefinePart(asked.problem, std::move(groups), controllers_[node.controller].whole));
    groups = std::move(refined);
  }
  notes = std::move(asked.notes);
  return groups;
}

// Rows came in no particular order: the method is given them in the one that it gets on one machine.
Result<Groups> Shared::RefineWhole(uint32_t controller, const Table& table, StageNotes& notes) const {
  const auto rows = RowsAsSeen(table, plan_, bound_);
  const Table ordered = rows ? SelectRows(table, *rows) : table;
  PartProblem asked(*this, ordered, controller);
  Groups groups = Groups::Whole(ordered.num_rows());
  for (const auto& stage : stages_) {
    TADA_TRY(refined, stage->Refine(asked.problem, std::move(groups)));
    groups = std::move(refined);
  }
  if (rows) groups.RenameRows(*rows);
  notes = std::move(asked.notes);
  return groups;
}

std::shared_ptr<const Batches> Shared::CellTypes() const {
  return ShowCells(Recode(empty_, OnlyQuasi(bound_.roles), Groups(),
                          {.keep_order = true, .hierarchies = hierarchies_.pointers()}, Workers(1)))
      .cells;
}

std::shared_ptr<const Batches> Shared::Decode(const CodeColumns& codes) const {
  NoProgress progress;
  const Table table = TableOf(codes);
  return std::make_shared<const Batches>(
      MakeBatches(stored_, PlainRelease(table), CellForm::kTyped, false, Workers(1), progress));
}

}  // namespace tada
