#include "privacy/requirement.h"

#include <fmt/format.h>

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

}  // namespace tada
