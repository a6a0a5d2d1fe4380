#pragma once

// Mondrian for the queries of a workload: of all splits that meet the requirement the one after which the queries are
// answered best. docs/algorithms/workload.md
//   imprecision   of a query that counts: the rows of all groups that it touches, beside its own.
//   mixed         of a query with a target: how mixed the target is inside the groups, among the rows that the query selects.
// Each query's share is divided by what it is before the first split and multiplied by its weight; a split on a column that a
// query does not see brings it nothing. Where no query gains, the median decides.

#include <memory>

#include "partition/mondrian/mondrian.h"
#include "partition/mondrian/workload.h"

namespace tada {

/// The stage "workload". `with_labels` adds one query per label, over all rows, by the labels' weights.
std::unique_ptr<Stage> MakeWorkloadStage(std::vector<Query> queries, bool with_labels, MondrianOptions median);
/// --workload, for the methods that take one.
OptionSpec WorkloadOptionSpec();

}  // namespace tada
