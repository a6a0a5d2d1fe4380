#pragma once

// What the report says about density clustering: clusters, noise, and where on the curve of distances eps lies.

#include <cstdint>
#include <string>
#include <vector>

#include "learn/clusters/dbscan.h"
#include "partition/engine/problem.h"

namespace tada {

struct DensityRecord {
  uint64_t rows = 0, noise_rows = 0, min_points = 0;
  double eps = 0;
  Knee knee;                            ///< without a curve if eps was given
  std::vector<uint64_t> cluster_sizes;  ///< as found, largest first, noise left out
  uint64_t groups = 0;                  ///< after clusters that fail the requirement joined others
  std::string noise_as = "attached";
  size_t sampled = 0;  ///< points that were tested; 0: all
};

/// Adds the section, and a warning where clusters come from a sample.
void ReportDensity(const DensityRecord& record, StageNotes& notes);

}  // namespace tada
