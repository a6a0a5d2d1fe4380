#pragma once

// Whether the parts of a plan go together. Each check is about one thing; CheckPlan (plan/plan.h) asks all of them.

#include "plan/plan.h"
#include "plan/policy.h"

namespace tada {

/// A column has one role.
Status CheckRoles(const Plan& plan);
/// What is allowed has to be released: a name that is misspelled would allow nothing.
Status CheckAllowed(const Plan& plan);
/// Whether people can be counted as the requirement asks.
Status CheckPeople(const Plan& plan);
/// Whether pseudonyms and shifted dates have what they need.
Status CheckPseudonyms(const Plan& plan);
/// Bounds of boxes are for boxes, and a fixed size of groups has to be large enough.
Status CheckCells(const Plan& plan);
/// What is weighed and clipped has to be there, and cells of one kind are not those of another.
Status CheckOutliers(const Plan& plan);

/// What the policy of --profile sets, and that nothing which was asked is weaker.
Status FollowPolicy(const Policy& policy, const OptionValues& values, Plan& plan);

}  // namespace tada
