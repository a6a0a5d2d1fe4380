#include "privacy/requirement.h"

#include <fmt/format.h>

#include <algorithm>

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

Requirement Weaker(const Requirement& a, const Requirement& b) {
  Requirement weaker = a;
  weaker.k = std::min(a.k, b.k);
  weaker.l = std::min(a.l, b.l);
  weaker.c = std::max(a.c, b.c);
  if (a.diversity != b.diversity) weaker.diversity = Diversity::kDistinct;  // which the others imply
  return weaker;
}

}  // namespace tada
