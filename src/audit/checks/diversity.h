#pragma once

// How diverse the sensitive values of a class are: the l that l-diversity would certify for it.
//   counts   how often each different value that counts occurs in the class, largest first (audit/checks/folding.h).
// Machanavajjhala et al., l-Diversity (2007), definitions 4.1 (entropy) and 4.2 (recursive); distinct l is the number of
// values. Equality counts as reached for distinct and entropy and not for recursive, as defined there.

#include <cstdint>
#include <span>

#include "privacy/requirement.h"

namespace tada {

/// The largest l that the class reaches with the requirement's kind of diversity (and C); 0 without any value, else at least 1.
/// Pre: counts are positive and descend.
uint64_t ReachedDiversity(std::span<const uint32_t> counts, const Requirement& requirement);

/// Whether the entropy of the class is at least ln l. Exact: never true for a class whose entropy is below, always true
/// for l values that are equally frequent.
bool EntropyReaches(std::span<const uint32_t> counts, uint64_t l);

}  // namespace tada
