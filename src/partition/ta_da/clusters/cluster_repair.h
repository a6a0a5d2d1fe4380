#pragma once

// Makes every cluster meet the requirement when some have too few sensitive values. Clusters have at least
// checker.smallest_group() rows to begin with; what fails is l. docs/algorithms/ta_da_clustering.md#guarantee
//   move    bring in rows with values that a failing cluster lacks, by moving or swapping single rows; dissolve what still fails.
//   merge   the paper: a failing cluster joins the one with the nearest mean.

#include "partition/ta_da/clusters/cluster_set.h"

namespace tada {

enum class RepairKind { kMove, kMerge };

struct RepairCounts {
  uint64_t failing = 0;                ///< clusters that failed before
  uint64_t moved = 0, swapped = 0;     ///< rows moved, pairs swapped
  uint64_t dissolved = 0, merged = 0;  ///< clusters
};

/// Pre:  all rows of `clusters` together meet the requirement.
/// Post: every cluster that is not empty meets it; no row was lost.
RepairCounts RepairClusters(ClusterSet& clusters, RepairKind kind);

}  // namespace tada
