#include "privacy/check/requirements.h"

#include <algorithm>

#include "base/option_mark.h"
#include "privacy/models/demand.h"
#include "privacy/models/k_anonymity.h"
#include "privacy/models/l_diversity.h"
#include "privacy/models/max_risk.h"
#include "privacy/models/value_counting.h"
#include "privacy/models/value_entries.h"

namespace tada {
namespace {

std::vector<RequirementEntry>& List() {
  // clang-format off
  static std::vector<RequirementEntry> list{
      KAnonymityEntry(),
      LDiversityEntry(),
      ClosenessEntry(),
      LikenessEntry(),
      DisclosureEntry(),
      AlphaEntry(),
      SpreadEntry(),
      MaxRiskEntry(),
      ReferenceEntry(),
      ValueCountingEntry(),
  };
  // clang-format on
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

Result<Requirement> ExpandDemands(const Requirement& requirement, const std::vector<std::string>& sensitive) {
  Requirement expanded = requirement;
  expanded.more.clear();
  for (const Demand& demand : requirement.more) {
    if (demand.name == kMaxRisk) {  // about rows
      expanded.more.push_back(demand);
      continue;
    }
    if (demand.column.empty() || std::ranges::find(sensitive, demand.column) != sensitive.end()) continue;
    const auto nearest = NearestName(demand.column, sensitive);
    return InvalidArgument(TADA_OPTION("{}") " is about a column that is not sensitive: {}", demand.name, demand.column)
        .WithHint(nearest ? fmt::format("Did you mean '{}'?", *nearest) : "Name it in " TADA_OPTION("sensitive") ".");
  }
  for (const std::string& column : sensitive) {
    for (const RequirementEntry& entry : Requirements()) {
      const Demand* demand = entry.name == kMaxRisk ? nullptr : DemandFor(requirement, entry.name, column);
      if (demand == nullptr) continue;
      expanded.more.push_back(*demand);
      expanded.more.back().column = column;
    }
  }
  return expanded;
}

Result<Requirement> ResolveDemands(const Requirement& requirement, std::span<const CountedColumn> sensitive) {
  std::vector<std::string> names;
  for (const CountedColumn& column : sensitive) {
    if (column.source != nullptr) names.push_back(column.source->name());
  }
  TADA_TRY(resolved, ExpandDemands(requirement, names));
  for (Demand& demand : resolved.more) {
    const auto entry = std::ranges::find(Requirements(), demand.name, &RequirementEntry::name);
    if (entry == Requirements().end() || entry->resolve == nullptr) continue;
    const auto column = std::ranges::find_if(sensitive, [&](const CountedColumn& counted) {
      return counted.source != nullptr && counted.source->name() == demand.column;
    });
    TADA_TRY(better, entry->resolve(demand, *column));
    demand = std::move(better);
  }
  return resolved;
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
