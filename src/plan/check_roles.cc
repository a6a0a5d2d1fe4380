#include <algorithm>
#include <map>

#include "base/option_mark.h"
#include "plan/check_plan.h"
#include "plan/weights_column.h"

namespace tada {
namespace {

// The options that name columns, by column.
using RoleOf = std::map<std::string_view, std::string_view>;

/// The lists of columns with the options that name them.
std::vector<std::pair<std::string_view, const std::vector<PlannedColumn>*>> RoleLists(const Plan& plan) {
  return {{TADA_OPTION("person"), &plan.person},       {TADA_OPTION("quasi"), &plan.quasi},
          {TADA_OPTION("sensitive"), &plan.sensitive}, {TADA_OPTION("label"), &plan.label},
          {TADA_OPTION("keep"), &plan.keep},           {TADA_OPTION("pseudonym"), &plan.pseudonym}};
}

Error TwoRoles(const std::string& column, std::string_view first, std::string_view second) {
  return InvalidArgument("Column '{}' has two roles: {} and {}", column, first, second);
}

Status CheckLists(const Plan& plan, RoleOf& role_of) {
  for (const auto& [role, columns] : RoleLists(plan)) {
    for (const PlannedColumn& column : *columns) {
      const auto [found, added] = role_of.emplace(column.name, role);
      if (added || (found->second == TADA_OPTION("person") && role == TADA_OPTION("pseudonym"))) continue;
      if (found->second == TADA_OPTION("person")) {
        return InvalidArgument(
                   "Column '{}' names people (" TADA_OPTION("person") "), and is never released: {} would release it",
                   column.name, role)
            .WithHint("Whoever can tell a person's rows has the whole list of them to look the person up by.");
      }
      const bool predicted = found->second == TADA_OPTION("sensitive") && role == TADA_OPTION("label");
      return TwoRoles(column.name, found->second, role)
          .WithHint(predicted ? "Groups that tell a label well are groups of few values, which is what l forbids: take "
                                "it out of one of them."
                              : "A column is in one list only: take it out of one of them.");
    }
  }
  return Ok();
}

Status CheckOwnK(const Plan& plan, const RoleOf& role_of) {
  const std::vector<std::string> own_k = OwnKColumns(plan);
  if (own_k.size() > 1) {
    return InvalidArgument(TADA_OPTION("k-column") " is one column for all controllers, not {} and {}", own_k[0],
                           own_k[1]);
  }
  for (const std::string& column : own_k) {
    const auto role = role_of.find(column);
    if (role == role_of.end() && column != plan.controller_column) continue;
    return TwoRoles(column, TADA_OPTION("k-column"),
                    role == role_of.end() ? TADA_OPTION("controller-column") : role->second)
        .WithHint("The column is not released: asking for more rows is telling.");
  }
  return Ok();
}

}  // namespace

Status CheckRoles(const Plan& plan) {
  RoleOf role_of;
  TADA_CHECK_OK(CheckLists(plan, role_of));
  TADA_CHECK_OK(CheckOwnK(plan, role_of));
  TADA_CHECK_OK(CheckWeights(plan));
  for (const Plan::ShiftedDates& dates : plan.shift_dates) {
    const auto [found, added] = role_of.emplace(dates.name, TADA_OPTION("shift-dates"));
    if (!added) return TwoRoles(dates.name, found->second, TADA_OPTION("shift-dates"));
  }
  const auto controller = role_of.find(plan.controller_column);
  if (controller == role_of.end() || controller->second == TADA_OPTION("keep")) return Ok();
  return TwoRoles(plan.controller_column, TADA_OPTION("controller-column"), controller->second)
      .WithHint("The controller column is dropped from the release unless " TADA_OPTION("keep") " names it.");
}

Status CheckAllowed(const Plan& plan) {
  for (const std::string& name : plan.allow) {
    bool released = false;
    for (const auto& [role, columns] : RoleLists(plan)) {
      released |=
          role != TADA_OPTION("person") && std::ranges::find(*columns, name, &PlannedColumn::name) != columns->end();
    }
    if (!released) {
      return InvalidArgument(TADA_OPTION("allow") " names a column that is not released: {}", name)
          .WithHint(
              "It is for columns of " TADA_OPTION("quasi") ", " TADA_OPTION("sensitive") ", " TADA_OPTION("label") " and " TADA_OPTION("keep") " that look like something that "
              "identifies.");
    }
  }
  return Ok();
}

Status CheckPeople(const Plan& plan) {
  if (plan.rows_are_people && !plan.person.empty()) {
    return InvalidArgument(
        TADA_OPTION("rows-are-people") " and " TADA_OPTION("person") " cannot go together: leave one out");
  }
  if (plan.requirement.persons != Persons::kApart) return Ok();
  std::vector<const Requirement*> asked{&plan.requirement};
  for (const auto& [name, requirement] : plan.controller_requirements) asked.push_back(&requirement);
  for (const Requirement* requirement : asked) {
    const bool shares = requirement->l > 1 && requirement->diversity != Diversity::kDistinct;
    if (!shares && requirement->more.empty()) continue;
    return InvalidArgument(
               TADA_OPTION("person=...:apart") " goes with k and distinct l only: {}",
               shares ? TADA_OPTION("diversity") " " + DiversityName(*requirement) : requirement->more.front().name)
        .WithHint("Shares of values are not kept when people stand in several groups. Use " TADA_OPTION(
            "person=...:together") ".");
  }
  return Ok();
}

Status CheckPseudonyms(const Plan& plan) {
  const std::string_view option = plan.pseudonym.empty() ? TADA_OPTION("shift-dates") : TADA_OPTION("pseudonym");
  if (!LinksRows(plan)) {
    if (plan.domain.empty()) return Ok();  // a key may be there for a manifest
    return InvalidArgument(TADA_OPTION("key-domain") " is for " TADA_OPTION("pseudonym") " and " TADA_OPTION(
        "shift-dates") ": name a column with one of them");
  }
  if (plan.person.empty()) {
    return InvalidArgument(
               TADA_OPTION("shift-dates") " moves all dates of a person alike: it needs " TADA_OPTION("person"))
        .WithHint("Name the column that tells people apart.");
  }
  if (plan.requirement.persons == Persons::kApart) {
    return InvalidArgument(
               "{} makes rows of a person known as such: " TADA_OPTION("person=...:apart") " cannot go with it", option)
        .WithHint("Use " TADA_OPTION("person=...:together") ".");
  }
  return Ok();
}

}  // namespace tada
