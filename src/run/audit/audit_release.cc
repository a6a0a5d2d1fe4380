#include "run/audit/audit_release.h"

#include <numeric>
#include <optional>

#include "base/option_mark.h"
#include "cuts/frozen_rows.h"
#include "privacy/check/requirements.h"
#include "run/audit/audit_controllers.h"
#include "run/audit/audit_options.h"
#include "run/audit/check_rows.h"
#include "run/audit/describe_run.h"
#include "run/audit/released_columns.h"
#include "run/protect/guard_published.h"
#include "run/protect/safe_table.h"
#include "table/select_rows.h"

namespace tada {
namespace {

// A release and the earlier one that its classes are compared with, values having the same codes in both; nothing if it is compared with
// itself.
Result<std::optional<std::pair<Table, Table>>> FrozenParts(const Table& released, const Plan& plan,
                                                           const FrozenValues* frozen) {
  if (frozen == nullptr) return std::optional<std::pair<Table, Table>>();
  TADA_TRY(both, WithFrozenRows(released, *frozen, ReleasedColumnOptions(plan)));
  std::vector<RowId> own(released.num_rows()), earlier(both.num_rows() - released.num_rows());
  std::iota(own.begin(), own.end(), RowId{0});
  std::iota(earlier.begin(), earlier.end(), static_cast<RowId>(released.num_rows()));
  return std::optional(std::pair(SelectRows(both, own), SelectRows(both, earlier)));
}

// What a plan asks that the release does not say enough for.
void AddUnverified(const Table& released, const Table* original, const Plan& plan, const AuditOptions& options,
                   bool says_whose, Verdict& verdict) {
  if (!says_whose && !options.measured.empty()) {
    verdict.unverified.push_back(fmt::format(
        "{}: not verified. It was asked of each controller, compared with its own rows, and the release does not say "
        "whose its rows are.",
        options.measured.front().name));
  }
  if (plan.keep_order && original != nullptr && !options.order) {
    verdict.unverified.push_back(fmt::format(TADA_OPTION("keep-order") ": the release has {} rows and the original {}, "
                                                                       "so which row stands for which is not given by "
                                                                       "their order.",
                                             released.num_rows(), original->num_rows()));
  }
}

// What should be known of a release besides its verdict.
void AddNotes(const Table& released, const Plan& plan, const Requirement& requirement, Verdict& verdict) {
  if (std::string idle = IdleRequirement(requirement); !idle.empty()) verdict.notes.push_back(std::move(idle));
  for (std::string& note : IdentifyingNotes(released, plan)) verdict.notes.push_back(std::move(note));
}

void AddNotesOnRoles(const Table& released, const Plan& plan, Verdict& verdict) {
  const auto names = WithoutRole(released, plan);
  if (names.empty()) return;
  verdict.notes.push_back(fmt::format(
      "Released columns without a role: {}. Whether they tell people apart was not checked; name them in " TADA_OPTION(
          "quasi") ", "
                   "or in " TADA_OPTION("keep") " if they are meant to be there.",
      fmt::join(names, ", ")));
}

// What the classes of a release are asked by a plan. `controllers`: those that the release names, if it says whose its rows are; then
// with all that is asked of them.
Result<AuditOptions> AskedByPlan(const Table& released, const Table* original, const Plan& plan, bool says_whose,
                                 std::vector<Controller>& controllers) {
  AuditOptions options = OptionsOfPlan(released, original, plan);
  TADA_TRY(asked, AskedOf(plan, controllers));
  options.requirement = WeakestOf(asked);
  options.measured = MeasuredOnly(asked, options.requirement);
  TADA_CHECK_OK(AddValueFacts(released, original, plan, options));
  if (says_whose) controllers = std::move(asked);
  if (original != nullptr && !plan.controller_column.empty())
    options.controllers = original->Find(plan.controller_column);
  if (original != nullptr) {
    TADA_TRY(labels, LabelsByPlan(released, *original, plan));
    options.labels = std::move(labels);
  }
  options.means = plan.recode == "mean";
  return options;
}

}  // namespace

Status AuditRelease(const Table& released, const Table& original, const Plan& plan, const Anonymized& made,
                    const Workers& workers, Outcome& outcome) {
  TADA_TRY(options, OptionsOfRun(released, original, plan, made));
  TADA_TRY(frozen, FrozenParts(released, plan, made.reference.get()));
  if (frozen) options.reference = &frozen->second;
  TADA_TRY(verdict, Audit(frozen ? frozen->first : released, options, workers));
  outcome.verdict = std::move(verdict);
  CheckEveryRow(released, original, plan, made, outcome.verdict);
  TADA_TRY(parts, AuditControllers(released, InRelease(made), options, workers, outcome.verdict));
  outcome.controllers = std::move(parts);
  outcome.sample = Sample(released);
  return Ok();
}

Result<Verdict> AuditByPlan(const Table& released, const Table* original, const Plan& plan, const Workers& workers) {
  const auto column = plan.controller_column.empty() ? std::nullopt : released.Find(plan.controller_column);
  std::vector<Controller> controllers =
      column ? ControllersOf(released.column(*column), plan) : std::vector<Controller>();
  TADA_TRY(options, AskedByPlan(released, original, plan, column.has_value(), controllers));
  TADA_TRY(verdict, Audit(released, options, workers));
  if (original != nullptr) CheckShareWithheld(plan, *original, options, verdict);
  AddUnverified(released, original, plan, options, column.has_value(), verdict);
  TADA_TRY(parts, AuditControllers(released, controllers, options, workers, verdict));
  if (!parts.empty()) {
    verdict.notes.push_back(fmt::format("The rows of {} controllers ({}) were also audited each by themselves.",
                                        parts.size(), plan.controller_column));
  }
  AddNotes(released, plan, options.requirement, verdict);
  TADA_TRY(policy, ReadPolicy(plan.profile));
  JudgePolicy(released, plan, policy, verdict);
  AddNotesOnRoles(released, plan, verdict);
  return verdict;
}

Result<Verdict> AuditPart(const ReleasePart& part, const Plan& plan, const std::vector<Controller>& asked,
                          const Table* values, const Workers& workers) {
  const size_t compared = part.reference.empty() ? 0 : part.reference.front().size();
  std::vector<RowId> own(part.table.num_rows() - compared), others(compared);
  std::iota(own.begin(), own.end(), RowId{0});
  std::iota(others.begin(), others.end(), static_cast<RowId>(own.size()));
  const Table released = SelectRows(part.table, own), reference = SelectRows(part.table, others);
  AuditOptions options = OptionsOfPlan(released, nullptr, plan);
  TADA_TRY(expanded, AskedOf(plan, asked));
  options.requirement = WeakestOf(expanded);
  options.measured = MeasuredOnly(expanded, options.requirement);
  TADA_CHECK_OK(AddValueFacts(released, values, plan, options));
  if (compared > 0) {
    options.reference = &reference;
    options.reference_rows.resize(released.num_columns());
    for (size_t i = 0; i < part.reference.size(); ++i) options.reference_rows[options.sensitive[i]] = part.reference[i];
  }
  return Audit(released, options, workers);
}

Result<Verdict> AuditCover(const Table& released, const Table& original, const Plan& plan,
                           const ColumnHierarchies& hierarchies, const Workers& workers) {
  AuditOptions options = OptionsOfPlan(released, &original, plan);
  options.loss = false;
  options.requirement = {.k = 1};
  options.sensitive.clear();
  std::vector<ColumnId> quasi;
  for (const PlannedColumn& column : plan.quasi) quasi.push_back(original.Find(column.name).value());
  options.labels = LabelsOfColumns(released, original, quasi, hierarchies);
  options.order = RowsAsTheyStand(released.num_rows());
  return Audit(released, options, workers);
}

}  // namespace tada
