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
                std::vector<Final>& finals) {
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
        finals.push_back({{node.begin, node.end}, node.box});
        problem.progress.Advance(node.size());
        continue;
      }
      for (Node& child : children) (too_large(child) ? next : fitting).push_back(std::move(child));
    }
  }
  if (!fitting.empty()) problem.progress.Tell("groups that fit into memory");
  nodes = std::move(fitting);
}

}  // namespace

NodeRows::NodeRows(const Problem& problem, const Groups& groups) : rows(groups) {
  for (size_t i = 0; i < problem.num_quasi(); ++i) rows.AddColumn(problem.quasi(i));
  first_sensitive = rows.num_columns();
  if (problem.checker.needs_values()) {
    for (const CountedColumn& sensitive : problem.checker.sensitive()) {
      rows.AddColumn(problem.table.column(sensitive.column), sensitive.mark_of_code, sensitive.num_marks());
    }
  }
  first_label = rows.num_columns();
  for (const ColumnId label : problem.roles.label) {
    const Column& column = problem.table.column(label);
    std::vector<Code> value_of_code(column.num_codes());
    for (Code code = 0; code < column.num_codes(); ++code) value_of_code[code] = column.value_id(code);
    rows.AddColumn(column, value_of_code, column.num_values());
  }
}

Groups SplitAll(const Problem& problem, const Groups& groups, const SplitChooser& chooser, std::string_view stage) {
  return SplitAll(problem, groups, chooser, stage, NodeRows(problem, groups));
}

Groups SplitAll(const Problem& problem, const Groups& groups, const SplitChooser& chooser, std::string_view stage,
                NodeRows rows) {
  problem.progress.Begin(stage, groups.num_rows());
  std::vector<Node> roots;
  for (const Groups::Span& span : groups.spans()) {
    const auto id = static_cast<GroupId>(roots.size());
    roots.push_back({span.begin, span.end, 0, id, nullptr, groups.box(id)});
  }
  std::mutex mutex;
  std::vector<Final> finals;
  SplitLarge(problem, chooser, rows, roots, finals);

  const auto work = [&](Node root, const std::function<void(Node)>& push) {
    const std::unique_ptr<SplitScratch> scratch = chooser.MakeScratch();
    std::vector<Node> stack{root};
    std::vector<Node> children;
    std::vector<Final> found;
    uint64_t done = 0;
    while (!stack.empty()) {
      const Node node = std::move(stack.back());
      stack.pop_back();
      if (!SplitNode(problem, chooser, rows, node, *scratch, children)) {
        found.push_back({{node.begin, node.end}, node.box});
        done += node.size();
        continue;
      }
      for (const Node& child : children) {
        if (child.size() >= kSmallNode) {
          push(child);
        } else {
          stack.push_back(child);
        }
      }
    }
    problem.progress.Advance(done);
    std::lock_guard lock(mutex);
    finals.insert(finals.end(), found.begin(), found.end());
  };
  problem.workers.Drain<Node>(std::move(roots), work);
  std::sort(finals.begin(), finals.end(), [](const Final& a, const Final& b) { return a.span.begin < b.span.begin; });
  std::vector<Groups::Span> spans;
  std::vector<std::shared_ptr<const Box>> boxes;
  for (Final& final : finals) {
    spans.push_back(final.span);
    if (final.box != nullptr) boxes.push_back(std::move(final.box));
  }
  Groups result(std::vector<RowId>(rows.rows.rows()), std::move(spans));
  result.set_boxes(std::move(boxes));
  if (groups.masked()) TADA_ASSERT(false);  // masked rows are set aside after splitting, never before
  return result;
}

}  // namespace tada
