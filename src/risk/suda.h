#pragma once

// Special uniques (Elliot, Manning, Ford 2002; Manning, Haglin, Keane 2008): rows that a few columns already tell apart. The fewer
// columns it takes, and the more sets of columns do it, the likelier the person is found.
//   MSU      minimal sample unique: a set of columns in which a row is alone, while it is not in any smaller part of the set.
//   score    of an MSU of s of A columns, where sets of at most M are looked for: the product of A - i over i = s ... M; of a row the
//            sum over its MSUs. M is at most A - 1.
//   share    of a column: the scores of the MSUs that it is in, over all scores.

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/workers.h"

namespace tada {

struct SudaScores {
  size_t largest_set = 0;              ///< M, as it was taken
  std::vector<double> of_row;          ///< 0: no set of at most M columns tells the row apart
  std::vector<uint8_t> smallest;       ///< columns of the row's smallest MSU; 0 without any
  std::vector<double> of_column;       ///< shares; one per column, 0 if nobody scores
  std::vector<uint64_t> rows_by_size;  ///< by columns of the smallest MSU, from 0 on: rows

  double total = 0;
};

/// `columns`: the codes of each, all of one length. Pre: between 1 and 64 columns, largest_set above 0.
SudaScores Suda(std::span<const std::vector<Code>> columns, size_t largest_set, const Workers& workers);

}  // namespace tada
