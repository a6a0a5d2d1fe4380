#pragma once

// What reports say in sentences: how a method works, and what a release does not protect against.

#include <string>
#include <vector>

#include "run/audit/outcome.h"

namespace tada {

/// How the release was made: what each stage says about itself, and how cells are formed.
std::string MethodWords(const Outcome& outcome);

/// What was reached, as one statement about the people in the table.
std::string VerdictWords(const Outcome& outcome);

/// What somebody could still learn, given what this plan asks and releases; plain text, one item each.
std::vector<std::string> LimitWords(const Outcome& outcome);

/// What the release loses, in numbers: "information loss (NCP): 0.1234", and by leaves where columns have hierarchies.
std::string LossWords(const Outcome& outcome);

/// How far from the least possible loss the release is, at most, as a sentence: for whoever has the input. "" if that is not known.
std::string AboveLeastWords(const Outcome& outcome);

/// NCP with columns weighed as --importance says; nothing without it.
std::optional<double> WeightedNcp(const Outcome& outcome);

/// The rows that were left out, and NCP with them: for whoever has the input. "" if there are none.
std::string WithheldWords(const Outcome& outcome);

/// Of a method that recodes whole columns: the levels that it chose and what came next, in lines that end; "" of others.
std::string LevelLines(const Outcome& outcome);

/// Names in a sentence: "age, zip and job".
std::string NameList(const std::vector<std::string>& names);

/// What each requirement that was asked for gives, in a sentence for somebody who answers for the data.
std::vector<std::string> PlainWords(const Requirement& requirement);

/// "t of salary 0.1987, asked 0.2".
std::string ReachedWords(const ReachedDemand& demand);

}  // namespace tada
