#include "run/bind/workplaces.h"

#include <utility>

#include "privacy/check/requirements.h"
#include "privacy/models/max_risk.h"
#include "run/bind/hierarchies.h"
#include "run/inspect/weights.h"

namespace tada {
namespace {

// A column that is counted and not sensitive, with a number for each of its values.
template <class NumbersOf>
Status AddNumbers(const Table& table, ColumnId id, const Requirement& counting, const NumbersOf& numbers_of,
                  std::vector<CountedColumn>& counted) {
  CountedColumn own = CountedColumns(table, {id}, counting).front();
  TADA_TRY(numbers, numbers_of(*std::exchange(own.source, nullptr), own.value_of_code, own.num_values));
  own.own_k = std::move(numbers);
  own.name = table.column(id).name();
  counted.push_back(std::move(own));
  return Ok();
}

// The sensitive columns, and behind them the one in which rows ask for a k of their own and the one with their weights.
Result<std::vector<CountedColumn>> CountedColumnsOf(const Table& table, const BoundPlan& bound,
                                                    const std::vector<Controller>& controllers) {
  const Requirement counting = controllers.empty() ? Requirement() : controllers.front().requirement;
  std::vector<CountedColumn> counted = CountedColumns(table, bound.roles.sensitive, counting);
  if (bound.k_column) TADA_CHECK_OK(AddNumbers(table, *bound.k_column, counting, OwnKOf, counted));
  for (const Controller& controller : controllers) {
    const Demand* risk = RiskDemand(controller.requirement);
    if (risk == nullptr || risk->column.empty() || risk->limit.empty()) continue;
    TADA_TRY(weights, FindColumn(table, risk->column, "weights"));
    TADA_CHECK_OK(AddNumbers(table, weights, counting, WeightsOf, counted));
    break;  // one column for all
  }
  return counted;
}

// Without the hierarchies that sensitive columns are compared by.
Result<Workplace> PlaceOf(const Table& table, const BoundPlan& bound, std::vector<Controller>& controllers) {
  TADA_TRY(counted, CountedColumnsOf(table, bound, controllers));
  std::vector<std::vector<RowId>> parts;
  for (Controller& controller : controllers) parts.push_back(std::move(controller.rows));
  if (bound.person.empty()) return Workplace::OfRows(table, std::move(counted), std::move(parts));
  const PeopleOfRows people = FindPeople(table, bound.person);
  const bool apart = !controllers.empty() && controllers.front().requirement.persons == Persons::kApart;
  if (people.repeated() && apart) return Workplace::OfRowsApart(table, std::move(counted), people, std::move(parts));
  for (Controller& controller : controllers) controller.requirement.persons = Persons::kTogether;
  if (people.repeated()) return Workplace::OfUnits(table, bound.roles, std::move(counted), people, parts);
  return Workplace::OfRows(table, std::move(counted), std::move(parts));
}

}  // namespace

Status ResolveAll(const Workplace& place, std::vector<Controller>& controllers) {
  for (Controller& controller : controllers) {
    TADA_TRY(resolved, ResolveDemands(controller.requirement, place.counted()));
    controller.requirement.more = std::move(resolved.more);
  }
  return Ok();
}

Checker CheckerOf(const Workplace& place, const Requirement& requirement, size_t part) {
  if (requirement.reference == ReferenceRows::kController)
    return {requirement, place.table(), place.counted(), place.rows(part)};  // of many rows a copy takes long
  return {requirement, place.table(), place.counted(), place.ReferenceRowsOf(part, requirement.reference)};
}

Result<Workplace> FindWorkplace(const Table& table, const Plan& plan, const BoundPlan& bound,
                                std::vector<Controller>& controllers) {
  TADA_TRY(place, PlaceOf(table, bound, controllers));
  TADA_TRY(compared, LoadSensitiveHierarchies(plan, table, bound.roles.sensitive));
  place.SetLevels(compared);
  TADA_CHECK_OK(ResolveAll(place, controllers));
  return place;
}

Result<BoundRequirement> BindRequirement(const Plan& plan, const BoundPlan& bound, const Table& table) {
  BoundRequirement made;
  TADA_TRY(controllers, FindControllers(plan, bound, table));
  made.controllers = controllers;
  TADA_TRY(place, FindWorkplace(table, plan, bound, controllers));
  made.place = std::make_unique<const Workplace>(std::move(place));
  for (size_t i = 0; i < controllers.size(); ++i) {
    made.checkers.push_back(CheckerOf(*made.place, controllers[i].requirement, i));
  }
  return made;
}

}  // namespace tada
