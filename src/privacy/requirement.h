#pragma once

// What the data owner asks of a release, as plain data. Bound to a table it becomes a Checker (privacy/checker.h);
// the audit reads it too, and has its own idea of how to verify it.

#include <cstdint>
#include <string>

namespace tada {

/// How the l of l-diversity is counted, per sensitive column, over the counts c1 >= c2 >= ... of a group of m rows.
enum class Diversity {
  kDistinct,   ///< at least l different values
  kEntropy,    ///< entropy of the values at least ln l
  kRecursive,  ///< c1 < C * (c_l + c_{l+1} + ...)
};

struct Requirement {
  int64_t k = 5;
  int64_t l = 1;  ///< 1 asks nothing of the sensitive columns
  Diversity diversity = Diversity::kDistinct;
  double c = 3.0;  ///< the C of recursive diversity
};

/// "distinct", "entropy" or "recursive:3".
std::string DiversityName(const Requirement& requirement);

/// What two sets of rows meet together if each meets its own.
Requirement Weaker(const Requirement& a, const Requirement& b);

}  // namespace tada
