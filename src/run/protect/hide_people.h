#pragma once

// Pseudonyms and shifted dates: what stands for them in a table before anything else is done with it. Both come from a secret key,
// so that the same person gets the same in every release of a domain, and nobody without the key can find out who it is.
//   pseudonym   HMAC-SHA-256 of domain and value, 32 hexadecimal digits of it. A missing value stays missing.
//   shift       days between -365 and 365, not 0, by HMAC of domain and person, the same for all dates of a person.

#include <set>
#include <string>

#include "plan/plan.h"
#include "table/table.h"

namespace tada {

/// The table with pseudonyms and shifted dates in place of values; the table itself if the plan has none. kInvalidArgument if the
/// key or the domain is missing, or a column to shift holds no dates; kData if a row with a date names nobody.
Result<Table> HidePeople(Table table, const Plan& plan);

/// The columns whose values are no longer those of the input.
std::set<std::string> HiddenColumns(const Plan& plan);

/// What everybody sees of each person by pseudonyms and shifted dates: people with equal numbers have equally many rows and equal
/// gaps between their dates. `person_of`: of each row, numbered without gaps.
std::vector<uint32_t> SharedSigns(const Table& hidden, const Plan& plan, const std::vector<uint32_t>& person_of,
                                  uint32_t people);

}  // namespace tada
