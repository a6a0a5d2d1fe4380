#pragma once

// l-diversity (Machanavajjhala et al.): the sensitive values of a group are diverse. Over the counts c1 >= c2 >= ... of a
// group of m rows, for each sensitive column:
//   distinct     at least l of them.     Merging only adds values, so it is kept.
//   entropy      -sum c/m ln(c/m) >= ln l.     Entropy is concave: a mixture has at least the smaller entropy. Kept.
//   recursive    c1 < C (c_l + c_{l+1} + ...).     Kept: see docs/algorithms/mondrian.md.

#include "privacy/requirement_entry.h"

namespace tada {

RequirementEntry LDiversityEntry();

/// The largest l, counted as the requirement says, that every column of a tally has. Pre: all of them are sensitive.
uint64_t ReachedL(const Requirement& requirement, const Tally& tally);

}  // namespace tada
