#pragma once

// Clusterings of raw rows, and how surely a reader of cells would find each row's cluster in them (see cluster_polish.h).

#include <cstdint>
#include <span>
#include <vector>

#include "learn/neighbours/points.h"
#include "partition/engine/problem.h"

namespace tada {

class ClusterViews {
 public:
  /// `cells`: what is released as cells, `kept`: what is released as it is; point by point the same rows.
  ClusterViews(const Problem& problem, const Points& cells, const Points& kept);

  /// How near the middle of a cell is to each centroid of each view, in the features that are cells: 1 to the nearest of a view.
  using Nearness = std::vector<double>;
  void Look(std::span<const double> middle, Nearness& nearness) const;
  /// The doubts of some rows whose cell has that middle, summed over the rows, the mean over the views.
  template <class Rows>
  double Doubt(const Nearness& nearness, const Rows& rows) const {
    Sum sum;
    for (const uint32_t row : rows) Add(nearness, row, sum);
    return sum.Doubt() / static_cast<double>(views_.size());
  }

 private:
  struct View {
    size_t first = 0, clusters = 0;    // of its centroids among those of all views
    std::vector<uint32_t> cluster_of;  // by row
  };
  // Logarithms are taken of products, since they are what costs time.
  struct Sum {
    double logs = 0, product = 1;
    void Add(double chance);
    double Doubt() const;
  };
  void Add(const Nearness& nearness, uint32_t row, Sum& sum) const;

  size_t features_;
  size_t centroids_ = 0;  // of all views
  std::vector<View> views_;
  std::vector<double> cells_of_centroid_;  // centroid by centroid
  std::vector<double> kept_nearness_;      // row by row: to each centroid, in the kept columns
};

}  // namespace tada
