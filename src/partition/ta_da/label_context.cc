#include "partition/ta_da/label_context.h"

#include <algorithm>
#include <map>

#include "partition/ta_da/tree_stage.h"

namespace tada {
namespace {

constexpr Code kMostClasses = 64;        // every class of every context has a counter per value of every column
constexpr size_t kMostContexts = 16;     // more would each have too few rows to say anything
constexpr uint64_t kLeastContext = 100;  // rows
constexpr Code kMostNames = 32;          // names that hardly ever occur twice tell labels by chance

bool TakesContexts(const LabelView& label) { return !label.numeric() && label.num_values <= kMostClasses; }

// Numbers the combinations of sensitive values that occur; none if they are too many.
Contexts BySensitiveValue(const Problem& problem, const Groups& groups) {
  std::map<std::vector<Code>, Code> numbers;
  std::vector<Code> values;
  Contexts contexts{.of_row = std::vector<Code>(problem.table.num_rows(), 0)};
  for (const RowId row : groups.order()) {
    values.clear();
    for (const ColumnId id : problem.roles.sensitive) {
      const Column& column = problem.table.column(id);
      values.push_back(column.value_id(column.codes()[row]));
    }
    contexts.of_row[row] = numbers.try_emplace(values, static_cast<Code>(numbers.size())).first->second;
    if (numbers.size() > kMostContexts) return {};
  }
  // By value, not by appearance: sums over contexts round the same however the rows are ordered.
  std::vector<Code> ordered(numbers.size());
  for (Code next = 0; const auto& [combination, number] : numbers) ordered[number] = next++;
  for (const RowId row : groups.order()) contexts.of_row[row] = ordered[contexts.of_row[row]];
  contexts.count = static_cast<Code>(std::max<size_t>(1, numbers.size()));
  return contexts;
}

// The leaves of a tree that asks for as many rows in each as leave few of them.
Contexts BySmallTree(const Problem& problem, const Groups& groups) {
  Roles roles{.label = problem.roles.label};
  for (const std::vector<ColumnId>* columns : {&problem.roles.sensitive, &problem.roles.keep}) {
    for (const ColumnId id : *columns) {
      const Column& column = problem.table.column(id);
      if (column.kind() != Kind::kCategorical || column.num_values() <= kMostNames) roles.quasi.push_back(id);
    }
  }
  Contexts contexts{.of_row = std::vector<Code>(problem.table.num_rows(), 0)};
  if (roles.quasi.empty()) return contexts;
  const Groups all = Groups::One(std::vector<RowId>(groups.order()));
  Requirement requirement;
  requirement.k = static_cast<int64_t>(std::max<uint64_t>(kLeastContext, all.num_rows() / kMostContexts + 1));
  const Checker checker(requirement, problem.table, std::vector<ColumnId>{}, all.order());
  const OptionValues options;
  StageNotes notes;
  NoProgress progress;
  const Problem small{problem.table,
                      roles,
                      problem.task,
                      problem.label_weights,
                      checker,
                      options,
                      problem.seed,
                      problem.workers,
                      progress,
                      notes,
                      FindDomains(problem.table, roles, all.order(), problem.workers)};
  const Groups leaves = MakeTreeStage({})->Refine(small, all).value();
  for (GroupId leaf = 0; leaf < leaves.num_groups(); ++leaf) {
    for (const RowId row : leaves.rows(leaf)) contexts.of_row[row] = leaf;
  }
  contexts.count = leaves.num_groups();
  return contexts;
}

}  // namespace

Contexts FindContexts(const Problem& problem, const Groups& groups) {
  if (problem.roles.keep.empty()) {
    Contexts contexts = BySensitiveValue(problem, groups);
    if (!contexts.of_row.empty()) return contexts;
  }
  return BySmallTree(problem, groups);
}

void AddContexts(const Problem& problem, const Contexts& contexts, NodeRows& rows, std::vector<LabelView>& labels) {
  if (contexts.count < 2) return;
  for (size_t t = 0; t < labels.size(); ++t) {
    LabelView& label = labels[t];
    if (!TakesContexts(label)) continue;
    const Column& column = problem.table.column(problem.roles.label[t]);
    std::vector<Code> code_of_row(contexts.of_row);
    for (const RowId row : rows.rows.rows()) {
      code_of_row[row] = code_of_row[row] * label.num_values + column.value_id(column.codes()[row]);
    }
    label.num_values *= contexts.count;
    label.contexts = contexts.count;
    label.column = rows.rows.AddCodes(code_of_row, label.num_values);
  }
  NumberClasses(labels);
}

void AddClassWeights(const NodeRows& rows, std::vector<LabelView>& labels) {
  for (LabelView& label : labels) {
    if (!TakesContexts(label)) continue;
    std::vector<uint64_t> counts(label.num_values, 0);
    rows.rows.Visit(label.column, 0, rows.rows.num_positions(), [&](auto values) {
      for (const auto value : values) ++counts[value];
    });
    const auto classes = static_cast<double>(std::ranges::count_if(counts, [](uint64_t count) { return count > 0; }));
    const auto all = static_cast<double>(rows.rows.num_positions());
    label.class_weights.assign(label.num_values, 0.0);
    for (Code c = 0; c < label.num_values; ++c) {
      if (counts[c] > 0) label.class_weights[c] = all / classes / static_cast<double>(counts[c]);
    }
  }
  NumberClasses(labels);
}

}  // namespace tada
