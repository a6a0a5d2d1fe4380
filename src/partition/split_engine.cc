#include "partition/split_engine.h"

#include <algorithm>
#include <mutex>

namespace tada {
namespace {

constexpr uint32_t kSmallNode = 4096;  // positions; below this a node is finished by the thread that has it

}  // namespace

NodeRows::NodeRows(const Problem& problem, const Groups& groups) : rows(groups) {
  for (size_t i = 0; i < problem.num_quasi(); ++i) rows.AddColumn(problem.quasi(i));
  first_sensitive = rows.num_columns();
  if (problem.checker.needs_values()) {
    for (const Checker::Sensitive& sensitive : problem.checker.sensitive()) {
      rows.AddColumn(problem.table.column(sensitive.column), sensitive.value_of_code, sensitive.num_values);
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

  const auto work = [&](Node root, const std::function<void(Node)>& push) {
    const std::unique_ptr<SplitScratch> scratch = chooser.MakeScratch();
    std::vector<Node> stack{root};
    std::vector<Node> children;
    std::vector<Groups::Span> found;
    uint64_t done = 0;
    while (!stack.empty()) {
      const Node node = std::move(stack.back());
      stack.pop_back();
      const uint32_t num_children = chooser.Choose(rows, node, *scratch);
      if (num_children == 0) {
        found.push_back({node.begin, node.end});
        done += node.size();
        continue;
      }
      const std::vector<uint32_t> begins = rows.rows.Partition(node.begin, node.end, scratch->child, num_children);
      children.clear();
      for (uint32_t c = 0; c < num_children; ++c) {
        children.push_back({begins[c], begins[c + 1], node.depth + 1, node.id, nullptr});
      }
      chooser.OnSplit(rows, node, *scratch, children);
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
