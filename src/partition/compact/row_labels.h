#pragma once

// The labels of rows, as the local search of `compact` counts them when the label has a share in the loss (--label-share).
//   place     where a row's label is summed up in a group: a class, or the one place of a numeric label.
//   value     what it adds there: 1 for a class, the number for a numeric label, both weighted.
//   mixture   of a group: the sum of squares of its values around their means. For a class label that is rows x Gini
//             impurity, for a number the squared deviations: what is left to guess once a group's cells have been decoded,
//             because inside a group a drawn value says nothing about the label.
// Weights make the loss a search lowers, spans and mixtures of all groups, proportional to
// (1 - share) NCP + share x label loss, where label loss is the mixture of all groups / that of all rows as one.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "partition/engine/problem.h"

namespace tada {

struct RowLabels {
  uint32_t num_labels = 0, num_places = 0;
  std::vector<uint32_t> places;  ///< num_labels a row
  std::vector<double> values;    ///< the same
  double whole = 0;              ///< the mixture of all rows as one group

  bool empty() const { return num_labels == 0; }
};

/// The labels of `rows`; `share` of the loss is theirs, and `cells` is rows x quasi-identifiers. Empty if share is 0.
RowLabels MakeRowLabels(const Problem& problem, std::span<const RowId> rows, double share, double cells);

/// Sums of a group, from which its mixture follows, also with a row more or less.
class MixtureSums {
 public:
  void Clear(uint32_t num_places) {
    sums_.assign(num_places, 0);
    squares_ = squared_sums_ = 0;
    rows_ = 0;
  }
  void Add(const RowLabels& labels, uint32_t row);
  double Mixture() const { return rows_ == 0 ? 0 : std::max(0.0, squares_ - squared_sums_ / rows_); }
  /// The mixture without row `drop` and with row `add`; kNone is no row.
  static constexpr uint32_t kNone = UINT32_MAX;
  double MixtureChanged(const RowLabels& labels, uint32_t drop, uint32_t add) const;

 private:
  std::vector<double> sums_;               // by place
  double squares_ = 0, squared_sums_ = 0;  // of values; of sums
  double rows_ = 0;
};

/// The sum of the mixtures of groups, lists of rows as `labels` numbers them.
double Mixture(const RowLabels& labels, const std::vector<std::vector<uint32_t>>& groups);

}  // namespace tada
