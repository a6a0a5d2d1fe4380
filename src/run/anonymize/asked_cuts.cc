#include "run/anonymize/asked_cuts.h"

#include "base/option_mark.h"
#include "cuts/take_cuts.h"

namespace tada {
namespace {

bool HasHierarchy(const ColumnHierarchies& hierarchies, size_t i) {
  return i < hierarchies.size() && hierarchies.of(i).has_value();
}

// Bounds of cuts are written plainly.
Status CheckPlainlyWritten(const Column& column) {
  if (column.writing().is_plain()) return Ok();
  return InvalidArgument(
             TADA_OPTION("range=cut") ": the values of {} are written as '{}', and bounds of cuts are plain",
             column.name(), column.writing().text())
      .WithHint("Write them plainly (1234.5, 2024-02-29), give the column a hierarchy, or leave " TADA_OPTION(
          "range") " out.");
}

}  // namespace

bool HasBoxes(const Plan& plan, const BoundPlan& bound, const MethodEntry& method) {
  return method.has_boxes != nullptr && method.has_boxes({bound.task, plan.method_options});
}

Status CheckCuts(const Plan& plan, const BoundPlan& bound, const MethodEntry& method) {
  const MethodContext context{bound.task, plan.method_options};
  const std::string_view task = method.tasks.empty() ? "" : TaskName(bound.task);
  const std::string with = task.empty() ? "" : fmt::format(" for the task {}", task);
  if (plan.range_cut && !HasBoxes(plan, bound, method)) {
    return InvalidArgument(TADA_OPTION("range=cut") ": the groups of method {}{} are not boxes of cuts", method.name,
                           with)
        .WithHint(
            "Use " TADA_OPTION("method=mondrian") ", infogain, regression or ta_da with a label, without " TADA_OPTION(
                "relaxed") " and " TADA_OPTION("sample-grow") "; or leave " TADA_OPTION("range") " out.");
  }
  if (plan.safe > 0 && (method.by_quasi_alone == nullptr || !method.by_quasi_alone(context))) {
    return InvalidArgument(TADA_OPTION("safe") ": method {}{} looks at more than the quasi-identifiers", method.name, with)
        .WithHint(
            "Use " TADA_OPTION("method=mondrian") ", dop, compact, datafly, topdown or optimal, without " TADA_OPTION("workload") " and " TADA_OPTION("minimize") " "
            "label; a label that guides cuts tells about the values beside it.");
  }
  return Ok();
}

Result<std::vector<const DomainBounds*>> FindDomainBounds(const Plan& plan, const Table& table, const Roles& roles,
                                                          const ColumnHierarchies& hierarchies) {
  std::vector<const DomainBounds*> bounds;
  for (size_t i = 0; i < roles.quasi.size(); ++i) {
    const Column& column = table.column(roles.quasi[i]);
    const bool levels = HasHierarchy(hierarchies, i);
    if (plan.range_cut && column.is_numeric() && !levels) TADA_CHECK_OK(CheckPlainlyWritten(column));
    const auto given = plan.domains.find(column.name());
    bounds.push_back(given == plan.domains.end() ? nullptr : &given->second);
    if (bounds.back() == nullptr) continue;
    if (levels) {
      return InvalidArgument(TADA_OPTION("domain={}") ": the column has a hierarchy, whose root is its domain",
                             column.name());
    }
    TADA_CHECK_OK(CheckDomain(column, *bounds.back()));
  }
  return bounds;
}

void TakeCutsOf(const Table& table, const Plan& plan, const RecodeOptions& options, const Workers& workers,
                Anonymized& result) {
  const BoundPlan& bound = result.bound;
  result.cuts = std::make_shared<Cuts>(
      TakeCuts({table, bound.roles, result.groups, bound.task, bound.method, options}, plan, workers));
  if (!plan.range_cut) result.groups.set_boxes({});
  result.notes.sections.push_back(DescribeCuts(*result.cuts));
  if (plan.range_cut || result.cuts->by == Cuts::By::kLevels) return;
  result.notes.warnings.emplace_back(
      TADA_OPTION("save-cuts") ": the cuts hold values of people, as the cells of the release do; with " TADA_OPTION(
          "range=cut") " they hold none");
}

}  // namespace tada
