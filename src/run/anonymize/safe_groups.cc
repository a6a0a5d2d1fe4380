#include "run/anonymize/safe_groups.h"

#include "base/fault.h"
#include "base/option_mark.h"

namespace tada {

Requirement RequirementOfGroups(const Plan& plan, const Requirement& asked) {
  if (plan.safe == 0) return asked;
  Requirement fixed;
  fixed.k = plan.safe;
  fixed.persons = asked.persons;
  return fixed;
}

std::vector<CountedColumn> CountedForGroups(const Plan& plan, const Requirement& asked, const Workplace& place) {
  if (plan.safe == 0) return place.counted();
  if (asked.persons != Persons::kApart || place.counted().empty()) return {};
  return {place.counted().front()};
}

Status CheckSafe(const Plan& plan, const Workplace& place, size_t part, const Controller& asked, const Groups& groups) {
  if (plan.safe == 0 || TADA_FAULT("safe-check")) return Ok();
  const Checker checker = CheckerOf(place, asked.requirement, part);
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    if (checker.Holds(checker.Count(groups.rows(group)))) continue;
    return Infeasible(TADA_OPTION("safe={}") ": groups formed by the quasi-identifiers alone do not meet the requirement{}",
                      plan.safe, asked.name.empty() ? "" : fmt::format(" (controller {})", asked.name))
        .WithHint(
            "Set a larger " TADA_OPTION("safe") ". Decide on it without this table: to raise it until it works tells what " TADA_OPTION("safe") " "
            "hides.");
  }
  return Ok();
}

}  // namespace tada
