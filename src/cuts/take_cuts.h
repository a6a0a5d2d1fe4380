#pragma once

// Takes the cuts of a release from the groups that it was made of.

#include <span>

#include "base/workers.h"
#include "cuts/cuts.h"
#include "groups/groups.h"
#include "plan/plan.h"
#include "recode/recoder.h"

namespace tada {

struct CutsSource {
  const Table& table;
  const Roles& roles;
  const Groups& groups;  ///< with boxes that remember their cuts; with levels; or, of clusters, with neither
  Task task = Task::kNone;
  std::string method;
  const RecodeOptions& recode;
};

/// Pre: one data controller, and a method that CanSaveCuts.
Cuts TakeCuts(const CutsSource& source, Plan plan, const Workers& workers);

/// Ok if the cuts of this plan can be saved; else the error names what cannot.
Status CanSaveCuts(const Plan& plan, Task task, const std::string& method);

}  // namespace tada
