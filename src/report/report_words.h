#pragma once

// What reports say in sentences: how a method works, and what a release does not protect against.

#include <string>
#include <vector>

#include "run/outcome.h"

namespace tada {

/// How the run's method works: its own words, or one sentence per stage.
std::string MethodWords(const Outcome& outcome);

/// What was reached, as one statement about the people in the table.
std::string VerdictWords(const Outcome& outcome);

/// What somebody could still learn, given what this plan asks and releases; plain text, one item each.
std::vector<std::string> LimitWords(const Outcome& outcome);

/// What the release loses, in numbers: "information loss (NCP): 0.1234", and by leaves where columns have hierarchies.
std::string LossWords(const Scorecard& score);

/// Names in a sentence: "age, zip and job".
std::string NameList(const std::vector<std::string>& names);

}  // namespace tada
