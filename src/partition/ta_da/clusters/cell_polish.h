#pragma once

// The last stage of TA_DA for clustering: rows change groups so that what is released of them comes nearer to them.
//   cell      what a group shows: the box around its rows, which a reader takes for its middle.
//   error     the squared distances of the rows to the middles of their cells, summed. K-means looks at means, Mondrian at
//             medians; but one far row moves the middle of the whole group's cell.
//   width     the sides of a row's cell, each divided by the span of all rows, summed over the rows: what NCP counts.
// docs/algorithms/ta_da_clustering.md

#include <memory>

#include "base/option.h"
#include "learn/clusters/encoding.h"
#include "partition/mondrian/mondrian.h"
#include "partition/ta_da/clusters/cluster_set.h"

namespace tada {

struct PolishCounts {
  uint64_t moves = 0, swaps = 0;
  double error_before = 0, error_after = 0;
  double width_before = 0, width_after = 0;
};

/// Moves and swaps rows between groups as long as error and width, weighed, fall; at most `max_rounds` times over all rows.
/// Pre:  every group meets the requirement and has a row.
/// Post: the same, and neither the weighed sum nor the width has grown.
PolishCounts PolishCells(ClusterSet& groups, uint32_t max_rounds);

struct PolishOptions {
  /// Most looks at every row; 0 leaves the groups as Mondrian made them.
  uint32_t rounds = 10;
  NameEncoding encoding = NameEncoding::kCodes;
  /// Groups that have grown are split once more.
  MondrianOptions mondrian;
};

/// Unlike other stages it does not refine the groups: rows may go to any group of the same data controller.
std::unique_ptr<Stage> MakePolishStage(PolishOptions options);
/// --polish.
OptionSpec PolishOptionSpec();
uint32_t PolishRoundsFrom(const OptionValues& values);
/// Whether cluster_polish.h is to follow.
bool PolishesForClusters(const OptionValues& values);

}  // namespace tada
