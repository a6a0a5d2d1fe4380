// What releases by saved cuts promise, for every method that cuts and every requirement: the audit passes them, every row is released once or
// counted as withheld, and the rows that the cuts were made of get their own cells again.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "audit/audit.h"
#include "cuts/take_cuts.h"
#include "partition/registry.h"
#include "privacy/check/requirements.h"
#include "property/random_case.h"
#include "run/apply/apply_cuts.h"
#include "run/audit/audit_release.h"
#include "table/column_builder.h"

namespace tada::testing {
namespace {

// Some rows of a table with dictionaries of their own, as if they came from a file.
Table Part(const Table& table, size_t begin, size_t end) {
  std::vector<Column> columns;
  for (const Column& column : table.columns()) {
    ColumnOptions options;
    options.kind = column.kind();
    options.merge_missing = true;
    ColumnBuilder builder(column.name(), options);
    for (size_t row = begin; row < end; ++row) builder.AppendText(column.text(column.codes()[row]));
    columns.push_back(std::move(builder.Finish()).value());
  }
  return Table(std::move(columns));
}

// A column that names people, who have one to three rows.
Column People(size_t rows) {
  ColumnBuilder builder("p", {.kind = Kind::kCategorical});
  size_t person = 0;
  for (size_t row = 0; row < rows; ++row) {
    if (*rc::gen::inRange(0, 3) > 0) ++person;
    builder.AppendText(fmt::format("person {}", person));
  }
  return std::move(builder.Finish()).value();
}

struct ApplyCase {
  Table first, second;
  Plan plan;
};

ApplyCase DrawApplyCase() {
  Case c = DrawCase({.max_rows = 120, .max_controllers = 1});
  if (!c.plan.sensitive.empty()) {
    using Asked = std::pair<std::string, std::string>;
    const auto more = *rc::gen::elementOf(
        std::vector<Asked>{{"", ""}, {"closeness", "0.3"}, {"likeness", "1"}, {"disclosure", "1.5"}, {"alpha", "0.7"}});
    OptionValues values;
    if (!more.first.empty()) {
      values.Set(more.first, {more.second});
      values.Set("k", {std::to_string(c.plan.requirement.k)});
      c.plan.requirement = {};
      RC_ASSERT(ReadRequirement(values, c.plan.requirement).ok());
    }
  }
  std::vector<Column> columns = c.table.columns();
  columns.push_back(People(c.table.num_rows()));
  const Table table(std::move(columns));
  if (*rc::gen::inRange(0, 3) == 0) {
    c.plan.person = {{.name = "p"}};
    c.plan.requirement.persons = Persons::kTogether;
  }
  const size_t middle = table.num_rows() / 2;
  return {Part(table, 0, middle), Part(table, middle, table.num_rows()), std::move(c.plan)};
}

// Calls body(plan) for every method whose cuts can be saved, and every task that it serves.
template <class Body>
void ForEveryCut(const Plan& drawn, const Body& body) {
  for (const MethodEntry& method : Methods()) {
    for (const Task task : method.tasks.empty() ? std::vector<Task>{Task::kNone} : method.tasks) {
      Plan plan = WithMethod(drawn, method, task);
      if (!CanSaveCuts(plan, task, plan.method).ok()) continue;
      const bool boxes = method.has_boxes != nullptr && method.has_boxes({task, plan.method_options});
      plan.range_cut = boxes && *rc::gen::arbitrary<bool>();
      body(plan);
    }
  }
}

Result<Anonymized> Cut(const Table& table, const Plan& plan) {
  NoProgress silent;
  return Anonymize(table, plan, Workers(1), silent, true);
}

// By the file, as another program would.
Result<Anonymized> Apply(const Cuts& cuts, const Table& table, const ApplyOptions& options, Plan& plan) {
  const auto read = ReadCutsText(CutsJson(cuts), "cuts.json");
  RC_ASSERT(read.ok());
  RC_ASSERT(CutsJson(*read) == CutsJson(cuts));
  auto planned = PlanOfCuts(*read, "cuts.json", {});
  RC_ASSERT(planned.ok());
  plan = *std::move(planned);
  NoProgress silent;
  return ApplyCuts(table, plan, *read, options, Workers(2), silent);
}

void AuditPasses(const Table& table, const Plan& plan, const Anonymized& made) {
  Outcome outcome;
  RC_ASSERT(AuditRelease(Texts(made.release), table, plan, made, Workers(1), outcome).ok());
  for (const std::string& problem : outcome.verdict.problems) RC_LOG() << problem << "\n";
  RC_ASSERT(outcome.verdict.passed);
  std::vector<RowId> rows = made.release.row_order;
  std::sort(rows.begin(), rows.end());
  RC_ASSERT(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
  RC_ASSERT(rows.size() + made.withheld.size() == table.num_rows());
}

RC_GTEST_PROP(SavedCuts, ReleaseOtherRowsSoThatTheAuditPasses, ()) {
  const ApplyCase c = DrawApplyCase();
  ForEveryCut(c.plan, [&](const Plan& plan) {
    RC_LOG() << Describe({c.first, plan}) << Describe({c.second, plan});
    const auto cut = Cut(c.first, plan);
    if (!cut.ok()) return;
    for (const Misfits misfits : {Misfits::kUp, Misfits::kWithhold}) {
      Plan applied_plan;
      const auto made = Apply(*cut->cuts, c.second, {misfits, false}, applied_plan);
      if (!made.ok()) RC_ASSERT(made.error().code == ErrorCode::kInfeasible);
      if (made.ok()) AuditPasses(c.second, applied_plan, *made);
    }
    if (ComparesDistributions(plan.requirement) && !plan.person.empty()) return;
    Plan applied_plan;
    const auto appended = Apply(*cut->cuts, c.second, {Misfits::kWithhold, true}, applied_plan);
    if (appended.ok()) AuditPasses(c.second, applied_plan, *appended);
  });
}

RC_GTEST_PROP(SavedCuts, GiveTheirOwnRowsTheSameCellsAgain, ()) {
  const ApplyCase c = DrawApplyCase();
  ForEveryCut(c.plan, [&](const Plan& plan) {
    if (plan.task == Task::kClustering) return;  // clusters are repaired after rows went to the nearest mean
    RC_LOG() << Describe({c.first, plan});
    const auto cut = Cut(c.first, plan);
    if (!cut.ok() || cut->groups.masked()) return;
    Plan applied_plan;
    const auto again = Apply(*cut->cuts, c.first, {}, applied_plan);
    RC_ASSERT(again.ok());
    AuditPasses(c.first, applied_plan, *again);
    if (!plan.person.empty()) return;  // rows of a person that reach beyond her box are released above it
    RC_ASSERT(again->withheld.empty());
    const Table before = Texts(cut->release), after = Texts(again->release);
    for (ColumnId id = 0; id < before.num_columns(); ++id) {
      for (RowId row = 0; row < before.num_rows(); ++row) {
        RC_ASSERT(before.column(id).text(before.column(id).codes()[row]) ==
                  after.column(id).text(after.column(id).codes()[row]));
      }
    }
  });
}

}  // namespace
}  // namespace tada::testing
