// --max-risk over random weights and sampling: checker, audit and a third reading, term by term from the distribution, agree; every
// method keeps it, also for controllers.

#include "privacy/models/max_risk.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>

#include "audit/audit.h"
#include "partition/registry.h"
#include "privacy/check/checker.h"
#include "property/random_case.h"
#include "run/inspect/weights.h"
#include "table/column_builder.h"

namespace tada::testing {
namespace {

// The mean of 1/j where j is negative binomial: f successes of chance f / people.
double NaiveRisk(size_t members, double people) {
  const auto f = static_cast<double>(members);
  if (people <= f) return 1 / f;
  const double p = f / people;
  double sum = 0, chance = std::pow(p, f);
  for (double j = f; j < people * 60 + 500; ++j) {
    sum += chance / j;
    chance *= j / (j - f + 1) * (1 - p);
  }
  return sum;
}

// A case with weights between 0.5 and 20 in a column `weight`, or a population, and a limit.
Case DrawRisky(const CaseLimits& limits) {
  Case c = DrawCase(limits);
  std::vector<Column> columns = c.table.columns();
  ColumnBuilder builder("weight", {.kind = Kind::kCategorical});
  for (size_t row = 0; row < c.table.num_rows(); ++row) {
    builder.AppendText(fmt::format("{}", *rc::gen::inRange(1, 40) / 2.0));
  }
  columns.push_back(std::move(builder.Finish()).value());
  c.table = Table(std::move(columns));
  Demand demand{.name = std::string(kMaxRisk), .limit = fmt::format("{:.2f}", *rc::gen::inRange(2, 60) / 100.0)};
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
    case 1:
      demand.column = "weight";
      break;
    case 2:
      demand.kind = "sampling";
      demand.values = {fmt::format("0.{}", *rc::gen::inRange(1, 10))};
      break;
    default:
      demand.kind = "population";
      demand.values = {fmt::format("{}", c.table.num_rows() * *rc::gen::inRange<size_t>(1, 9))};
  }
  c.plan.requirement.more.push_back(std::move(demand));
  c.plan.requirement.k = *rc::gen::inRange(1, 4);
  return c;
}

double PeopleOf(const Case& c, const std::vector<RowId>& rows) {
  const Demand& demand = c.plan.requirement.more.back();
  const auto members = static_cast<double>(rows.size());
  if (demand.kind == "sampling") return members / std::stod(demand.values[0]);
  if (demand.kind == "population")
    return members * std::stod(demand.values[0]) / static_cast<double>(c.table.num_rows());
  const Column& column = c.table.column(c.table.Find("weight").value());
  double people = 0;
  for (const RowId row : rows) people += std::stod(std::string(column.text(column.codes()[row])));
  return people;
}

// What is too near to the limit for two readings in floating point to agree about is left out.
bool TooNear(double risk, double limit) { return std::abs(risk / limit - 1) < 1e-8; }

CountedColumn CountedWeights(const Case& c) {
  const ColumnId id = c.table.Find("weight").value();
  CountedColumn counted = CountedColumns(c.table, {id}, c.plan.requirement).front();
  counted.own_k = WeightsOf(*std::exchange(counted.source, nullptr), counted.value_of_code, counted.num_values).value();
  counted.name = "weight";
  return counted;
}

RC_GTEST_PROP(MaxRisk, IsCheckedAndAuditedAsItIsDefined, ()) {
  Case c = DrawRisky({.max_rows = 40, .diverse = false, .max_controllers = 1});
  ColumnBuilder builder("class", {.kind = Kind::kCategorical});
  std::map<int, std::vector<RowId>> classes;
  std::vector<RowId> all;
  for (RowId row = 0; row < c.table.num_rows(); ++row) {
    const int number = *rc::gen::inRange(0, 4);
    classes[number].push_back(row);
    all.push_back(row);
    builder.AppendText(std::to_string(number));
  }
  std::vector<Column> columns = c.table.columns();
  columns.push_back(std::move(builder.Finish()).value());
  const Table released(std::move(columns));
  RC_LOG() << Describe(c);
  const Checker checker(c.plan.requirement, c.table, {CountedWeights(c)}, all);
  RC_ASSERT(checker.KeptByMerging());
  RC_ASSERT(checker.FailingIsInherited());
  const double limit = std::stod(c.plan.requirement.more.back().limit);
  uint64_t breaking = 0;
  bool sure = true;
  for (const auto& [number, rows] : classes) {
    const double risk = NaiveRisk(rows.size(), PeopleOf(c, rows));
    const bool exact = PeopleOf(c, rows) <= static_cast<double>(rows.size());
    if (!exact && TooNear(risk, limit)) {
      sure = false;
      continue;
    }
    const bool meets = static_cast<int64_t>(rows.size()) >= c.plan.requirement.k && risk <= limit * (1 + 1e-12);
    RC_ASSERT(checker.Holds(rows) == meets);
    RC_ASSERT(!meets || rows.size() >= checker.smallest_group());
    breaking += meets ? 0 : 1;
  }
  const auto verdict =
      Audit(released, {.quasi = {released.Find("class").value()}, .requirement = c.plan.requirement}, Workers(1));
  RC_ASSERT(verdict.ok());
  if (sure) RC_ASSERT(verdict->breaking_classes == breaking);
}

RC_GTEST_PROP(MaxRisk, IsKeptByEveryMethod, ()) {
  const Case c = DrawRisky({});
  for (const MethodEntry& method : Methods()) {
    Plan plan = WithMethod(c.plan, method, method.tasks.empty() ? Task::kNone : *rc::gen::elementOf(method.tasks));
    RC_LOG() << Describe({c.table, plan});
    NoProgress silent;
    const auto made = Anonymize(c.table, plan, Workers(1), silent);
    if (!made.ok()) {
      RC_ASSERT(made.error().code == ErrorCode::kInfeasible);
      continue;
    }
    for (GroupId group = 0; group < made->groups.num_groups(); ++group) {
      const auto span = made->groups.rows(group);
      const std::vector<RowId> rows(span.begin(), span.end());
      RC_ASSERT(NaiveRisk(rows.size(), PeopleOf(c, rows)) <=
                std::stod(c.plan.requirement.more.back().limit) * (1 + 1e-9));
    }
    const Table released = Texts(made->release);
    RC_ASSERT(!released.Find("weight"));
    AuditOptions options{.requirement = made->requirement};
    options.original = &c.table;
    options.order = std::make_shared<const std::vector<RowId>>(made->release.row_order);
    for (const Column& column : released.columns()) options.original_column.push_back(c.table.Find(column.name()));
    for (const PlannedColumn& column : plan.quasi) options.quasi.push_back(released.Find(column.name).value());
    for (const PlannedColumn& column : plan.sensitive) options.sensitive.push_back(released.Find(column.name).value());
    const auto verdict = Audit(released, options, Workers(1));
    RC_ASSERT(verdict.ok());
    for (const std::string& problem : verdict->problems) RC_LOG() << problem << "\n";
    RC_ASSERT(verdict->passed);
    RC_ASSERT(verdict->unverified.empty());
  }
}

}  // namespace
}  // namespace tada::testing
