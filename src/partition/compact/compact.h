#pragma once

// Method `compact`: the least information loss we can reach, for receivers whose task is not known. It starts from the
// cheapest cuts (ncp_split.h; for millions of rows from a Hilbert curve, hilbert_start.h) and then searches locally, in
// rounds: the table is cut into regions (regions.h), each is improved by itself (region_search.h), and the next round cuts
// elsewhere.
//   effort   0 to 9: how many windows each group gets. It counts steps, never seconds, so that the result does not depend
//            on the machine; regions are the same at any number of threads, so neither does it depend on those.
//   share    how much of the loss is what is lost of the label (row_labels.h); for `ta_da --label-share`, whose tree goes first.
// Why the requirement holds: the start holds it, and every step of the search either asks the checker about each group it
// changes or is undone. docs/algorithms/compact.md

#include <memory>

#include "partition/engine/method.h"

namespace tada {

struct CompactOptions {
  static constexpr int kDefaultEffort = 5;
  int effort = kDefaultEffort;
  double label_share = 0;  ///< below 1
};

std::unique_ptr<Stage> MakeCompactStage(CompactOptions options);
MethodEntry CompactMethod();

}  // namespace tada
