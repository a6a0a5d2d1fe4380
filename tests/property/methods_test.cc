// What every registered method promises, on random tables and with random options: a method is tested the moment it stands in
// the registry.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "audit/audit.h"
#include "base/random.h"
#include "partition/registry.h"
#include "property/random_case.h"
#include "run/bind/canonical_rows.h"
#include "score/scorecard.h"
#include "table/select_rows.h"

namespace tada::testing {
namespace {

// Calls body(plan) for every method and every task it serves; options of the method are drawn.
template <class Body>
void ForEveryMethod(const Case& c, const Body& body) {
  for (const MethodEntry& method : Methods()) {
    const std::vector<Task> tasks = method.tasks.empty() ? std::vector<Task>{Task::kNone} : method.tasks;
    for (const Task task : tasks) {
      Plan plan = WithMethod(c.plan, method, task);
      if (task == Task::kClassification && *rc::gen::arbitrary<bool>())
        plan.label.push_back({.name = "z", .kind = Kind::kNumeric, .weight = 0.5});
      for (const OptionSpec& option : method.options) {
        if (method.serves != nullptr && !method.serves(option, task)) continue;
        if (option.type == OptionType::kFlag)
          plan.method_options.Set(option.name, {*rc::gen::element<std::string>("true", "false")});
        if (option.choices.empty() || option.type == OptionType::kFlag) continue;
        if (option.type == OptionType::kInteger && *rc::gen::arbitrary<bool>()) continue;  // a word instead of a number
        plan.method_options.Set(option.name, {std::string(*rc::gen::elementOf(option.choices))});
      }
      DrawLabelShare(method, plan);
      if (!method.make({task, plan.method_options}).ok()) plan.method_options = {};  // do not go together for this task
      const bool boxes = method.has_boxes != nullptr && method.has_boxes({task, plan.method_options});
      plan.range_cut = boxes && *rc::gen::arbitrary<bool>();
      RC_LOG() << Describe({c.table, plan});
      body(plan);
    }
  }
}

Result<Anonymized> Run(const Table& table, const Plan& plan, int threads) {
  NoProgress silent;
  return Anonymize(table, plan, Workers(threads), silent);
}

// Whether every controller's rows as one group would meet the requirement: then, and only then, a release is possible.
bool Possible(const Table& table, const Plan& plan) {
  const auto bound = BindPlan(plan, table);
  RC_ASSERT(bound.ok());
  // Rows are dealt to controllers in an order that does not depend on that of the input.
  const auto rows = RowsAsSeen(table, plan, *bound);
  const Table dealt = rows ? SelectRows(table, *rows) : table;
  const auto controllers = FindControllers(plan, *bound, dealt);
  if (!controllers.ok()) return false;
  return std::all_of(controllers->begin(), controllers->end(), [&](const Controller& controller) {
    return NaiveHolds(dealt, bound->roles.sensitive, controller.rows, controller.requirement);
  });
}

AuditOptions OptionsFor(const Table& released, const Table& original, const Plan& plan) {
  AuditOptions options;
  options.requirement = plan.requirement;
  options.original = &original;
  for (const Column& column : released.columns()) options.original_column.push_back(original.Find(column.name()));
  for (const PlannedColumn& column : plan.quasi) options.quasi.push_back(released.Find(column.name).value());
  for (const PlannedColumn& column : plan.sensitive) options.sensitive.push_back(released.Find(column.name).value());
  return options;
}

bool SameCells(const Release& a, const Release& b) {
  if (a.row_order != b.row_order) return false;
  const Table left = Texts(a), right = Texts(b);
  for (ColumnId id = 0; id < left.num_columns(); ++id) {
    for (size_t row = 0; row < left.num_rows(); ++row) {
      if (left.column(id).text(left.column(id).codes()[row]) != right.column(id).text(right.column(id).codes()[row]))
        return false;
    }
  }
  return left.num_columns() == right.num_columns();
}

RC_GTEST_PROP(EveryMethod, ReleasesWheneverItIsPossibleAndSaysInfeasibleOtherwise, ()) {
  const Case c = DrawCase({});
  ForEveryMethod(c, [&](const Plan& plan) {
    const auto made = Run(c.table, plan, 1);
    const bool possible = Possible(c.table, plan);
    RC_CLASSIFY(possible, "possible");
    RC_ASSERT(made.ok() == possible);
    if (!made.ok()) RC_ASSERT(made.error().code == ErrorCode::kInfeasible);
  });
}

RC_GTEST_PROP(EveryMethod, CoversEveryRowOnceInGroupsThatMeetTheRequirement, ()) {
  const Case c = DrawCase({});
  ForEveryMethod(c, [&](const Plan& plan) {
    const auto made = Run(c.table, plan, 1);
    if (!made.ok()) return;
    std::vector<RowId> rows = made->groups.order();
    std::vector<RowId> released = made->release.row_order;
    std::vector<RowId> all(c.table.num_rows());
    std::iota(all.begin(), all.end(), 0u);
    std::sort(rows.begin(), rows.end());
    std::sort(released.begin(), released.end());
    RC_ASSERT(rows == all);
    RC_ASSERT(released == all);
    for (GroupId group = 0; group < made->groups.num_groups(); ++group) {
      const auto members = made->groups.rows(group);
      RC_ASSERT(NaiveHolds(c.table, made->bound.roles.sensitive, {members.begin(), members.end()}, plan.requirement));
    }
  });
}

RC_GTEST_PROP(EveryMethod, ReleasesWhatTheAuditPasses, ()) {
  const Case c = DrawCase({});
  ForEveryMethod(c, [&](const Plan& plan) {
    const auto made = Run(c.table, plan, 2);
    if (!made.ok()) return;
    const Table released = Texts(made->release);
    AuditOptions options = OptionsFor(released, c.table, plan);
    const auto searched = Audit(released, options, Workers(1));
    options.order = std::make_shared<const std::vector<RowId>>(made->release.row_order);
    const auto told = Audit(released, options, Workers(2));
    RC_ASSERT(searched.ok());
    RC_ASSERT(told.ok());
    for (const std::string& problem : told->problems) RC_LOG() << problem << "\n";
    RC_ASSERT(told->passed);
    RC_ASSERT(searched->passed);
    RC_ASSERT(told->k == searched->k);
  });
}

RC_GTEST_PROP(EveryMethod, GivesTheSameReleaseAtAnyNumberOfThreads, ()) {
  const Case c = DrawCase({.max_rows = 200});
  ForEveryMethod(c, [&](const Plan& plan) {
    const auto one = Run(c.table, plan, 1);
    const auto two = Run(c.table, plan, 2);
    RC_ASSERT(one.ok() == two.ok());
    if (one.ok()) RC_ASSERT(SameCells(one->release, two->release));
  });
}

// What is released, row by row, in the order of the file.
std::vector<std::vector<std::string>> ReleasedRows(const Release& release) {
  const Table texts = Texts(release);
  std::vector<std::vector<std::string>> rows;
  for (size_t row = 0; row < texts.num_rows(); ++row) {
    std::vector<std::string> cells;
    for (const Column& column : texts.columns()) cells.emplace_back(column.text(column.codes()[row]));
    rows.push_back(std::move(cells));
  }
  return rows;
}

Table Shuffled(const Table& table) {
  std::vector<RowId> rows(table.num_rows());
  std::iota(rows.begin(), rows.end(), RowId{0});
  Random(*rc::gen::arbitrary<uint64_t>()).Shuffle(std::span(rows));
  return SelectRows(table, rows);
}

RC_GTEST_PROP(EveryMethod, ReleasesTheSameFileHoweverTheInputIsOrdered, ()) {
  const Case c = DrawCase({.max_rows = 120});
  const Table shuffled = Shuffled(c.table);
  ForEveryMethod(c, [&](const Plan& plan) {
    const MethodEntry& method = *FindMethod(plan.method);
    if (method.row_order != nullptr && method.row_order({plan.task.value(), plan.method_options}) == RowOrder::kInput) {
      RC_ASSERT(!method.order_matters.empty());
      return;
    }
    const auto one = Run(c.table, plan, 1), two = Run(shuffled, plan, 1);
    RC_ASSERT(one.ok() == two.ok());
    if (one.ok()) RC_ASSERT(ReleasedRows(one->release) == ReleasedRows(two->release));
  });
}

RC_GTEST_PROP(EveryMethod, LosesNothingWhenNothingIsRequired, ()) {
  Case c = DrawCase({.diverse = false, .max_controllers = 1});
  c.plan.requirement.k = 1;
  ForEveryMethod(c, [&](const Plan& plan) {
    const auto made = Run(c.table, plan, 1);
    RC_ASSERT(made.ok());
    RC_PRE(!made->stages.empty());
    if (plan.range_cut) return;  // boxes are as wide as the cuts leave them
    if (made->stages.back() == "mondrian" || made->stages.back() == "infogain" || made->stages.back() == "regression")
      RC_ASSERT(Score(made->release, Workers(1)).ncp == 0.0);
  });
}

RC_GTEST_PROP(EveryMethod, RefusesMoreThanThereAreRows, ()) {
  Case c = DrawCase({.diverse = false, .max_controllers = 1});
  c.plan.requirement.k = static_cast<int64_t>(c.table.num_rows()) + *rc::gen::inRange(1, 5);
  ForEveryMethod(c, [&](const Plan& plan) {
    const auto made = Run(c.table, plan, 1);
    RC_ASSERT(!made.ok());
    RC_ASSERT(made.error().code == ErrorCode::kInfeasible);
    const std::string said = made.error().message + made.error().hint;
    RC_ASSERT(said.find(std::to_string(c.table.num_rows())) != std::string::npos);
  });
}

// The table with all columns but the quasi-identifiers dealt to other rows.
Table WithOtherValues(const Table& table) {
  const Table dealt = Shuffled(table);
  std::vector<Column> columns;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    const bool known = table.column(id).name().starts_with("q");
    columns.push_back((known ? table : dealt).column(id));
  }
  return Table(std::move(columns));
}

std::set<std::set<RowId>> RowsOfGroups(const Groups& groups) {
  std::set<std::set<RowId>> sets;
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    sets.emplace(groups.rows(group).begin(), groups.rows(group).end());
  }
  return sets;
}

RC_GTEST_PROP(EveryMethod, FormsTheSameGroupsWhateverTheValuesAreIfItIsToBeSafe, ()) {
  const Case c = DrawCase({});
  const Table other = WithOtherValues(c.table);
  ForEveryMethod(c, [&](Plan plan) {
    const MethodEntry& method = *FindMethod(plan.method);
    plan.safe = plan.requirement.k + *rc::gen::inRange(0, 12);
    const bool can = method.by_quasi_alone != nullptr && method.by_quasi_alone({*plan.task, plan.method_options});
    const auto one = Run(c.table, plan, 1), two = Run(other, plan, 2);
    if (!can) RC_ASSERT(!one.ok());
    if (!one.ok() || !two.ok()) return;
    RC_ASSERT(RowsOfGroups(one->groups) == RowsOfGroups(two->groups));
    for (GroupId group = 0; group < one->groups.num_groups(); ++group) {
      RC_ASSERT(one->groups.rows(group).size() >= static_cast<size_t>(plan.safe));
    }
  });
}

// A table of `rows` rows with q0 constant and s0 constant.
Case ConstantCase(int rows) {
  Case c;
  std::vector<Column> columns;
  for (const std::string name : {"q0", "q1", "s0", "y", "z"}) {
    ColumnBuilder builder(name, ColumnOptions{});
    for (int row = 0; row < rows; ++row)
      builder.AppendText(name == "q1" ? std::to_string(row) : name == "z" ? "7" : "same");
    columns.push_back(std::move(builder.Finish()).value());
  }
  c.table = Table(std::move(columns));
  c.plan.quasi = {{.name = "q0"}, {.name = "q1"}};
  c.plan.sensitive = {{.name = "s0"}};
  c.plan.requirement.k = 2;
  return c;
}

RC_GTEST_PROP(EveryMethod, TakesConstantColumns, ()) {
  const Case c = ConstantCase(*rc::gen::inRange(2, 30));
  ForEveryMethod(c, [&](const Plan& plan) {
    const auto made = Run(c.table, plan, 1);
    RC_ASSERT(made.ok());
    const Scorecard score = Score(made->release, Workers(1));
    RC_ASSERT(score.per_column.front().second == 0.0);
  });
}

RC_GTEST_PROP(EveryMethod, RefusesDiversityOfOneSensitiveValue, ()) {
  Case c = ConstantCase(*rc::gen::inRange(2, 30));
  c.plan.requirement.l = 2;
  c.plan.requirement.diversity = *rc::gen::element(Diversity::kDistinct, Diversity::kEntropy, Diversity::kRecursive);
  ForEveryMethod(c, [&](const Plan& plan) {
    const auto made = Run(c.table, plan, 1);
    RC_ASSERT(!made.ok());
    RC_ASSERT(made.error().code == ErrorCode::kInfeasible);
  });
}

}  // namespace
}  // namespace tada::testing
