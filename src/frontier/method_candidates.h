#pragma once

// Candidates that methods make: which are tried, at which k, and what they come to.

#include "base/progress.h"
#include "base/workers.h"
#include "frontier/candidate.h"
#include "frontier/count_errors.h"

namespace tada {

/// Values of k from `low` to `high`, about evenly spaced by their ratios: 2, 5, 10, 20 ...; more of them if `wide`. Always has `need`.
std::vector<int64_t> KValues(uint64_t low, uint64_t high, uint64_t need, bool wide);

/// Tries the methods of the options and appends what could be made. What takes long on a table of this size is tried at few k, or not at all
/// (`joint.not_tried`), by the size of the table alone: the same table gives the same candidates on any machine.
Status AddMethods(const Ground& ground, const CountErrors& errors, const Plan& plan, const JointOptions& options,
                  const std::vector<int64_t>& ks, Joint& joint, const Workers& workers, Progress& progress);

}  // namespace tada
