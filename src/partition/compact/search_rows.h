#pragma once

// What the local search of `compact` knows about the rows, made once and only read afterwards.
//   tuple   a combination of quasi-identifier values that occurs; rows with equal values share one.
//   near    for a tuple: the tuples nearest to it; for a row with a rare sensitive value: rows nearest to it that hold the
//           same value, the only ones it can change places with where the requirement needs that value.
// Rows are numbered from 0 within the problem; row_ids maps them to the table. Tuples are numbered by where they are, and rows
// by their tuples, because the search asks for what is near and finds it in the cache then.

#include <cstdint>
#include <span>
#include <vector>

#include "learn/neighbours/mixed_points.h"
#include "partition/compact/row_labels.h"
#include "partition/engine/loss_model.h"
#include "partition/engine/problem.h"

namespace tada {

struct SearchRows {
  std::vector<RowId> row_ids;
  MixedPoints tuples;
  std::vector<uint32_t> tuple_of;        ///< by row
  std::vector<uint32_t> first_of_tuple;  ///< by tuple, and the end: the first of its rows, which follow one another
  std::vector<uint32_t> near_tuples;     ///< near_count a tuple, nearest first; the tuple itself where there are fewer
  uint32_t near_count = 0;
  std::vector<uint32_t> first_same, same_value;  ///< by row, and the end: rows with the same rare sensitive value
  /// Whether rows with another than the most frequent sensitive value are too few for groups of the smallest size: then they
  /// decide how many groups there can be, and their own kind is what they look at first.
  bool scarce = false;
  uint32_t num_sensitive = 0;
  std::vector<Code> sensitive;  ///< num_sensitive a row, as the checker numbers values
  RowLabels labels;             ///< empty if they have no share in the loss
  uint64_t cut_short = 0;       ///< searches for near tuples that are approximate

  size_t size() const { return row_ids.size(); }
  std::span<const uint32_t> NearTuples(uint32_t tuple) const {
    return std::span(near_tuples).subspan(size_t{tuple} * near_count, near_count);
  }
  std::span<const uint32_t> SameValue(uint32_t row) const {
    if (first_same.empty()) return {};
    return std::span(same_value).subspan(first_same[row], first_same[row + 1] - first_same[row]);
  }
};

/// Tuples, their neighbours and sensitive values of `rows`.
/// `label_share` of the loss is what is lost of the label.
SearchRows MakeSearchRows(const Problem& problem, const LossModel& loss, std::vector<RowId> rows,
                          double label_share = 0);

}  // namespace tada
