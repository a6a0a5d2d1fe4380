#pragma once

// What a plan asks of cuts: cells that end where they were made (--range cut, --domain), and cuts that are saved (--save-cuts).

#include <vector>

#include "partition/registry.h"
#include "recode/recoder.h"
#include "run/anonymize/anonymize.h"

namespace tada {

/// Whether the groups of the plan's method are boxes of cuts.
bool HasBoxes(const Plan& plan, const BoundPlan& bound, const MethodEntry& method);

/// Whether the method can do what the plan asks of its cuts: boxes, or groups by the quasi-identifiers alone.
Status CheckCuts(const Plan& plan, const BoundPlan& bound, const MethodEntry& method);

/// Where boxes end that were never cut, one per quasi-identifier; null: where the column says.
Result<std::vector<const DomainBounds*>> FindDomainBounds(const Plan& plan, const Table& table, const Roles& roles,
                                                          const ColumnHierarchies& hierarchies);

/// Takes the cuts for --save-cuts, before cells are made of them.
void TakeCutsOf(const Table& table, const Plan& plan, const RecodeOptions& options, const Workers& workers,
                Anonymized& result);

}  // namespace tada
