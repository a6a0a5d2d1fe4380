#pragma once

// What the report says about the clusters of the first stage: sizes, the objective, and what the repair had to do. One section for
// all data controllers.

#include "learn/clusters/constrained_kmeans.h"
#include "partition/ta_da/clusters/cluster_repair.h"

namespace tada {

/// What became of the rows of one data controller (or one group).
struct Clustered {
  uint64_t rows = 0;
  Clustering found;
  RepairCounts repair;
  std::vector<uint64_t> sizes;  ///< of the clusters that were left, ascending; not empty
};

/// Adds it to the section on clusters, which is made if it is not there.
void ReportClusters(const Clustered& clustered, StageNotes& notes);

}  // namespace tada
