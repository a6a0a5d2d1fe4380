// --withhold, --clip, --importance and --recode with every registered method, on random tables: who leaves is gone, the others keep the
// requirement, and what is said of both adds up.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "audit/audit.h"
#include "partition/registry.h"
#include "property/random_case.h"
#include "run/audit/audit_release.h"
#include "run/protect/clip.h"
#include "table/parsed_cell.h"

namespace tada::testing {
namespace {

template <class Body>
void ForEveryMethod(const Case& c, const Body& body) {
  for (const MethodEntry& method : Methods()) {
    if (method.name == "auto") continue;  // one of the others
    Plan plan = WithMethod(c.plan, method, method.tasks.empty() ? Task::kNone : method.tasks.front());
    plan.withhold = *rc::gen::element(0.0, 5.0, 20.0, 40.0);
    plan.recode = *rc::gen::element<std::string>("cells", "cells", "exact", "mean");
    const MethodContext context{*plan.task, plan.method_options};
    const bool safe = method.by_quasi_alone != nullptr && method.by_quasi_alone(context);
    if (safe && *rc::gen::inRange(0, 4) == 0) plan.safe = plan.requirement.k + 2;
    if (*rc::gen::arbitrary<bool>()) plan.importance[plan.quasi.front().name] = *rc::gen::element(0.25, 4.0);
    RC_LOG() << Describe({c.table, plan});
    NoProgress silent;
    const auto made = Anonymize(c.table, plan, Workers(1), silent);
    if (!made.ok()) {
      RC_ASSERT(made.error().code == ErrorCode::kInfeasible);
      continue;
    }
    body(plan, *made);
  }
}

// Everything that a cell names: itself, its bounds, its elements.
void AddNamed(std::string_view cell, Reading reading, std::set<std::string>& named) {
  const ParsedCell parsed = ParseCell(cell, reading);
  if (parsed.form == ParsedCell::Form::kMask) return;
  named.insert(std::string(cell));
  named.insert(std::string(parsed.low));
  named.insert(std::string(parsed.high));
  named.insert(parsed.elements.begin(), parsed.elements.end());
}

RC_GTEST_PROP(Outliers, LeaveNothingOfThemselves, ()) {
  const Case c = DrawCase({});
  ForEveryMethod(c, [&](const Plan& plan, const Anonymized& made) {
    if (plan.recode == "mean") return;  // a mean may be anybody's value
    const Table released = Texts(made.release);
    for (const ColumnId id : made.bound.roles.quasi) {
      const Column& column = c.table.column(id);
      if (column.is_numeric() && FindMethod(plan.method)->by_levels) continue;  // bounds of labels are rounded
      std::set<std::string> kept, named;
      for (const RowId row : made.release.row_order) kept.emplace(column.text(column.codes()[row]));
      const Reading reading = column.is_date()      ? Reading::kDates
                              : column.is_numeric() ? Reading::kNumbers
                                                    : Reading::kNames;
      const Column& shown = released.column(*released.Find(column.name()));
      for (RowId row = 0; row < released.num_rows(); ++row) AddNamed(shown.text(shown.codes()[row]), reading, named);
      for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
        const std::string text(column.text(code));
        RC_ASSERT(kept.contains(text) || !named.contains(text));
      }
    }
  });
}

RC_GTEST_PROP(Outliers, LeaveOthersWhoMeetTheRequirement, ()) {
  const Case c = DrawCase({.max_controllers = 1});
  ForEveryMethod(c, [&](const Plan& plan, const Anonymized& made) {
    const size_t gone = c.table.num_rows() - made.release.row_order.size();
    RC_CLASSIFY(gone > 0, "somebody left");
    RC_ASSERT(gone == made.withheld.size());
    RC_ASSERT(static_cast<double>(gone) <= plan.withhold / 100 * static_cast<double>(c.table.num_rows()) + 1e-6);
    std::set<RowId> seen(made.withheld.begin(), made.withheld.end());
    for (const RowId row : made.release.row_order) RC_ASSERT(seen.insert(row).second);
    RC_ASSERT(seen.size() == c.table.num_rows());
    for (GroupId group = 0; group < made.groups.num_groups(); ++group) {
      const auto members = made.groups.rows(group);
      RC_ASSERT(NaiveHolds(c.table, made.bound.roles.sensitive, {members.begin(), members.end()}, plan.requirement));
    }
    Outcome outcome;
    RC_ASSERT(AuditRelease(Texts(made.release), c.table, plan, made, Workers(1), outcome).ok());
    for (const std::string& problem : outcome.verdict.problems) RC_LOG() << problem << "\n";
    RC_ASSERT(outcome.verdict.passed);
    RC_ASSERT(outcome.verdict.withheld_rows == gone);
  });
}

// The audit sees a row that is neither there nor named, and a false mean.
RC_GTEST_PROP(Outliers, AreNamedToTheAudit, ()) {
  Case c = DrawCase({.diverse = false, .max_controllers = 1});
  c.plan.method = "mondrian";
  c.plan.withhold = 40;
  NoProgress silent;
  auto made = Anonymize(c.table, c.plan, Workers(1), silent);
  if (!made.ok() || made->withheld.empty()) return;
  RC_TAG(std::string("somebody left"));
  made->withheld.pop_back();
  Outcome outcome;
  RC_ASSERT(AuditRelease(Texts(made->release), c.table, c.plan, *made, Workers(1), outcome).ok());
  RC_ASSERT(!outcome.verdict.passed);
}

RC_GTEST_PROP(Outliers, OfClippedColumnsAreNowhere, ()) {
  const Case c = DrawCase({});
  for (const Column& column : c.table.columns()) {
    if (!column.is_numeric() || column.num_codes() - column.num_missing() < 3) continue;
    Plan plan = c.plan;
    const Code low = column.num_missing() + 1, high = column.num_codes() - 2;
    plan.clip = {{column.name(), std::string(column.text(low)), std::string(column.text(high))}};
    Table clipped = c.table;
    RC_ASSERT(ClipTable(plan, clipped).ok());
    const Column& after = clipped.column(*clipped.Find(column.name()));
    for (RowId row = 0; row < column.num_rows(); ++row) {
      const Code before = column.codes()[row], code = after.codes()[row];
      RC_ASSERT(column.is_missing(before) == after.is_missing(code));
      if (column.is_missing(before)) continue;
      RC_ASSERT(after.number(code) == std::clamp(column.number(before), column.number(low), column.number(high)));
    }
  }
}

}  // namespace
}  // namespace tada::testing
