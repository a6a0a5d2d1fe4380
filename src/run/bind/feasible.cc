#include "run/bind/feasible.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>

#include "privacy/check/requirements.h"

namespace tada {
namespace {

// Limits by requirement and column, as numbers that are larger the weaker they are: the largest possible ones are negative.
using Limits = std::map<std::string, double>;

// "t=0.2 (salary)", one of a list.
void AddLimit(std::string_view item, double sign, Limits& limits) {
  const size_t equal = item.find('='), blank = std::min(item.find(' '), item.size());
  if (equal >= blank) return;
  double number = std::numeric_limits<double>::infinity();
  if (item.substr(equal + 1, blank - equal - 1) != "infinite")
    std::from_chars(item.data() + equal + 1, item.data() + blank, number);
  limits[fmt::format("{}{}", item.substr(0, equal), item.substr(blank))] = sign * number;
}

// The limits that a message names as possible.
Limits NamedLimits(const std::string& message) {
  Limits limits;
  for (const auto& [before, sign] :
       {std::pair<std::string_view, double>{"largest possible ", -1}, {"smallest possible ", 1}}) {
    const size_t at = message.find(before);
    if (at == std::string::npos) continue;
    std::string_view list = std::string_view(message).substr(at + before.size());
    if (sign < 0) list = list.substr(0, list.find("smallest possible "));
    while (!list.empty()) {
      const std::string_view item = list.substr(0, list.find(", "));
      AddLimit(item, sign, limits);
      list.remove_prefix(std::min(list.size(), item.size() + 2));
    }
  }
  return limits;
}

// A controller whose rows cannot meet the requirement.
struct Failing {
  size_t rows, values;
  Error error;
};

std::optional<Failing> FailingOf(const Workplace& place, const Controller& controller, size_t part) {
  const Checker checker = CheckerOf(place, controller.requirement, part);
  const Tally tally = checker.Count(place.rows(part));
  Status feasible = checker.Feasible(tally);
  if (feasible.ok()) return std::nullopt;
  size_t values = SIZE_MAX;
  for (const ValueCounts& counts : tally.columns) values = std::min<size_t>(values, counts.Distinct());
  Error error = std::move(feasible).error();
  if (!controller.name.empty()) error.message = fmt::format("Controller {}: {}", controller.name, error.message);
  return Failing{place.rows(part).size(), values, std::move(error)};
}

// What was named has to do for all of them: adds those that need weaker limits.
void AddOthers(const std::vector<Failing>& failing, Limits named, Error& error) {
  for (const Failing& other : failing) {
    bool needs_more = false;
    for (const auto& [demand, limit] : NamedLimits(other.error.message)) {
      const auto [found, is_new] = named.emplace(demand, limit);
      needs_more |= is_new || limit > found->second;
      found->second = std::max(found->second, limit);
    }
    if (needs_more) error.message += ". " + other.error.message;
  }
}

Error ErrorOf(const std::vector<Failing>& failing) {
  const Failing& by_rows = *std::ranges::min_element(failing, {}, &Failing::rows);
  const Failing& by_values = *std::ranges::min_element(failing, {}, &Failing::values);
  Error error = by_rows.error;
  if (by_values.values < by_rows.values) error.message += ". " + by_values.error.message;
  Limits named = NamedLimits(by_rows.error.message);
  for (const auto& [demand, limit] : NamedLimits(by_values.error.message)) {
    const auto [found, is_new] = named.emplace(demand, limit);
    if (!is_new && by_values.values < by_rows.values) found->second = std::max(found->second, limit);
  }
  AddOthers(failing, std::move(named), error);
  return error;
}

// What all rows of a controller in one group reach, requirement by requirement.
Feasibility FeasibilityOf(const Workplace& place, const Controller& controller, size_t part) {
  const Checker checker = CheckerOf(place, controller.requirement, part);
  const Tally tally = checker.Count(place.rows(part));
  const Binding binding(place.table(), checker.sensitive(), [&] { return tally; });
  std::vector<std::string> largest;
  for (const RequirementEntry& entry : Requirements()) {
    for (const auto& model : entry.bind(controller.requirement, binding)) largest.push_back(model->Reaches(tally));
  }
  return {controller.name, tally.rows, fmt::format("{}", fmt::join(largest, ", ")), checker.Feasible(tally)};
}

}  // namespace

Status CheckFeasible(const Workplace& place, const std::vector<Controller>& controllers) {
  std::vector<Failing> failing;
  for (size_t i = 0; i < controllers.size(); ++i) {
    if (auto found = FailingOf(place, controllers[i], i)) failing.push_back(*std::move(found));
  }
  if (failing.empty()) return Ok();
  return ErrorOf(failing);
}

Result<std::vector<Feasibility>> FindFeasible(const Table& table, const Plan& plan) {
  TADA_TRY(bound, BindPlan(plan, table));
  TADA_TRY(controllers, FindControllers(plan, bound, table));
  TADA_TRY(place, FindWorkplace(table, plan, bound, controllers));
  std::vector<Feasibility> found;
  for (size_t i = 0; i < controllers.size(); ++i) found.push_back(FeasibilityOf(place, controllers[i], i));
  return found;
}

}  // namespace tada
