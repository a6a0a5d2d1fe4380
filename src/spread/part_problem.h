#pragma once

// A problem for some rows of a controller, with everything that it refers to.

#include <numeric>

#include "base/progress.h"
#include "base/random.h"
#include "spread/shared.h"

namespace tada {

struct PartProblem {
  PartProblem(const Shared& shared, const Table& table, uint32_t controller)
      : checker(shared.controllers_[controller].requirement, table,
                shared.CountedFor(table, shared.controllers_[controller].requirement),
                [&](const Checker& asking) { return shared.ReferenceOf(asking, controller); }),
        problem{table,
                shared.bound_.roles,
                shared.bound_.task,
                shared.weights_,
                checker,
                shared.plan_.method_options,
                MixSeed(shared.plan_.seed, controller),
                workers,
                progress,
                notes,
                shared.controllers_[controller].domains,
                shared.hierarchies_.pointers()} {
    problem.rows_of_controllers = std::accumulate(shared.root_rows_.begin(), shared.root_rows_.end(), uint64_t{0});
  }

  Checker checker;
  Workers workers{1};
  NoProgress progress;
  StageNotes notes;
  Problem problem;
};

}  // namespace tada
