#include "partition/engine/split_engine.h"

#include <algorithm>
#include <mutex>

#include "base/disk/spill.h"

namespace tada {
namespace {

constexpr uint32_t kSmallNode = 4096;  // positions; below this a node is finished by the thread that has it

// Splits one node as the chooser says; false if it is final.
bool SplitNode(const SplitChooser& chooser, NodeRows& rows, const Node& node, SplitScratch& scratch,
               std::vector<Node>& children) {
  children.clear();
  const uint32_t num_children = chooser.Choose(rows, node, scratch);
  if (num_children == 0) return false;
  const std::vector<uint32_t> begins = rows.rows.Partition(node.begin, node.end, scratch.child, num_children);
  for (uint32_t c = 0; c < num_children; ++c) {
    children.push_back({begins[c], begins[c + 1], node.depth + 1, node.id, nullptr});
  }
  chooser.OnSplit(rows, node, scratch, children);
  return true;
}

// Level by level, splits the nodes that are too large for the memory there is; what is left of `nodes` then fits, node by
// node, and is finished without coming back to the disk. Nothing to do if all fits.
void SplitLarge(const Problem& problem, const SplitChooser& chooser, NodeRows& rows, std::vector<Node>& nodes,
                std::vector<Groups::Span>& finals) {
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
      if (!SplitNode(chooser, rows, node, *scratch, children)) {
        finals.push_back({node.begin, node.end});
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
    roots.push_back({span.begin, span.end, 0, static_cast<uint32_t>(roots.size()), nullptr});
  }
  std::mutex mutex;
  std::vector<Groups::Span> finals;
  SplitLarge(problem, chooser, rows, roots, finals);

  const auto work = [&](Node root, const std::function<void(Node)>& push) {
    const std::unique_ptr<SplitScratch> scratch = chooser.MakeScratch();
    std::vector<Node> stack{root};
    std::vector<Node> children;
    std::vector<Groups::Span> found;
    uint64_t done = 0;
    while (!stack.empty()) {
      const Node node = std::move(stack.back());
      stack.pop_back();
      if (!SplitNode(chooser, rows, node, *scratch, children)) {
        found.push_back({node.begin, node.end});
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
  std::sort(finals.begin(), finals.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  Groups result(std::vector<RowId>(rows.rows.rows()), std::move(finals));
  if (groups.masked()) TADA_ASSERT(false);  // masked rows are set aside after splitting, never before
  return result;
}

}  // namespace tada
