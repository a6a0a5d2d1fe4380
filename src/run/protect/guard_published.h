#pragma once

// Nobody shall publish names, e-mail addresses or other columns that identify by mistake: such a column is released as a
// quasi-identifier with a hierarchy, or not at all, unless the plan allows it (--allow). Places and dates may also be
// quasi-identifiers as they are: they come out as sets and intervals.

#include <string>
#include <vector>

#include "plan/plan.h"
#include "table/table.h"

namespace tada {

/// A column that identifies and that a plan releases unprotected.
struct Published {
  std::string column, option;  ///< "email", "--keep"
  std::string what, evidence;  ///< "e-mail addresses"; why it is taken for that
  bool allowed = false;
};

/// All of them, in the order of the options. A quasi-identifier with a hierarchy is protected; where these are in a folder, only
/// `loaded`, whether one was found there for each quasi-identifier, tells which columns have one: without it they are taken to have.
std::vector<Published> FindPublished(const Table& table, const Plan& plan, const std::vector<bool>* loaded = nullptr);

/// kInvalidArgument names the first that is not allowed, what it is taken for and why, and the ways out.
Status GuardPublished(const Table& table, const Plan& plan, const std::vector<bool>* loaded = nullptr);

/// What is to be said of columns that were allowed.
std::vector<std::string> AllowedWarnings(const Table& table, const Plan& plan);

/// What somebody who audits a release should know: its columns that identify, whatever their roles.
std::vector<std::string> IdentifyingNotes(const Table& released, const Plan& plan);

}  // namespace tada
