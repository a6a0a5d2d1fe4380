#include "plan/policy.h"

#include <fmt/format.h>

#include <cmath>

#include "base/disk/toml_file.h"
#include "base/disk/whole_file.h"
#include "base/option_mark.h"
#include "plan/plan.h"
#include "table/number.h"

namespace tada {
namespace {

Result<Policy> RiskPolicy(const std::string& profile) {
  const auto risk = ParseNumber(std::string_view(profile).substr(5));
  if (!risk || !(*risk > 0) || *risk > 1) {
    return InvalidArgument(TADA_OPTION("profile=risk:<share>") " takes a share above 0 and at most 1, not '{}'",
                           profile.substr(5))
        .WithHint("For example: " TADA_OPTION("profile=risk:0.09"));
  }
  // 1/k may not be above it: 1/11 is above .09, so that is 12.
  auto k = static_cast<int64_t>(std::ceil(1 / *risk));
  while (1.0 / static_cast<double>(k) > *risk) ++k;
  while (k > 1 && 1.0 / static_cast<double>(k - 1) <= *risk) --k;
  return Policy{.name = profile, .k = k};
}

Status ReadKey(const std::string& path, const toml::key& key, const toml::node& node, Policy& policy) {
  const auto at = [&](std::string message, std::string hint = "") {
    return InvalidArgument("{}:{}: {}", path, key.source().begin.line, message).WithHint(std::move(hint));
  };
  std::string name(key.str());
  for (char& c : name) c = c == '_' ? '-' : c;
  if (name == "name") {
    if (!node.is_string()) return at("name takes a text in quotes");
    policy.name = *node.value<std::string>();
    return Ok();
  }
  for (const auto& [known, number] : {std::pair{"k", &policy.k}, std::pair{"l", &policy.l}}) {
    if (name != known) continue;
    const auto value = node.value<int64_t>();
    if (!node.is_integer() || *value < 1) return at(fmt::format("{} takes a whole number of at least 1", name));
    *number = *value;
    return Ok();
  }
  for (const auto& [known, flag] :
       {std::pair{"no-identifiers", &policy.no_identifiers}, std::pair{"top-ages", &policy.top_ages},
        std::pair{"zip3", &policy.zip3}, std::pair{"years", &policy.years},
        std::pair{"no-pseudonyms", &policy.no_pseudonyms}}) {
    if (name != known) continue;
    if (!node.is_boolean()) return at(fmt::format("{} takes true or false", name));
    *flag = *node.value<bool>();
    return Ok();
  }
  return at(fmt::format("unknown key of a profile: {}", key.str()),
            "Known keys are: name, k, l, no-identifiers, top-ages, zip3, years, no-pseudonyms.");
}

Result<Policy> FilePolicy(const std::string& path) {
  const auto text = ReadWholeFile(path);
  if (!text.ok()) {
    return InvalidArgument(TADA_OPTION("profile") " names no policy that is known, and no file that can be read: {}",
                           path)
        .WithHint("Known are cms, risk:<share> and hipaa-safe-harbor; a file of your own ends in .toml.");
  }
  TADA_TRY(parsed, ParseToml(*text, path));
  Policy policy;
  for (auto&& [key, node] : parsed) TADA_CHECK_OK(ReadKey(path, key, node, policy));
  if (policy.name.empty()) policy.name = path;
  return policy;
}

}  // namespace

std::vector<std::string> Policy::Rules() const {
  std::vector<std::string> rules;
  if (name.empty()) return rules;
  rules.push_back(fmt::format("Profile {}", name));
  if (name == "cms") rules.emplace_back("No cell of 1 to 10 people is released");
  if (name.starts_with("risk:")) rules.push_back(fmt::format("Nobody is found with a chance above {}", name.substr(5)));
  if (k > 1) rules.push_back(fmt::format("k is at least {}", k));
  if (l > 1) rules.push_back(fmt::format("l is at least {}", l));
  if (no_identifiers)
    rules.emplace_back(
        "No column of the eighteen classes of identifiers is released, and no place smaller than a state");
  if (zip3) rules.emplace_back("ZIP codes have their first three digits; areas of 20,000 people and fewer are 000");
  if (years) rules.emplace_back("No date is finer than a year, as an interval neither");
  if (top_ages) rules.emplace_back("Ages of 90 and more are one cell, 90");
  if (no_pseudonyms) rules.emplace_back("Neither pseudonyms nor shifted dates are released");
  if (name == "hipaa-safe-harbor") {
    rules.emplace_back(
        "This certifies nothing: identifiers are found by names and shapes, and the rule also asks that nobody "
        "involved knows how to find somebody");
  }
  return rules;
}

Result<Policy> ReadPolicy(const std::string& profile) {
  if (profile.empty()) return Policy{};
  if (profile == "cms") return Policy{.name = profile, .k = 11};
  if (profile.starts_with("risk:")) return RiskPolicy(profile);
  if (profile == "hipaa-safe-harbor") {
    return Policy{
        .name = profile, .no_identifiers = true, .top_ages = true, .zip3 = true, .years = true, .no_pseudonyms = true};
  }
  return FilePolicy(profile);
}

Status RefuseProtection(const Plan& plan, std::string_view command) {
  const std::string_view option = !plan.pseudonym.empty()     ? "pseudonym"
                                  : !plan.shift_dates.empty() ? "shift-dates"
                                  : !plan.profile.empty()     ? "profile"
                                                              : "";
  if (option.empty()) return Ok();
  return InvalidArgument("'tada {}' does not know {}: it is for 'tada anonymize' and 'tada audit'", command, option)
      .WithHint("Leave it out of the plan.");
}

Status RefuseRecoding(const Plan& plan, std::string_view command) {
  const std::string_view option = plan.withhold > 0          ? "withhold"
                                  : !plan.clip.empty()       ? "clip"
                                  : !plan.importance.empty() ? "importance"
                                  : plan.recode != "cells"   ? "recode"
                                                             : "";
  if (option.empty()) return Ok();
  return InvalidArgument("'tada {}' does not know {}: it is for 'tada anonymize' and 'tada evaluate'", command, option)
      .WithHint("Leave it out of the plan.");
}

}  // namespace tada
