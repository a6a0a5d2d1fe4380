#include "privacy/requirement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tada {

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

std::string DemandText(const Demand& demand) {
  std::string text = demand.column.empty() ? demand.limit : fmt::format("{}={}", demand.column, demand.limit);
  if (!demand.kind.empty()) text += ":" + demand.kind;
  if (!demand.values.empty()) text += fmt::format(":{}", fmt::join(demand.values, ","));
  return text;
}

}  // namespace tada
