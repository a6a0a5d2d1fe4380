#pragma once

// The best full-domain recoding: searches all level vectors for the one that loses least, as ARX does, and prunes by what
// never falls on the way down. docs/algorithms/rules.md
//   lattice    all level vectors.     bound   what a vector loses at least, known without looking at its classes.
// Two facts prune. Outliers: lowering levels only splits classes, so a vector has at least as many outliers as any vector
// above it; those of all pairs of columns (the others at their tops) are counted first. Loss: masking never costs less than
// showing, so a vector loses at least what its levels cost on all rows, plus what masking its known outliers adds.

#include "partition/engine/method.h"
#include "partition/full_domain/full_domain.h"

namespace tada {

MethodEntry OptimalMethod();

/// The best vector, its loss, and how many vectors were looked at; for tests.
struct OptimalResult {
  std::vector<uint8_t> levels;
  double loss = 0;
  std::vector<LevelChoice> next;  ///< feasible ones that come next, best first; the first is the second best of all
  uint64_t lattice = 0, evaluated = 0;
};
Result<OptimalResult> FindOptimal(const Problem& problem, std::span<const RowId> rows, bool prune = true);

}  // namespace tada
