#pragma once

// DOP's first phase: groups of rows that lie densely together (learn/clusters/dbscan.h), each of which meets the requirement.
//   weight   how much a column counts in distances between rows; columns are scaled to [0, 1] first.
//   noise    rows in no dense place: joined to the nearest cluster, kept as one group, or set aside to be masked.
// Clusters that do not meet the requirement join the nearest one that does.

#include <memory>
#include <optional>

#include "base/option.h"
#include "partition/engine/problem.h"

namespace tada {

struct DensityOptions {
  /// kCardinality is the paper's: the more values, the more weight. It makes Bank one-dimensional (balance has .987).
  enum class Weights { kUniform, kCardinality, kInverse };
  Weights weights = Weights::kUniform;
  std::optional<double> eps;           ///< by default the knee of the curve of distances
  std::optional<uint64_t> min_points;  ///< by default max(k, 2 x columns)
  /// What becomes of noise. kKeep and kMask need noise that meets the requirement as one group; other noise is attached.
  enum class Noise { kAttach, kKeep, kMask };
  Noise noise = Noise::kAttach;
};

std::vector<OptionSpec> DensityOptionSpecs();
DensityOptions DensityOptionsFrom(const OptionValues& values);

/// The stage. Noise that is kept or masked comes back as the masked group; the stage that follows must set it aside.
std::unique_ptr<Stage> MakeDbscanStage(DensityOptions options);

}  // namespace tada
