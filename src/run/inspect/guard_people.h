#pragma once

// Nobody shall release visits for patients unwarned: where a column looks like an identifier of people, repeats, and the plan
// says neither who the people are (--person) nor that every row is one (--rows-are-people), nothing is released.

#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "table/table.h"

namespace tada {

/// Whether a column's name says that it identifies people: "patient_id", "Kundennummer", "SSN".
bool NamesPeople(std::string_view name);

/// Whether the values of a column could name people with several rows each: many, and not all different.
bool RepeatsPeople(const Column& column);

/// The columns that have to be looked at before a release; none if the plan says who the people are.
std::vector<std::string> ColumnsToGuard(const Plan& plan, const std::vector<std::string>& header);

/// kInvalidArgument if one of these columns repeats, or is not in the table and thus not known not to, with the reason and
/// both ways out.
Status GuardPeople(const Table& table, const std::vector<std::string>& columns);

}  // namespace tada
