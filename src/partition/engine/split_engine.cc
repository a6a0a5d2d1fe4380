#include "partition/engine/split_engine.h"

#include <algorithm>
#include <mutex>

#include "base/disk/spill.h"
#include "groups/box_tree.h"

namespace tada {
namespace {

constexpr uint32_t kSmallNode = 4096;  // positions; below this a node is finished by the thread that has it

// A node that is not split any more.
struct Final {
  Groups::Span span;
  std::shared_ptr<const Box> box;
};

// Final nodes side by side, from left to right.
using Piece = std::vector<Final>;

// What a thread takes at once: a large node, or small ones side by side.
using Load = std::vector<Node>;

// Gives the children of a node their boxes.
void CutBoxOf(const Problem& problem, const NodeRows& rows, const Node& node, uint32_t column,
              std::span<Node> children) {
  std::vector<std::vector<Code>> codes(children.size());
  for (size_t c = 0; c < children.size(); ++c) {
    if ((*node.box)[column].values == nullptr) {
      const WorkingRows::Extent extent = rows.rows.FindExtent(column, children[c].begin, children[c].end);
      codes[c] = {extent.low, extent.high};
      continue;
    }
    rows.rows.Visit(column, children[c].begin, children[c].end,
                    [&](auto present) { codes[c].assign(present.begin(), present.end()); });
    std::sort(codes[c].begin(), codes[c].end());
    codes[c].erase(std::unique(codes[c].begin(), codes[c].end()), codes[c].end());
  }
  const auto boxes = CutBox(*node.box, column, problem.quasi(column), problem.hierarchy(column), codes);
  const bool remembered = IsRemembered(node.box);
  for (size_t c = 0; c < children.size(); ++c) {
    children[c].box = remembered ? RememberBox(*boxes[c], node.box) : boxes[c];
  }
}

// Splits one node as the chooser says; false if it is final.
bool SplitNode(const Problem& problem, const SplitChooser& chooser, NodeRows& rows, const Node& node,
               SplitScratch& scratch, std::vector<Node>& children) {
  children.clear();
  const uint32_t num_children = chooser.Choose(rows, node, scratch);
  if (num_children == 0) return false;
  const std::vector<uint32_t> begins = rows.rows.Partition(node.begin, node.end, scratch.child, num_children);
  for (uint32_t c = 0; c < num_children; ++c) {
    children.push_back({begins[c], begins[c + 1], node.depth + 1, node.id, nullptr});
  }
  if (node.box != nullptr) CutBoxOf(problem, rows, node, scratch.column, children);
  chooser.OnSplit(rows, node, scratch, children);
  return true;
}

// Level by level, splits the nodes that are too large for the memory there is; what is left of `nodes` then fits, node by
// node, and is finished without coming back to the disk. Nothing to do if all fits.
void SplitLarge(const Problem& problem, const SplitChooser& chooser, NodeRows& rows, std::vector<Node>& nodes,
                std::vector<Piece>& pieces) {
  if (Spill::Budget() == 0) return;
  const uint64_t room = Spill::Budget() / 4;  // beside the table's columns, the children and what threads hold
  const auto too_large = [&](const Node& node) { return node.size() * rows.rows.BytesPerPosition() > room; };
  std::vector<Node> fitting, level, next, children;
  for (Node& node : nodes) (too_large(node) ? level : fitting).push_back(std::move(node));
  for (uint32_t depth = 1; !level.empty(); ++depth, level.swap(next), next.clear()) {
    const auto scratch = chooser.MakeScratch();
    uint64_t total = 0, done = 0;
    for (const Node& node : level) total += node.size();
    for (const Node& node : level) {
      problem.workers.Poll();
      problem.progress.Tell(fmt::format("level {}, {} of {} rows", depth, done, total));
      done += node.size();
      if (!SplitNode(problem, chooser, rows, node, *scratch, children)) {
        pieces.push_back({{{node.begin, node.end}, node.box}});
        problem.progress.Advance(node.size());
        continue;
      }
      for (Node& child : children) (too_large(child) ? next : fitting).push_back(std::move(child));
    }
  }
  if (!fitting.empty()) problem.progress.Tell("groups that fit into memory");
  nodes = std::move(fitting);
}

// Thousands of groups that a stage before this one left are too small to be handed out one by one.
std::vector<Load> LoadsOf(std::vector<Node> roots) {
  std::vector<Load> loads;
  uint32_t room = 0;  // in the last load, for small nodes that follow
  for (Node& root : roots) {
    const bool joins = root.size() <= room && loads.back().back().end == root.begin;
    if (!joins) {
      loads.emplace_back();
      room = kSmallNode;
    }
    room -= std::min(room, root.size());
    loads.back().push_back(std::move(root));
  }
  return loads;
}

// Splits nodes, all of them small, as far as it goes.
Piece SplitSmall(const Problem& problem, const SplitChooser& chooser, NodeRows& rows, std::span<const Node> nodes,
                 SplitScratch& scratch) {
  Piece piece;
  std::vector<Node> stack(nodes.rbegin(), nodes.rend()), children;
  while (!stack.empty()) {
    const Node node = std::move(stack.back());
    stack.pop_back();
    if (SplitNode(problem, chooser, rows, node, scratch, children)) {
      stack.insert(stack.end(), std::move_iterator(children.rbegin()), std::move_iterator(children.rend()));
    } else {
      piece.push_back({{node.begin, node.end}, node.box});
    }
  }
  return piece;
}

// The pieces, found in any order, as groups.
Groups GroupsOf(std::vector<Piece> pieces, WorkingRows rows) {
  std::ranges::sort(pieces, {}, [](const Piece& piece) { return piece.front().span.begin; });
  size_t num_groups = 0;
  for (const Piece& piece : pieces) num_groups += piece.size();
  std::vector<Groups::Span> spans;
  std::vector<std::shared_ptr<const Box>> boxes;
  spans.reserve(num_groups);
  for (Piece& piece : pieces) {
    for (Final& final : piece) {
      spans.push_back(final.span);
      if (final.box != nullptr) boxes.push_back(std::move(final.box));
    }
  }
  Groups groups(std::move(rows).TakeRows(), std::move(spans));
  groups.set_boxes(std::move(boxes));
  return groups;
}

}  // namespace

NodeRows::NodeRows(const Problem& problem, std::vector<RowId> order) : rows(std::move(order)) {
  std::vector<WorkingRows::Added> added;
  for (size_t i = 0; i < problem.num_quasi(); ++i) added.push_back({&problem.quasi(i), {}, 0});
  first_sensitive = static_cast<uint32_t>(added.size());
  if (problem.checker.needs_values()) {
    for (const CountedColumn& sensitive : problem.checker.sensitive()) {
      added.push_back({&problem.table.column(sensitive.column), sensitive.mark_of_code, sensitive.num_marks()});
    }
  }
  first_label = static_cast<uint32_t>(added.size());
  std::vector<std::vector<Code>> value_of_code;
  for (const ColumnId label : problem.roles.label) {
    const Column& column = problem.table.column(label);
    std::vector<Code>& values = value_of_code.emplace_back(column.num_codes());
    for (Code code = 0; code < column.num_codes(); ++code) values[code] = column.value_id(code);
    added.push_back({&column, values, column.num_values()});
  }
  rows.AddColumns(added, problem.workers);
}

Groups SplitAll(const Problem& problem, const Groups& groups, const SplitChooser& chooser, std::string_view stage) {
  return SplitAll(problem, groups, chooser, stage, NodeRows(problem, groups));
}

Groups SplitAll(const Problem& problem, const Groups& groups, const SplitChooser& chooser, std::string_view stage,
                NodeRows rows) {
  problem.progress.Begin(stage, rows.rows.num_positions());
  std::vector<Node> roots;
  for (const Groups::Span& span : groups.spans()) {
    const auto id = static_cast<GroupId>(roots.size());
    roots.push_back({span.begin, span.end, 0, id, nullptr, groups.box(id)});
  }
  std::mutex mutex;
  std::vector<Piece> pieces;
  SplitLarge(problem, chooser, rows, roots, pieces);

  const auto work = [&](Load load, const std::function<void(Load)>& push) {
    const std::unique_ptr<SplitScratch> scratch = chooser.MakeScratch();
    std::vector<Piece> found;
    std::vector<Node> children;
    if (load.front().size() < kSmallNode) {
      found.push_back(SplitSmall(problem, chooser, rows, load, *scratch));
    } else if (!SplitNode(problem, chooser, rows, load.front(), *scratch, children)) {
      found.push_back({{{load.front().begin, load.front().end}, load.front().box}});
    }
    // Other threads begin with the large ones meanwhile.
    for (const Node& child : children) {
      if (child.size() >= kSmallNode) push({child});
    }
    for (const Node& child : children) {
      if (child.size() < kSmallNode) found.push_back(SplitSmall(problem, chooser, rows, {&child, 1}, *scratch));
    }
    uint64_t done = 0;
    for (const Piece& piece : found) done += piece.back().span.end - piece.front().span.begin;
    problem.progress.Advance(done);
    std::lock_guard lock(mutex);
    pieces.insert(pieces.end(), std::move_iterator(found.begin()), std::move_iterator(found.end()));
  };
  problem.workers.Drain<Load>(LoadsOf(std::move(roots)), work);
  if (groups.masked()) TADA_ASSERT(false);  // masked rows are set aside after splitting, never before
  return GroupsOf(std::move(pieces), std::move(rows.rows));
}

}  // namespace tada
