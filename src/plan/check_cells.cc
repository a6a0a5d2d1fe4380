#include <algorithm>
#include <tuple>

#include "base/option_mark.h"
#include "plan/check_plan.h"

namespace tada {

Status CheckCells(const Plan& plan) {
  if (!plan.domains.empty() && !plan.range_cut) {
    return InvalidArgument(TADA_OPTION("domain") " says where boxes of cuts end, and needs " TADA_OPTION("range=cut"))
        .WithHint("Leave it out, or add " TADA_OPTION("range=cut") ".");
  }
  if (plan.safe > 0 && plan.method == "auto") {
    return InvalidArgument(TADA_OPTION("safe") ": method auto looks at more than the quasi-identifiers")
        .WithHint("Name a method: which one was chosen tells about the values that it was chosen by.");
  }
  const auto too_small = [&](const Requirement& requirement) { return plan.safe > 0 && plan.safe < requirement.k; };
  for (const auto& [name, requirement] : plan.controller_requirements) {
    if (too_small(requirement)) {
      return InvalidArgument(TADA_OPTION("safe={}") " is below k={} of [controllers.{}]", plan.safe, requirement.k,
                             name);
    }
  }
  if (too_small(plan.requirement)) {
    return InvalidArgument(TADA_OPTION("safe={}") " is below k={}", plan.safe, plan.requirement.k)
        .WithHint("Groups of at least that many rows are formed without looking at values: it can't be below k.");
  }
  return Ok();
}

Status CheckOutliers(const Plan& plan) {
  const auto is_in = [](const std::vector<PlannedColumn>& columns, const std::string& name) {
    return std::ranges::find(columns, name, &PlannedColumn::name) != columns.end();
  };
  for (const ColumnClip& clip : plan.clip) {
    if (is_in(plan.quasi, clip.column) || is_in(plan.sensitive, clip.column) || is_in(plan.label, clip.column) ||
        is_in(plan.keep, clip.column)) {
      continue;
    }
    return InvalidArgument(TADA_OPTION("clip") " names a column that is not released: {}", clip.column)
        .WithHint("It is for columns of " TADA_OPTION("quasi") ", " TADA_OPTION("sensitive") ", " TADA_OPTION(
            "label") " and " TADA_OPTION("keep") ".");
  }
  for (const auto& [column, weight] : plan.importance) {
    if (is_in(plan.quasi, column)) continue;
    return InvalidArgument(TADA_OPTION("importance") " is for a quasi-identifier: {}", column)
        .WithHint("Other columns are released as they are, and lose nothing.");
  }
  if (plan.recode == "cells") return Ok();
  if (plan.range_cut) {
    return InvalidArgument(
               TADA_OPTION("recode={}") " shows no intervals, and " TADA_OPTION("range=cut") " says how to show them",
               plan.recode)
        .WithHint("Leave one of them out.");
  }
  if (plan.recode == "mean" && plan.min_member > 0) {
    return InvalidArgument(TADA_OPTION("recode=mean") " names no sets, so " TADA_OPTION("min-member") " has no use")
        .WithHint("Leave it out.");
  }
  return Ok();
}

Status FollowPolicy(const Policy& policy, const OptionValues& values, Plan& plan) {
  if (policy.name.empty()) return Ok();
  if (!values.Has("k")) plan.requirement.k = std::max(plan.requirement.k, policy.k);
  if (!values.Has("l")) plan.requirement.l = std::max(plan.requirement.l, policy.l);
  for (const auto& [name, asked, least] :
       {std::tuple{"k", plan.requirement.k, policy.k}, std::tuple{"l", plan.requirement.l, policy.l}}) {
    if (asked >= least) continue;
    return InvalidArgument(
               TADA_OPTION("-{}={}") " is below what " TADA_OPTION("profile={}") " asks for: {} of at least {}", name,
               asked, policy.name, name, least)
        .WithHint("Leave it out, or ask for as much.");
  }
  if (policy.no_pseudonyms && LinksRows(plan)) {
    return InvalidArgument(TADA_OPTION("profile={}") " does not allow {}", policy.name,
                           plan.pseudonym.empty() ? TADA_OPTION("shift-dates") : TADA_OPTION("pseudonym"))
        .WithHint("A code made from an identifier is one of its classes of identifiers, and a shifted date is a date.");
  }
  if (policy.no_identifiers && !plan.allow.empty()) {
    return InvalidArgument(TADA_OPTION("profile={}") " does not allow what " TADA_OPTION("allow") " releases: {}",
                           policy.name, plan.allow.front())
        .WithHint("Leave the column out.");
  }
  return Ok();
}

}  // namespace tada
