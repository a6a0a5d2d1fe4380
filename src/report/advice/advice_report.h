#pragma once

// Advice for a terminal, as a file for machines, which --from reads again, and as a page to choose from.

#include <string>
#include <string_view>

#include "frontier/joint.h"

namespace tada {

/// What the command line was, for files that refer to themselves.
struct AdviceSource {
  std::string input;    ///< path
  std::string command;  ///< that made it
  std::string file;     ///< the advice, as --from takes it; "" if it goes nowhere
};
/// For a terminal: the frontier and places to start, or what to try where nothing was found.
std::string AdviceText(const Advice& advice, const Joint& joint, const AdviseOptions& options,
                       const AdviceSource& source);
std::string AdviceJson(const Advice& advice, const Joint& joint, const Plan& plan, const AdviseOptions& options,
                       const AdviceSource& source);
std::string AdviceHtml(const Advice& advice, const Joint& joint, const Plan& plan, const AdviseOptions& options,
                       const AdviceSource& source);

/// A rule or candidate chosen from an advice file, as a plan that releases it and requires its k.
struct ChosenRule {
  std::string input;
  Plan plan;
};
Result<ChosenRule> ChooseRule(std::string_view json, const std::string& path, const std::string& id);

}  // namespace tada
