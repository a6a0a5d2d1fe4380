#include "run/protect/guard_published.h"

#include <algorithm>

#include "base/option_mark.h"
#include "guard/identity.h"
#include "run/protect/hide_people.h"
#include "table/number.h"

namespace tada {
namespace {

constexpr double kTakenForTrue = 0.5;

enum class As { kQuasi, kUnchanged, kAmount };

// Whether what was found in a column may not be released so. As a quasi-identifier everything is widened, but the ends of
// intervals and the elements of sets are values of people: of what names them by itself none may be seen.
bool IsUnprotected(const Finding& finding, As as) {
  return finding.confidence >= kTakenForTrue && (as != As::kQuasi || finding.direct);
}

// Numbers that nearly every row has for itself are found again in another table. Labels and sensitive amounts are meant to be seen.
bool IsUniqueNumber(const Column& column, As as) {
  constexpr uint64_t kFewRows = 20;
  if (as != As::kUnchanged || !column.is_numeric() || column.num_rows() < kFewRows) return false;
  return column.num_values() * 10ull >= column.num_rows() * 9ull && Uniqueness(column) >= 0.9;
}

bool HasHierarchy(const Plan& plan, size_t quasi, const std::vector<bool>* loaded) {
  if (!plan.quasi[quasi].hierarchy.empty()) return true;
  if (plan.hierarchies.empty()) return false;
  return loaded == nullptr || (quasi < loaded->size() && (*loaded)[quasi]);
}

// Whether the texts of a column are numbers, whatever kind it was read as.
bool AllNumbers(const Column& column) {
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    if (!ParseNumber(column.text(code))) return false;
  }
  return true;
}

void Look(const Table& table, const Plan& plan, const PlannedColumn& planned, std::string_view option, As as,
          std::vector<Published>& found) {
  const auto id = table.Find(planned.name);
  if (!id) return;
  const Column& column = table.column(*id);
  const bool allowed = std::ranges::find(plan.allow, planned.name) != plan.allow.end();
  const auto finding = FindIdentity(column);
  if (finding && IsUnprotected(*finding, as)) {
    found.push_back(
        {planned.name, std::string(option), std::string(IdentityName(finding->identity)), finding->evidence, allowed});
  } else if (IsUniqueNumber(column, as)) {
    found.push_back({planned.name, std::string(option), "numbers of single people",
                     "nearly every row has a number of its own", allowed});
  }
}

}  // namespace

std::vector<Published> FindPublished(const Table& table, const Plan& plan, const std::vector<bool>* loaded) {
  std::vector<Published> found;
  for (size_t i = 0; i < plan.quasi.size(); ++i) {
    if (!HasHierarchy(plan, i, loaded)) Look(table, plan, plan.quasi[i], TADA_OPTION("quasi"), As::kQuasi, found);
  }
  for (const PlannedColumn& column : plan.sensitive)
    Look(table, plan, column, TADA_OPTION("sensitive"), As::kAmount, found);
  for (const PlannedColumn& column : plan.label) Look(table, plan, column, TADA_OPTION("label"), As::kAmount, found);
  for (const PlannedColumn& column : plan.keep) Look(table, plan, column, TADA_OPTION("keep"), As::kUnchanged, found);
  return found;
}

Status GuardPublished(const Table& table, const Plan& plan, const std::vector<bool>* loaded) {
  for (const Published& published : FindPublished(table, plan, loaded)) {
    if (published.allowed) continue;
    return InvalidArgument("Column '{}' looks like {} ({}), and {} would publish them", published.column,
                           published.what, published.evidence, published.option)
        .WithHint(fmt::format(
            "Leave it out, make it a quasi-identifier with a hierarchy (" TADA_OPTION("quasi") " and " TADA_OPTION(
                "hierarchy") "), or add " TADA_OPTION("allow={}") " to release it anyway.",
            published.column));
  }
  return Ok();
}

std::vector<std::string> AllowedWarnings(const Table& table, const Plan& plan) {
  std::vector<std::string> warnings;
  if (plan.allow.empty()) return warnings;
  for (const Published& published : FindPublished(table, plan)) {
    warnings.push_back(fmt::format("Column '{}' is released, though it looks like {} ({}): " TADA_OPTION("allow") ".",
                                   published.column, published.what, published.evidence));
  }
  return warnings;
}

std::vector<std::string> IdentifyingNotes(const Table& released, const Plan& plan) {
  std::vector<std::string> notes;
  for (const Column& column : released.columns()) {
    const bool quasi = std::ranges::find(plan.quasi, column.name(), &PlannedColumn::name) != plan.quasi.end();
    const bool kept = std::ranges::find(plan.keep, column.name(), &PlannedColumn::name) != plan.keep.end();
    const bool allowed = std::ranges::find(plan.allow, column.name()) != plan.allow.end();
    if (HiddenColumns(plan).contains(column.name())) continue;  // codes and moved dates, asked for as such
    const auto finding = quasi && !allowed ? std::nullopt : FindIdentity(column);
    if (!finding || finding->confidence < kTakenForTrue) continue;
    if (finding->near_unique && !kept && AllNumbers(column)) continue;  // a label or an amount
    notes.push_back(fmt::format("Column '{}' looks like {} ({}), and is released as it is{}.", column.name(),
                                IdentityName(finding->identity), finding->evidence,
                                allowed ? ": " TADA_OPTION("allow") : ""));
  }
  return notes;
}

}  // namespace tada
