#pragma once

// Which rows a model learns from, and which it is tested on.

#include <vector>

#include "run/bind/bind_plan.h"

namespace tada {

/// The plan's columns and task, which do not depend on the methods of a grid.
Result<BoundPlan> BindGrid(const Plan& plan, const Table& table);

struct TrainTest {
  std::vector<RowId> train, test;
};

/// Splits the rows of every label by themselves, so that both parts have all labels in proportion. People who have several rows are
/// split by their first one: a model is not tested on people whom it has learned from.
TrainTest SplitRows(const Table& table, const BoundPlan& bound, bool regression, double test_share, uint64_t seed);

/// That a part of a split is empty.
Error TooFewRows(size_t rows, double test_share);

}  // namespace tada
