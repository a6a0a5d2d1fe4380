#pragma once

// What is to be said of an input to whoever runs tada on it: how it was read where that is not plain to see. Not for those who get a
// release: rows of the raw table are named.

#include <string>
#include <vector>

#include "files/read.h"
#include "plan/plan.h"

namespace tada {

/// What the text was written in, if not UTF-8; columns that are numbers or dates but for a few words; years of two digits.
std::vector<std::string> InputNotes(const TableFile& file, const Plan& plan);

/// kInvalidArgument if the values of a quasi-identifier can be read in several ways: the error says which, and asks.
Status CheckDecided(const Table& table, const Plan& plan);

}  // namespace tada
