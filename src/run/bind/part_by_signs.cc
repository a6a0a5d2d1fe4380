#include <algorithm>
#include <map>
#include <set>

#include "base/option_mark.h"
#include "run/bind/controllers.h"
#include "run/inspect/people.h"
#include "run/protect/hide_people.h"

namespace tada {
namespace {

// The rows of a controller, people with equal signs together.
struct SignParts {
  std::map<uint32_t, std::vector<RowId>> rows;
  std::map<uint32_t, std::set<uint32_t>> people;
};

SignParts PartsOf(const Controller& controller, const PeopleOfRows& people, const std::vector<uint32_t>& sign_of) {
  SignParts parts;
  for (const RowId row : controller.rows) {
    const uint32_t who = people.of_row[row], sign = sign_of[who];
    parts.rows[sign].push_back(row);
    parts.people[sign].insert(who);
  }
  return parts;
}

Status CheckOnlyKAndL(const Controller& controller) {
  if (controller.requirement.more.empty()) return Ok();
  return InvalidArgument(
             TADA_OPTION("{}") " does not go with pseudonyms and shifted dates: people who have equally many rows are "
             "grouped by themselves, and their values may be spread in another way than everybody's",
             controller.requirement.more.front().name)
      .WithHint("Leave one of them out.");
}

Status CheckPartsHaveK(const Plan& plan, const Controller& controller, const SignParts& parts, uint32_t people) {
  size_t fewest = SIZE_MAX, short_of = 0;
  for (const auto& [sign, who] : parts.people) {
    fewest = std::min(fewest, who.size());
    if (who.size() < static_cast<size_t>(controller.requirement.k)) short_of += who.size();
  }
  if (short_of == 0) return Ok();
  return Infeasible("{} of {} people have as many rows{} as fewer than k={} people; the largest k that all share is {}",
                    short_of, people, plan.shift_dates.empty() ? "" : ", and gaps between their dates,",
                    controller.requirement.k, fewest)
      .WithHint(
          "Whoever can tell a person's rows knows their number. Leave rows out, release less of the dates "
          "(" TADA_OPTION("shift-dates=<column>:month") "), or give the pseudonym up.");
}

}  // namespace

Result<std::vector<Controller>> PartBySigns(const Plan& plan, const BoundPlan& bound, const Table& table,
                                            const std::vector<Controller>& controllers) {
  const PeopleOfRows people = FindPeople(table, bound.person);
  const std::vector<uint32_t> sign_of = SharedSigns(table, plan, people.of_row, people.count);
  std::vector<Controller> all;
  for (const Controller& controller : controllers) {
    TADA_CHECK_OK(CheckOnlyKAndL(controller));
    SignParts parts = PartsOf(controller, people, sign_of);
    TADA_CHECK_OK(CheckPartsHaveK(plan, controller, parts, people.count));
    for (auto& [sign, rows] : parts.rows) all.push_back({controller.name, std::move(rows), controller.requirement});
  }
  return all;
}

}  // namespace tada
