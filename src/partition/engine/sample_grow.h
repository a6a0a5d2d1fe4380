#pragma once

// Growing the top of a partition on a sample (LeFevre et al. 2008, the "S" form): for tables so large that even looking at all
// rows for every split takes long.
//   1  draw rows at random and split the sample, as long as a part's share of all rows is above k with a margin
//   2  route every row down these splits and count what each part really holds: the only thing that the guarantee rests on
//   3  undo every split with a part that does not meet the requirement
// What is left are groups of all rows that meet the requirement; the method goes on from there, on all of their rows.

#include <functional>
#include <memory>

#include "partition/engine/split_engine.h"

namespace tada {

using ChooserFor = std::function<std::unique_ptr<SplitChooser>(const Problem& problem, const NodeRows& rows)>;

/// Pre: as Stage::Refine. `make` gives the chooser of the method. Groups of few rows are left as they are.
Groups GrowOnSample(const Problem& problem, const Groups& groups, const ChooserFor& make);

/// The least number of sampled rows, out of `sample`, from which a part can be said to hold `k` of `rows` rows: the lower
/// end of a one-sided 99.9% confidence interval (Wilson's) is at least k / rows.
uint64_t LeastSampled(uint64_t k, uint64_t rows, uint64_t sample);

/// --sample-grow.
OptionSpec SampleGrowOptionSpec();

}  // namespace tada
