#pragma once

// How far apart rows of different classes are: the pattern map of the decision support paper.
//   distance   of two rows in a column: the lowest level at which they show the same. Levels are nested, so it is the number
//              of levels below the top at which they differ, which vectorizes without a lookup.
//   pattern    the distances of a pair of rows in all columns. Only pairs with different labels are counted: no others can
//              break a rule.
//   key        a pattern as one number, in mixed radix: column c counts for stride_c, the product of the levels before it.
// All pairs are counted, exactly. Beyond a limit of pairs a seeded sample of the rows is taken, and said so.

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "groups/level_rows.h"

namespace tada {

struct PatternOptions {
  /// Pairs to count at most. Counts are 32 bits wide, which this limit keeps safe.
  uint64_t max_pairs = 4'000'000'000;
  uint64_t seed = 1;
  /// What the counters may take; fewer threads count if theirs would take more.
  uint64_t max_bytes = uint64_t{400} << 20;
};

struct Patterns {
  std::vector<uint64_t> keys;     ///< different patterns, the one of equal rows included, in no order
  std::vector<uint32_t> counts;   ///< pairs of each
  std::vector<uint64_t> strides;  ///< of the columns
  std::vector<uint8_t> levels;    ///< number of levels of each column
  uint64_t pairs = 0;             ///< pairs with different labels
  uint64_t equal_pairs = 0;       ///< of these, pairs of rows that are equal in every column
  uint64_t sampled_rows = 0;      ///< rows the pairs were taken from, if not all; else 0

  /// The distances of a key.
  LevelVector Unpack(uint64_t key) const;
};

/// `labels` has the label of each row, below `num_labels`. kInvalidArgument if keys would not fit 64 bits.
Result<Patterns> CountPatterns(const LevelRows& rows, std::span<const uint32_t> labels, uint32_t num_labels,
                               const PatternOptions& options, const Workers& workers, Progress& progress);

/// Keys of the most frequent patterns that cover `percent` of the pairs, ties with the last one included; the pattern of equal rows
/// is left out, since it would forbid every rule.
std::vector<uint64_t> FrequentPatterns(const Patterns& patterns, double percent);

}  // namespace tada
