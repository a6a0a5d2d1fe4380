#pragma once

// `--polish clusters`: rows change groups once more, so that whoever clusters the release finds the clusters of the raw rows.
//   view      a k-means clustering of the controller's raw rows, quasi-identifiers and kept columns; six of them, with 3 to 10 clusters,
//             since nobody knows how many a reader will look for.
//   doubt     of a row in a view: how unlikely its own cluster is for a reader who sees the middle of its cell and its kept columns, being
//             minus the logarithm of a softmax over minus the squared distances to the view's centroids.
//   cost      the mean doubt over the views, and a fifth of the squared distance to the middle of the cell, summed over the rows.
// docs/algorithms/ta_da_clustering.md

#include <memory>

#include "learn/clusters/encoding.h"
#include "partition/ta_da/clusters/cluster_set.h"

namespace tada {

struct ClusterPolishCounts {
  uint64_t moves = 0, swaps = 0;
  double cost_before = 0, cost_after = 0;
};

/// Moves and swaps rows between groups where that lowers the cost; looks at every row twice. `kept`: the kept columns as points, in the order
/// of the groups' own; no features if there are none.
/// Pre:  every group meets the requirement and has a row.
/// Post: the same, and the cost has not grown.
ClusterPolishCounts PolishForClusters(ClusterSet& groups, const Points& kept);

/// Unlike other stages it does not refine the groups: rows may go to any group of the same data controller.
std::unique_ptr<Stage> MakeClusterPolishStage(NameEncoding encoding);

}  // namespace tada
