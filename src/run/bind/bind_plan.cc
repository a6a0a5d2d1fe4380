#include "run/bind/bind_plan.h"

#include <algorithm>

#include "base/option_mark.h"
#include "base/words.h"
#include "partition/registry.h"
#include "privacy/models/max_risk.h"
#include "run/inspect/people.h"
#include "run/inspect/weights.h"

namespace tada {
namespace {

Result<std::vector<ColumnId>> FindColumns(const Table& table, const std::vector<PlannedColumn>& planned,
                                          std::string_view option) {
  std::vector<ColumnId> ids;
  for (const PlannedColumn& column : planned) {
    TADA_TRY(id, FindColumn(table, column.name, option));
    ids.push_back(id);
  }
  return ids;
}

Task TaskOfLabels(const Table& table, const Roles& roles) {
  if (roles.label.empty()) return Task::kNone;
  const bool numeric =
      std::all_of(roles.label.begin(), roles.label.end(), [&](ColumnId id) { return table.column(id).is_numeric(); });
  return numeric ? Task::kRegression : Task::kClassification;
}

// A task that was asked for must fit the label.
Status CheckTask(const Table& table, const BoundPlan& bound) {
  if (bound.task != Task::kRegression) return Ok();
  for (const ColumnId id : bound.roles.label) {
    const Column& label = table.column(id);
    if (label.is_numeric()) continue;
    return InvalidArgument(TADA_OPTION("task=regression") " needs a label of numbers: {} is {}", label.name(),
                           KindName(label.kind()))
        .WithHint("Name a numeric column with " TADA_OPTION("label") ", or leave " TADA_OPTION(
            "task") " out: names are predicted as classes.");
  }
  return Ok();
}

// What methods with such a list of tasks can serve, in words.
std::string TaskWords(const std::vector<Task>& tasks) {
  std::vector<std::string_view> names;
  for (const Task task : tasks) names.push_back(TaskName(task));
  return fmt::format("{}", fmt::join(names, " or "));
}

// The method that the plan names, or the usual one for the task; it has to serve the task.
Result<std::string> FindMethodFor(const Plan& plan, Task task) {
  std::string name = plan.method.empty() ? std::string(DefaultMethod(task)) : plan.method;
  const MethodEntry* method = FindMethod(name);
  if (method == nullptr) return InvalidArgument(TADA_OPTION("method") " names a method that does not exist: {}", name);
  if (method->tasks.empty() || std::ranges::find(method->tasks, task) != method->tasks.end()) return name;
  return InvalidArgument("Method {} cannot serve the task {}", name, TaskName(task))
      .WithHint(task == Task::kNone
                    ? std::string("Name the column a model will predict with " TADA_OPTION(
                          "label") ", or use " TADA_OPTION("method=mondrian") ".")
                    : fmt::format("It serves {}; see 'tada methods' for the others.", TaskWords(method->tasks)));
}

Result<Roles> BindRoles(const Plan& plan, const Table& table) {
  TADA_TRY(quasi, FindColumns(table, plan.quasi, "quasi"));
  TADA_TRY(sensitive, FindColumns(table, plan.sensitive, "sensitive"));
  TADA_TRY(label, FindColumns(table, plan.label, "label"));
  TADA_TRY(keep, FindColumns(table, plan.keep, "keep"));
  return Roles{std::move(quasi), std::move(sensitive), std::move(label), std::move(keep)};
}

// Pseudonyms and shifted dates are released as the table has them.
Status KeepHidden(const Plan& plan, const Table& table, std::vector<ColumnId>& keep) {
  TADA_TRY(pseudonym, FindColumns(table, plan.pseudonym, "pseudonym"));
  keep.insert(keep.end(), pseudonym.begin(), pseudonym.end());
  for (const Plan::ShiftedDates& dates : plan.shift_dates) {
    TADA_TRY(id, FindColumn(table, dates.name, "shift-dates"));
    keep.push_back(id);
  }
  return Ok();
}

// Numbers are checked here, where rows are still in the order of the input: a message says where they stand.
Status CheckWeights(const Plan& plan, const Table& table) {
  const Demand* risk = RiskDemand(plan.requirement);
  if (risk == nullptr || risk->column.empty() || risk->limit.empty()) return Ok();
  TADA_TRY(id, FindColumn(table, risk->column, "weights"));
  TADA_CHECK_OK(WeightOfCodes(table.column(id)));
  return Ok();
}

}  // namespace

Result<ColumnId> FindColumn(const Table& table, const std::string& name, std::string_view option) {
  if (const auto id = table.Find(name)) return *id;
  std::vector<std::string> known;
  for (const Column& column : table.columns()) known.push_back(column.name());
  const auto nearest = NearestName(name, known);
  return InvalidArgument(TADA_OPTION("{}") " names a column that the input does not have: {}", option, name)
      .WithHint(nearest ? fmt::format("Did you mean '{}'?", *nearest)
                        : fmt::format("Columns: {}", fmt::join(known, ", ")));
}

Result<BoundPlan> BindPlan(const Plan& plan, const Table& table) {
  BoundPlan bound;
  TADA_TRY(roles, BindRoles(plan, table));
  bound.roles = std::move(roles);
  TADA_TRY(person, FindColumns(table, plan.person, "person"));
  bound.person = std::move(person);
  for (const std::string& name : OwnKColumns(plan)) {
    TADA_TRY(id, FindColumn(table, name, "k-column"));
    bound.k_column = id;
    TADA_CHECK_OK(OwnKOfCodes(table.column(id)));
  }
  TADA_CHECK_OK(CheckWeights(plan, table));
  TADA_CHECK_OK(KeepHidden(plan, table, bound.roles.keep));
  if (!plan.controller_column.empty()) {
    TADA_TRY(id, FindColumn(table, plan.controller_column, "controller-column"));
    bound.controller_column = id;
  }
  bound.task = plan.task.value_or(TaskOfLabels(table, bound.roles));
  TADA_CHECK_OK(CheckTask(table, bound));
  TADA_TRY(method, FindMethodFor(plan, bound.task));
  bound.method = std::move(method);
  return bound;
}

}  // namespace tada
