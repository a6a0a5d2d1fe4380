// Requirements on sensitive values: the checker, the audit and a third reading, written here from the definitions for small
// tables, agree; joined groups hold; and every method keeps them.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "audit/audit.h"
#include "partition/registry.h"
#include "privacy/check/requirements.h"
#include "property/random_case.h"
#include "table/column_builder.h"

namespace tada::testing {
namespace {

using Counts = std::map<Code, int64_t>;

Counts CountOf(const Column& column, const std::vector<RowId>& rows) {
  Counts counts;
  for (const RowId row : rows) ++counts[column.value_id(column.codes()[row])];
  return counts;
}

int64_t At(const Counts& counts, Code value) {
  const auto found = counts.find(value);
  return found == counts.end() ? 0 : found->second;
}

// t-closeness times m N (V - 1), from the definition; V - 1 is 1 with equal distances.
bool NaivelyClose(const Counts& group, const Counts& all, int64_t m, int64_t n, bool ordered, int64_t limit,
                  int64_t scale) {
  int64_t work = 0, run = 0, positive = 0;
  for (const auto& [value, count] : all) {
    const int64_t extra = n * At(group, value) - m * count;
    positive += std::max<int64_t>(0, extra);
    run += extra;
    work += std::abs(run);
  }
  if (!ordered) return positive * scale <= limit * m * n;
  return work * scale <= limit * m * n * static_cast<int64_t>(all.size() - 1);
}

bool NaivelySpread(const Column& column, const std::vector<RowId>& rows, const std::string& kind, double limit) {
  std::vector<double> numbers;
  for (const RowId row : rows) {
    if (!column.is_missing(column.codes()[row])) numbers.push_back(column.number(column.codes()[row]));
  }
  if (numbers.empty()) return false;
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  if (kind == "range") return *high - *low >= limit;
  double sum = 0, squares = 0;  // of whole numbers: exact
  for (const double number : numbers) sum += number, squares += number * number;
  const auto m = static_cast<double>(numbers.size());
  return m * squares - sum * sum >= limit * m * m;
}

// Limits are tenths. Logarithms: no count of so small a table comes near them.
bool NaivelyMeets(const Column& column, const std::vector<RowId>& rows, const std::vector<RowId>& all,
                  const Demand& demand) {
  const Counts group = CountOf(column, rows), reference = CountOf(column, all);
  const auto m = static_cast<int64_t>(rows.size()), n = static_cast<int64_t>(all.size());
  const auto limit = std::llround(std::stod(demand.limit) * 10);
  if (demand.name == "closeness") return NaivelyClose(group, reference, m, n, demand.kind == "ordered", limit, 10);
  if (demand.name == "spread") return NaivelySpread(column, rows, demand.kind, std::stod(demand.limit));
  return std::all_of(reference.begin(), reference.end(), [&](const auto& counted) {
    const int64_t c = At(group, counted.first), of_all = counted.second;
    const double p = static_cast<double>(of_all) / static_cast<double>(n);
    const double q = static_cast<double>(c) / static_cast<double>(m);
    if (demand.name == "alpha") return c * 10 <= limit * m;
    if (demand.name == "disclosure") return c > 0 && std::abs(std::log(q / p)) < std::stod(demand.limit);
    const bool basic = n * c * 10 <= (10 + limit) * m * of_all;
    return basic && (demand.kind == "basic" || n * c <= m * of_all || q / p - 1 <= -std::log(p));
  });
}

Demand DrawDemand(const std::string& column, bool numeric) {
  std::vector<Demand> forms = {{.name = "closeness", .kind = "equal"},
                               {.name = "likeness", .kind = "basic"},
                               {.name = "likeness", .kind = "enhanced"},
                               {.name = "disclosure"},
                               {.name = "alpha"}};
  if (numeric) {
    for (const char* kind : {"range", "variance"}) forms.push_back({.name = "spread", .kind = kind});
    forms.push_back({.name = "closeness", .kind = "ordered"});
  }
  Demand demand = *rc::gen::elementOf(forms);
  demand.column = column;
  const bool wide = demand.name == "likeness" || demand.name == "disclosure" || demand.name == "spread";
  demand.limit = fmt::format("{:.1f}", *rc::gen::inRange(1, wide ? 30 : 10) / 10.0);
  return demand;
}

// A case with a sensitive column of names `v` and one of numbers `w`, and demands on them.
Case DrawDemanding(CaseLimits limits) {
  limits.diverse = false;
  Case c = DrawCase(limits);
  std::vector<Column> columns = c.table.columns();
  for (const bool numeric : {false, true}) {
    const std::string name = numeric ? "w" : "v";
    const Kind kind = numeric ? Kind::kNumeric : Kind::kCategorical;
    ColumnBuilder builder(name, {.kind = kind});
    const int values = *rc::gen::inRange(1, 5);
    for (size_t row = 0; row < c.table.num_rows(); ++row) {
      const int value = *rc::gen::inRange(0, values);
      builder.AppendText(numeric ? std::to_string(value * value) : std::string(1, static_cast<char>('a' + value)));
    }
    columns.push_back(std::move(builder.Finish()).value());
    c.plan.sensitive.push_back({.name = name, .kind = kind});
    if (*rc::gen::arbitrary<bool>()) c.plan.requirement.more.push_back(DrawDemand(name, numeric));
  }
  c.table = Table(std::move(columns));
  if (c.plan.requirement.more.empty()) c.plan.requirement.more.push_back(DrawDemand("v", false));
  c.plan.requirement.k = *rc::gen::inRange(1, 4);
  return c;
}

bool NaivelyMeetsAll(const Table& table, const std::vector<RowId>& rows, const std::vector<RowId>& all,
                     const Requirement& requirement) {
  if (static_cast<int64_t>(rows.size()) < requirement.k) return false;
  return std::ranges::all_of(requirement.more, [&](const Demand& demand) {
    return NaivelyMeets(table.column(table.Find(demand.column).value()), rows, all, demand);
  });
}

RC_GTEST_PROP(ValueModels, AreCheckedAndAuditedAsTheyAreDefined, ()) {
  Case c = DrawDemanding({.max_rows = 40, .max_controllers = 1});
  std::vector<RowId> all(c.table.num_rows());
  std::iota(all.begin(), all.end(), RowId{0});
  ColumnBuilder builder("class", {.kind = Kind::kCategorical});
  std::map<int, std::vector<RowId>> classes;
  for (const RowId row : all) {
    const int number = *rc::gen::inRange(0, 3);
    classes[number].push_back(row);
    builder.AppendText(std::to_string(number));
  }
  std::vector<Column> columns = c.table.columns();
  columns.push_back(std::move(builder.Finish()).value());
  const Table released(std::move(columns));
  const std::vector<ColumnId> sensitive = {released.Find("v").value(), released.Find("w").value()};
  RC_LOG() << Describe(c);
  const Checker checker(c.plan.requirement, released, sensitive);
  uint64_t breaking = 0;
  for (const auto& [number, rows] : classes) {
    const bool meets = NaivelyMeetsAll(released, rows, all, c.plan.requirement);
    RC_ASSERT(checker.Holds(rows) == meets);
    RC_ASSERT(!meets || rows.size() >= checker.smallest_group());
    breaking += meets ? 0 : 1;
  }
  const auto verdict = Audit(
      released, {.quasi = {released.Find("class").value()}, .sensitive = sensitive, .requirement = c.plan.requirement},
      Workers(1));
  RC_ASSERT(verdict.ok());
  RC_ASSERT(verdict->breaking_classes == breaking);
}

RC_GTEST_PROP(ValueModels, AreKeptByMerging, ()) {
  const Case c = DrawDemanding({.max_rows = 60, .max_controllers = 1});
  std::vector<RowId> left, right, both;
  for (RowId row = 0; row < c.table.num_rows(); ++row) {
    const int where = *rc::gen::inRange(0, 3);
    if (where == 0) left.push_back(row);
    if (where == 1) right.push_back(row);
    if (where < 2) both.push_back(row);
  }
  RC_LOG() << Describe(c);
  const Checker checker(c.plan.requirement, c.table, {c.table.Find("v").value(), c.table.Find("w").value()});
  RC_ASSERT(checker.KeptByMerging());
  if (left.empty() || right.empty()) return;
  RC_ASSERT(!checker.Holds(left) || !checker.Holds(right) || checker.Holds(both));
  if (!checker.FailingIsInherited() || checker.Holds(both)) return;
  RC_ASSERT(!checker.Holds(left));
  RC_ASSERT(!checker.Holds(right));
}

RC_GTEST_PROP(ValueModels, AreKeptByEveryMethod, ()) {
  Case c = DrawDemanding({});
  c.plan.requirement.reference = *rc::gen::element(ReferenceRows::kController, ReferenceRows::kTable);
  std::vector<RowId> all(c.table.num_rows());
  std::iota(all.begin(), all.end(), RowId{0});
  for (const MethodEntry& method : Methods()) {
    Plan plan = WithMethod(c.plan, method, method.tasks.empty() ? Task::kNone : *rc::gen::elementOf(method.tasks));
    DrawLabelShare(method, plan);
    RC_LOG() << Describe({c.table, plan});
    NoProgress silent;
    const auto made = Anonymize(c.table, plan, Workers(1), silent);
    if (!made.ok()) {
      RC_ASSERT(made.error().code == ErrorCode::kInfeasible);
      continue;
    }
    const bool of_table = plan.requirement.reference == ReferenceRows::kTable;
    for (const Controller& controller : made->controllers) {
      for (GroupId group = 0; group < made->groups.num_groups(); ++group) {
        const auto span = made->groups.rows(group);
        const std::vector<RowId> rows(span.begin(), span.end());
        if (std::ranges::find(controller.rows, rows.front()) == controller.rows.end()) continue;
        RC_ASSERT(NaivelyMeetsAll(c.table, rows, of_table ? all : controller.rows, plan.requirement));
      }
    }
    if (made->controllers.size() > 1 && !of_table) continue;
    // The union of controllers that agreed on what to compare with meets the requirement too.
    const Table released = Texts(made->release);
    AuditOptions options{.requirement = plan.requirement};
    std::erase_if(options.requirement.more, [](const Demand& demand) { return demand.column == "w"; });  // read as text
    for (const PlannedColumn& column : plan.quasi) options.quasi.push_back(released.Find(column.name).value());
    options.sensitive = {released.Find("v").value()};
    const auto verdict = Audit(released, options, Workers(1));
    RC_ASSERT(verdict.ok());
    RC_ASSERT(verdict->passed);
  }
}

// What one demand asks is what another asks, or part of it.
RC_GTEST_PROP(ValueModels, AgreeWhereTheyShould, ()) {
  const Case c = DrawDemanding({.max_rows = 40, .max_controllers = 1});
  const Column& names = c.table.column(c.table.Find("v").value());
  std::vector<RowId> all(c.table.num_rows()), rows;
  std::iota(all.begin(), all.end(), RowId{0});
  for (const RowId row : all) {
    if (*rc::gen::arbitrary<bool>()) rows.push_back(row);
  }
  if (rows.empty()) return;
  std::vector<CountedColumn> counted = CountedColumns(c.table, {c.table.Find("v").value()}, {});
  std::vector<Code> leaves(names.num_codes());
  std::iota(leaves.begin(), leaves.end(), Code{0});
  counted[0].levels = {leaves};  // flat: values, and the top
  const auto holds = [&](const std::string& name, const std::string& limit, const std::string& kind) {
    const Requirement requirement{.k = 1, .more = {{.name = name, .column = "v", .limit = limit, .kind = kind}}};
    return Checker(requirement, c.table, counted, all).Holds(rows);
  };
  const std::string limit = fmt::format("{:.2f}", *rc::gen::inRange(1, 100) / 100.0);
  RC_LOG() << Describe(c) << limit;
  const bool equal = holds("closeness", limit, "equal");
  RC_ASSERT(equal == holds("closeness", limit, "hierarchy"));
  if (CountOf(names, all).size() == 2) RC_ASSERT(equal == holds("closeness", limit, "ordered"));
  RC_ASSERT(!holds("likeness", limit, "enhanced") || holds("likeness", limit, "basic"));
  const std::string times = fmt::format("{:.6f}", std::exp(std::stod(limit)) - 1 + 1e-6);
  RC_ASSERT(!holds("disclosure", limit, "") || holds("likeness", times, "basic"));
  if (holds("closeness", "0", "equal")) {  // an exact copy of the distribution
    for (const auto& [value, count] : CountOf(names, rows)) {
      RC_ASSERT(static_cast<size_t>(count) * all.size() ==
                static_cast<size_t>(At(CountOf(names, all), value)) * rows.size());
    }
  }
}

// People with several rows: what methods count over units the audit finds over people.
RC_GTEST_PROP(ValueModels, AreCountedOverPeople, ()) {
  Case c = DrawDemanding({.max_rows = 50, .max_controllers = 1});
  ColumnBuilder who("who", {.kind = Kind::kCategorical}), own("own", {.kind = Kind::kCategorical});
  for (size_t row = 0; row < c.table.num_rows(); ++row) {
    who.AppendText(fmt::format("p{}", *rc::gen::inRange<size_t>(0, c.table.num_rows() / 2 + 1)));
    own.AppendText(*rc::gen::inRange(0, 6) == 0 ? std::to_string(*rc::gen::inRange(1, 6)) : "");
  }
  std::vector<Column> columns = c.table.columns();
  columns.push_back(std::move(who.Finish()).value());
  columns.push_back(std::move(own.Finish()).value());
  c.table = Table(std::move(columns));
  if (*rc::gen::arbitrary<bool>()) {
    c.plan.person = {{.name = "who"}};
    c.plan.requirement.persons = Persons::kTogether;
  }
  if (*rc::gen::arbitrary<bool>()) c.plan.requirement.k_column = "own";
  for (const MethodEntry& method : Methods()) {
    Plan plan = WithMethod(c.plan, method, method.tasks.empty() ? Task::kNone : method.tasks.front());
    RC_LOG() << Describe({c.table, plan});
    NoProgress silent;
    const auto made = Anonymize(c.table, plan, Workers(1), silent);
    if (!made.ok()) {
      RC_ASSERT(made.error().code == ErrorCode::kInfeasible);
      continue;
    }
    const Table released = Texts(made->release);
    RC_ASSERT(!released.Find("own"));
    AuditOptions options{.requirement = made->requirement};
    options.original = &c.table;
    options.order = std::make_shared<const std::vector<RowId>>(made->release.row_order);
    options.person = made->bound.person;
    if (!plan.requirement.k_column.empty()) options.own_k = c.table.Find("own");
    for (const Column& column : released.columns()) options.original_column.push_back(c.table.Find(column.name()));
    for (const PlannedColumn& column : plan.quasi) options.quasi.push_back(released.Find(column.name).value());
    for (const char* name : {"v", "w"}) options.sensitive.push_back(released.Find(name).value());
    if (plan.person.empty()) {  // counted over the released texts, which Texts() does not read as numbers
      std::erase_if(options.requirement.more, [](const Demand& demand) { return demand.column == "w"; });
    }
    const auto verdict = Audit(released, options, Workers(1));
    RC_ASSERT(verdict.ok());
    for (const std::string& problem : verdict->problems) RC_LOG() << problem << "\n";
    RC_ASSERT(verdict->passed);
    RC_ASSERT(verdict->unverified.empty());
  }
}

}  // namespace
}  // namespace tada::testing
