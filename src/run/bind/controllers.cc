#include "run/bind/controllers.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/option_mark.h"
#include "base/random.h"
#include "base/words.h"
#include "run/inspect/people.h"

namespace tada {
namespace {

// Deals the rows to controllers; those of a person go to one of them.
std::vector<Controller> DealRows(const Plan& plan, const BoundPlan& bound, const Table& table) {
  const auto count = static_cast<size_t>(plan.controllers);
  if (count == 1) {
    std::vector<Controller> one(1);
    one[0].requirement = plan.requirement;
    one[0].rows.resize(table.num_rows());
    std::iota(one[0].rows.begin(), one[0].rows.end(), RowId{0});
    return one;
  }
  PeopleOfRows people;
  if (!bound.person.empty()) people = FindPeople(table, bound.person);
  std::vector<uint32_t> dealt(people.of_row.empty() ? table.num_rows() : people.count);  // people, or rows
  std::iota(dealt.begin(), dealt.end(), 0u);
  Random(MixSeed(plan.seed, 0xC0117201)).Shuffle(std::span(dealt));
  std::vector<uint32_t> controller_of(dealt.size());
  std::vector<Controller> controllers(count);
  for (uint32_t i = 0; i < count; ++i) {
    for (size_t at = dealt.size() * i / count; at < dealt.size() * (i + 1) / count; ++at) controller_of[dealt[at]] = i;
    controllers[i].name = fmt::format("{}", i + 1);
    controllers[i].requirement = plan.requirement;
  }
  for (RowId row = 0; row < table.num_rows(); ++row) {
    controllers[controller_of[people.of_row.empty() ? row : people.of_row[row]]].rows.push_back(row);
  }
  return controllers;
}

// Every section of the plan is for a controller that the column names.
Status CheckSections(const Plan& plan, const Column& column, const std::vector<Controller>& controllers) {
  std::vector<std::string> names;
  for (const Controller& controller : controllers) names.push_back(controller.name);
  for (const auto& [name, requirement] : plan.controller_requirements) {
    if (std::ranges::find(names, name.empty() ? "(empty)" : name) != names.end()) continue;
    return InvalidArgument("The plan has a controller that the input does not have: [controllers.{}]", name)
        .WithHint(plan.show_values ? fmt::format("Values of {}: {}", column.name(), fmt::join(names, ", "))
                                   : fmt::format("{} has {}; " TADA_OPTION("show-values") " lists them.", column.name(),
                                                 Plural(names.size(), "different value")));
  }
  return Ok();
}

}  // namespace

std::vector<Controller> ControllersOf(const Column& column, const Plan& plan) {
  std::map<Code, Controller> by_value;
  for (RowId row = 0; row < column.num_rows(); ++row) by_value[column.codes()[row]].rows.push_back(row);
  std::vector<Controller> controllers;
  for (auto& [code, controller] : by_value) {
    controller.name = column.text(code);
    const auto own = plan.controller_requirements.find(controller.name);
    controller.requirement = own == plan.controller_requirements.end() ? plan.requirement : own->second;
    if (controller.name.empty()) controller.name = "(empty)";  // rows whose controller is not said stand together
    controllers.push_back(std::move(controller));
  }
  return controllers;
}

Result<std::vector<Controller>> FindControllers(const Plan& plan, const BoundPlan& bound, const Table& table) {
  if (!bound.controller_column) {
    if (plan.controllers > static_cast<int64_t>(std::max<size_t>(1, table.num_rows()))) {
      return Infeasible("More controllers than rows: " TADA_OPTION("controllers={}") ", rows={}", plan.controllers,
                        table.num_rows());
    }
    return DealRows(plan, bound, table);
  }
  const Column& column = table.column(*bound.controller_column);
  std::vector<Controller> controllers = ControllersOf(column, plan);
  TADA_CHECK_OK(CheckSections(plan, column, controllers));
  return controllers;
}

}  // namespace tada
