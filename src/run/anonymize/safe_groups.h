#pragma once

// Groups formed by the quasi-identifiers alone (--safe K): of at least K rows, and nothing else has a say in it.

#include <vector>

#include "groups/groups.h"
#include "run/bind/workplaces.h"

namespace tada {

/// What groups are formed by: with --safe a number of rows and nothing else, so that no value has a say in it.
Requirement RequirementOfGroups(const Plan& plan, const Requirement& asked);

/// What is counted for it: with --safe people, where rows may be anybody's, and nothing else.
std::vector<CountedColumn> CountedForGroups(const Plan& plan, const Requirement& asked, const Workplace& place);

/// Groups that were formed without looking at values hold or don't: there is no second try, which would tell about the first.
Status CheckSafe(const Plan& plan, const Workplace& place, size_t part, const Controller& asked, const Groups& groups);

}  // namespace tada
