#include "privacy/check/requirements.h"

#include <algorithm>

#include "privacy/models/k_anonymity.h"
#include "privacy/models/l_diversity.h"
#include "privacy/models/value_counting.h"

namespace tada {
namespace {

std::vector<RequirementEntry>& List() {
  static std::vector<RequirementEntry> list{KAnonymityEntry(), LDiversityEntry(), ValueCountingEntry()};
  return list;
}

}  // namespace

std::span<const RequirementEntry> Requirements() { return List(); }

Status ReadRequirement(const OptionValues& values, Requirement& requirement) {
  for (const RequirementEntry& entry : Requirements()) TADA_CHECK_OK(entry.read(values, requirement));
  return Ok();
}

std::vector<WrittenOption> WriteRequirement(const Requirement& requirement, bool has_sensitive) {
  std::vector<WrittenOption> options;
  for (const RequirementEntry& entry : Requirements()) {
    for (WrittenOption& option : entry.write(requirement, has_sensitive)) options.push_back(std::move(option));
  }
  return options;
}

Status CheckRequirement(const Requirement& requirement, bool has_sensitive) {
  for (const RequirementEntry& entry : Requirements()) TADA_CHECK_OK(entry.check(requirement, has_sensitive));
  return Ok();
}

OptionSpecs RequirementOptionSpecs() {
  OptionSpecs specs;
  for (const RequirementEntry& entry : Requirements()) {
    for (const OptionSpec& option : entry.options) specs.emplace_back(option).in_plan = true;
  }
  return specs;
}

bool AsksForRequirement(const OptionValues& values) {
  const OptionSpecs specs = RequirementOptionSpecs();
  return std::ranges::any_of(specs, [&](const OptionSpec& spec) { return values.Has(spec.name); });
}

Requirement Weaker(const Requirement& a, const Requirement& b) {
  Requirement weaker = a;
  for (const RequirementEntry& entry : Requirements()) entry.weaken(b, weaker);
  return weaker;
}

std::string IdleRequirement(const Requirement& requirement) {
  std::string words;
  for (const RequirementEntry& entry : Requirements()) {
    const std::string idle = entry.idle == nullptr ? "" : entry.idle(requirement);
    if (!idle.empty()) words += (words.empty() ? "" : " ") + idle;
  }
  return words;
}

AddedRequirement::AddedRequirement(RequirementEntry entry) { List().push_back(std::move(entry)); }
AddedRequirement::~AddedRequirement() { List().pop_back(); }

}  // namespace tada
