#pragma once

// The first stage of TA_DA for clustering (De Capitani di Vimercati et al., section IV-B): groups rows by a k-means in which every
// cluster has at least k rows, then repairs clusters that are short of l. docs/algorithms/ta_da_clustering.md

#include <memory>
#include <optional>
#include <vector>

#include "learn/clusters/encoding.h"
#include "partition/engine/problem.h"
#include "partition/ta_da/clusters/cluster_repair.h"

namespace tada {

struct KMeansStageOptions {
  /// Clusters of each group; by default rows / (2k), since Mondrian can't split less than 2k rows, and no more than l allows.
  std::optional<uint64_t> clusters;
  uint32_t iterations = 30;
  double tolerance = 1e-4;
  uint32_t restarts = 1;
  bool exact_flow = false;
  /// Clusters on the columns to keep, too, as the paper does. They're released as they are, so likeness on them protects
  /// nothing and widens the quasi-identifiers.
  bool all_columns = false;
  NameEncoding encoding = NameEncoding::kCodes;
  RepairKind repair = RepairKind::kMove;
};

std::unique_ptr<Stage> MakeKMeansStage(KMeansStageOptions options);
std::vector<OptionSpec> KMeansOptionSpecs();
KMeansStageOptions KMeansOptionsFrom(const OptionValues& values);

/// The most groups that rows with this tally can be cut into when each needs l different values of every sensitive column: the
/// largest m with sum over values of min(count, m) >= l m. Every kind of l-diversity needs l different values.
uint64_t MostDiverseGroups(const Tally& tally, uint64_t l);

}  // namespace tada
