#pragma once

// Option values as parts of a plan. Each reads its own options, and says which one is wrong; whether parts go together is asked when the
// plan is complete (plan/check_plan.h).

#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace tada {

/// The columns of a role, with what the file says of them.
Result<std::vector<PlannedColumn>> ReadRole(const PlanFile& file, const OptionValues& values, std::string_view role);

/// --pseudonym, --shift-dates COLUMN[:day|month|year], and the key and domain of both.
Status ReadPseudonyms(const OptionValues& values, Plan& plan);

/// --person <column>[:together|apart]: columns that together name a person, and how people are counted. Pre: pseudonyms are read.
Status ReadPeople(const OptionValues& values, Plan& plan);

/// Controllers and what each of them asks for. Pre: the requirement is read.
Status ReadControllers(const PlanFile& file, const OptionValues& values, Plan& plan);

/// --hierarchy <column>=<file> or <column>=<builder>; a column's name may hold equal signs, a builder holds none. Pre: roles are read.
Status ReadHierarchies(const OptionValues& values, Plan& plan);

/// How cells are released. Pre: roles are read.
Status ReadCells(const OptionValues& values, Plan& plan);

}  // namespace tada
