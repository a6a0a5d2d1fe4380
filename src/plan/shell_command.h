#pragma once

// A plan as the commands somebody would type: for reports ("how to reproduce it") and for the demo.

#include <optional>
#include <string>
#include <string_view>

#include "plan/plan.h"

namespace tada {

/// `word` for a POSIX shell, quoted only where needed.
std::string ShellQuote(std::string_view word);

/// The roles and the requirement of a plan as options: "--quasi age,zip --sensitive disease -k 10 -l 3".
std::string RequirementOptions(const Plan& plan);

/// "tada anonymize <input> --plan tada.toml -o <output>".
std::string AnonymizeCommand(const std::string& input, const std::string& output);

/// The whole plan as one command, "tada anonymize <input> --quasi ... -o <output>"; nothing if only a plan file can say it.
std::optional<std::string> CommandOfPlan(const Plan& plan, const std::string& input, const std::string& output);

/// What else decides how the cells of a table and its release are read, each option with a blank before it: " --missing NA".
std::string ReadingOptions(const Plan& plan);

/// "tada audit <release> --original <input> --quasi ... -k 10": verifies a release of that plan against what was asked of the
/// whole of it.
std::string AuditCommand(const Plan& plan, const Requirement& asked, const std::string& input,
                         const std::string& release);

}  // namespace tada
