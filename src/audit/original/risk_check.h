#pragma once

// The risk of individuals (--max-risk), as the audit measures it: the table is a sample, and of f members of a class that stand for F people of the
// population somebody is found with the mean of 1/people, people being negative binomial with f successes of chance p = f / F
// (Franconi, Polettini 2004). That is the integral over s from 0 to 1 of p s^(f-1) / (p + (1-p) s), taken here by double exponential rules.

#include <memory>
#include <optional>

#include "audit/checks/class_check.h"
#include "audit/original/people.h"

namespace tada {

/// The chance of finding a member. Relative error below 1e-10. Pre: members > 0; fewer people than members are taken as the members.
long double ChanceOfFinding(uint64_t members, long double people);

/// The column of weights that is asked for and that the release does not have: the original's rows behind each class are needed.
std::optional<ColumnId> HiddenWeights(const Table& release, const AuditOptions& options);

/// Null if nothing is told of the population. kData if the column of weights holds anything but numbers above 0.
Result<std::unique_ptr<ClassCheck>> MakeRiskCheck(const Table& release, const AuditOptions& options,
                                                  const Classes& classes, const ClassOfOriginal& classes_of,
                                                  const PeopleOfClasses* people);

}  // namespace tada
