#include "privacy/requirement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tada {

bool ComparesDistributions(const Demand& demand) {
  return demand.name == "closeness" || demand.name == "likeness" || demand.name == "disclosure";
}

bool ComparesDistributions(const Requirement& requirement) {
  return std::ranges::any_of(requirement.more, [](const Demand& demand) { return ComparesDistributions(demand); });
}

std::string DiversityName(const Requirement& requirement) {
  switch (requirement.diversity) {
    case Diversity::kDistinct:
      return "distinct";
    case Diversity::kEntropy:
      return "entropy";
    case Diversity::kRecursive:
      return fmt::format("recursive:{}", requirement.c);
  }
  return "";
}

std::string_view PersonsName(Persons persons) {
  switch (persons) {
    case Persons::kRows:
      return "rows";
    case Persons::kTogether:
      return "together";
    case Persons::kApart:
      return "apart";
  }
  return "";
}

std::vector<std::string> DemandItems(const Demand& demand) {
  std::vector<std::string> items{demand.column.empty() ? demand.limit
                                                       : fmt::format("{}={}", demand.column, demand.limit)};
  if (!demand.kind.empty()) items[0] += ":" + demand.kind;
  for (size_t i = 0; i < demand.values.size(); ++i) {
    if (i == 0) {
      items[0] += ":" + demand.values[0];
    } else {
      items.push_back(demand.values[i]);
    }
  }
  return items;
}

std::string DemandText(const Demand& demand) { return fmt::format("{}", fmt::join(DemandItems(demand), ",")); }

}  // namespace tada
