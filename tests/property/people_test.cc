// People with several rows each: every method keeps enough different people in every group, together or apart, and the audit,
// which counts them in its own way, agrees.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "audit/audit.h"
#include "partition/registry.h"
#include "property/random_case.h"
#include "table/column_builder.h"

namespace tada::testing {
namespace {

std::string TextOf(const Column& column, RowId row) { return std::string(column.text(column.codes()[row])); }

// The case with a column that names people; `most` rows of each on average.
Case WithPeople(const Case& c, int most) {
  const auto rows = static_cast<int>(c.table.num_rows());
  ColumnBuilder builder("who", {.kind = Kind::kCategorical});
  for (int row = 0; row < rows; ++row) {
    const int who = *rc::gen::inRange(0, rows / most + 1);
    builder.AppendText(who == 0 ? "" : fmt::format("p{}", who));  // some rows do not say whose they are
  }
  std::vector<Column> columns = c.table.columns();
  columns.push_back(std::move(builder.Finish()).value());
  Case with{Table(std::move(columns)), c.plan};
  with.plan.person = {{.name = "who"}};
  return with;
}

// People by row, counted from the texts.
std::vector<std::string> NamesOf(const Table& table) {
  const Column& who = table.column(table.Find("who").value());
  std::vector<std::string> names;
  for (RowId row = 0; row < table.num_rows(); ++row) {
    const std::string name = TextOf(who, row);
    names.push_back(name.empty() ? "row " + std::to_string(row) : name);
  }
  return names;
}

// Distinct l over people, the slow way: every choice of a person for a value.
size_t LargestMatching(std::vector<std::set<std::string>> people_of_value, const std::set<std::string>& taken = {}) {
  if (people_of_value.empty()) return 0;
  const std::set<std::string> first = people_of_value.back();
  people_of_value.pop_back();
  size_t best = LargestMatching(people_of_value, taken);
  for (const std::string& person : first) {
    if (taken.contains(person)) continue;
    std::set<std::string> more = taken;
    more.insert(person);
    best = std::max(best, 1 + LargestMatching(people_of_value, more));
  }
  return best;
}

bool EnoughPeople(const Table& table, const std::vector<ColumnId>& sensitive, std::span<const RowId> rows,
                  const Requirement& requirement) {
  const std::vector<std::string> names = NamesOf(table);
  std::set<std::string> people;
  for (const RowId row : rows) people.insert(names[row]);
  if (people.size() < static_cast<size_t>(requirement.k)) return false;
  for (const ColumnId id : sensitive) {
    if (requirement.l < 2) break;
    std::map<std::string, std::set<std::string>> people_of;
    for (const RowId row : rows) people_of[TextOf(table.column(id), row)].insert(names[row]);
    if (people_of.size() < static_cast<size_t>(requirement.l)) return false;
    if (requirement.persons == Persons::kTogether) {
      if (std::ranges::any_of(people_of, [&](const auto& entry) { return entry.second == people; })) return false;
    } else {
      std::vector<std::set<std::string>> sets;
      for (const auto& [value, who] : people_of) sets.push_back(who);
      if (LargestMatching(sets) < static_cast<size_t>(requirement.l)) return false;
    }
  }
  return true;
}

AuditOptions OptionsFor(const Table& released, const Table& original, const Anonymized& made, const Plan& plan) {
  AuditOptions options;
  options.requirement = plan.requirement;
  options.original = &original;
  for (const Column& column : released.columns()) options.original_column.push_back(original.Find(column.name()));
  for (const PlannedColumn& column : plan.quasi) options.quasi.push_back(released.Find(column.name).value());
  for (const PlannedColumn& column : plan.sensitive) options.sensitive.push_back(released.Find(column.name).value());
  options.person = made.bound.person;
  options.order = std::make_shared<const std::vector<RowId>>(made.release.row_order);
  options.controllers = made.bound.controller_column;
  return options;
}

template <class Body>
void ForEveryMethod(const Case& c, const Body& body) {
  for (const MethodEntry& method : Methods()) {
    Plan plan = WithMethod(c.plan, method, method.tasks.empty() ? Task::kNone : method.tasks.front());
    RC_LOG() << Describe({c.table, plan});
    NoProgress silent;
    body(plan, Anonymize(c.table, plan, Workers(1), silent));
  }
}

RC_GTEST_PROP(People, AreKeptTogetherAndCountedByEveryMethod, ()) {
  Case c = WithPeople(DrawCase({.max_rows = 40}), *rc::gen::inRange(1, 4));
  c.plan.requirement.diversity = Diversity::kDistinct;
  c.plan.requirement.k = *rc::gen::inRange(1, 5);
  c.plan.requirement.persons = Persons::kTogether;
  const std::vector<std::string> names = NamesOf(c.table);
  ForEveryMethod(c, [&](const Plan& plan, const Result<Anonymized>& made) {
    if (!made.ok()) {
      RC_ASSERT(made.error().code == ErrorCode::kInfeasible);
      return;
    }
    RC_ASSERT(made->groups.num_rows() == c.table.num_rows());
    std::map<std::string, GroupId> group_of;
    for (GroupId group = 0; group < made->groups.num_groups(); ++group) {
      RC_ASSERT(EnoughPeople(c.table, made->bound.roles.sensitive, made->groups.rows(group), plan.requirement));
      for (const RowId row : made->groups.rows(group))
        RC_ASSERT(group_of.emplace(names[row], group).first->second == group);
    }
    const Table released = Texts(made->release);
    RC_ASSERT(!released.Find("who"));
    const auto verdict = Audit(released, OptionsFor(released, c.table, *made, plan), Workers(1));
    RC_ASSERT(verdict.ok());
    for (const std::string& problem : verdict->problems) RC_LOG() << problem << "\n";
    RC_ASSERT(verdict->passed);
    RC_ASSERT(verdict->people.value() >= static_cast<uint64_t>(plan.requirement.k));
  });
}

RC_GTEST_PROP(People, AreCountedByEveryMethodWhereverTheirRowsStand, ()) {
  Case c = WithPeople(DrawCase({.max_rows = 40}), *rc::gen::inRange(1, 4));
  c.plan.requirement.diversity = Diversity::kDistinct;
  c.plan.requirement.k = *rc::gen::inRange(1, 5);
  c.plan.requirement.persons = Persons::kApart;
  ForEveryMethod(c, [&](const Plan& plan, const Result<Anonymized>& made) {
    if (!made.ok()) {
      RC_ASSERT(made.error().code == ErrorCode::kInfeasible);
      return;
    }
    for (GroupId group = 0; group < made->groups.num_groups(); ++group) {
      RC_ASSERT(EnoughPeople(c.table, made->bound.roles.sensitive, made->groups.rows(group), plan.requirement));
    }
    const Table released = Texts(made->release);
    const auto verdict = Audit(released, OptionsFor(released, c.table, *made, plan), Workers(1));
    RC_ASSERT(verdict.ok());
    RC_ASSERT(verdict->passed);
  });
}

RC_GTEST_PROP(People, WithOneRowEachChangeNothing, ()) {
  const Case plain = DrawCase({});
  Case c = plain;
  ColumnBuilder builder("who", {.kind = Kind::kCategorical});
  for (size_t row = 0; row < c.table.num_rows(); ++row) builder.AppendText(fmt::format("p{}", row));
  std::vector<Column> columns = c.table.columns();
  columns.push_back(std::move(builder.Finish()).value());
  c.table = Table(std::move(columns));
  c.plan.person = {{.name = "who"}};
  c.plan.requirement.persons = Persons::kTogether;
  ForEveryMethod(c, [&](Plan plan, const Result<Anonymized>& made) {
    plan.person.clear();
    plan.requirement.persons = Persons::kRows;
    NoProgress silent;
    const auto without = Anonymize(plain.table, plan, Workers(1), silent);
    RC_ASSERT(made.ok() == without.ok());
    if (!made.ok()) return;
    RC_ASSERT(made->groups.order() == without->groups.order());
    RC_ASSERT(made->release.group_of_row == without->release.group_of_row);
  });
}

}  // namespace
}  // namespace tada::testing
