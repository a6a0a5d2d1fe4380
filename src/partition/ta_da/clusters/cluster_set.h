#pragma once

// Clusters of rows while they are being repaired: members, means, and whether each meets the requirement.
//   point       a row of the group that is clustered, by its position there.
//   signature   the sensitive values of a point, as one number: points with equal signatures are the same to the checker.

#include <cstdint>
#include <span>
#include <vector>

#include "learn/neighbours/points.h"
#include "partition/engine/problem.h"

namespace tada {

class ClusterSet {
 public:
  ClusterSet(const Problem& problem, std::span<const RowId> rows, const Points& points,
             std::vector<uint32_t> cluster_of, size_t num_clusters);

  uint32_t count() const { return static_cast<uint32_t>(members_.size()); }
  const std::vector<uint32_t>& members(uint32_t cluster) const { return members_[cluster]; }
  uint32_t cluster_of(uint32_t point) const { return cluster_of_[point]; }
  uint32_t signature(uint32_t point) const { return signature_[point]; }
  bool empty(uint32_t cluster) const { return members_[cluster].empty(); }
  /// Whether a cluster, which is not empty, meets the requirement now.
  bool holds(uint32_t cluster) const { return holds_[cluster] != 0; }
  const double* mean(uint32_t cluster) const { return means_.data() + cluster * points_.features; }
  double Distance(uint32_t point, uint32_t cluster) const;
  /// The clusters that fail, ascending.
  std::vector<uint32_t> Failing() const;
  /// Clusters that are not empty and meet the requirement, ascending.
  std::vector<uint32_t> Holding() const;

  /// Whether a cluster would meet the requirement without one of its points (or all of them but none: kNoPoint) and with
  /// another one. Counts the members anew.
  static constexpr uint32_t kNoPoint = UINT32_MAX;
  bool WouldHold(uint32_t cluster, uint32_t without, uint32_t with) const;
  /// The tally of a cluster; valid until the next question.
  const Tally& Count(uint32_t cluster) const;

  /// Moves a point and learns anew whether both clusters hold. The means stay as they are until UpdateMeans().
  void Move(uint32_t point, uint32_t to);
  /// Puts all points of `from` into `to`; the mean of `to` moves at once, weighted by size.
  void Merge(uint32_t from, uint32_t to);
  void UpdateMeans();

  const Problem& problem() const { return problem_; }
  const Points& points() const { return points_; }
  RowId row(uint32_t point) const { return rows_[point]; }
  /// The clusters that are left, as groups.
  std::vector<std::vector<RowId>> AsLists() const;

 private:
  void Take(uint32_t point);
  void Learn(uint32_t cluster);

  const Problem& problem_;
  std::span<const RowId> rows_;
  const Points& points_;
  std::vector<uint32_t> cluster_of_, signature_, slot_;
  std::vector<std::vector<uint32_t>> members_;
  std::vector<double> means_;
  std::vector<uint8_t> holds_;
  mutable Tally tally_;
};

}  // namespace tada
