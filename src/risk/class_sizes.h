#pragma once

// Risk of a sample of people, drawn from a population that nobody has: pure functions of how large the classes of the sample are.
//   class      rows (or people) that are alike in all quasi-identifiers.
//   unique     somebody who is alone in their class: of the sample, or of the population.
//   sampling   n / N, the share of the population's N people who are among the n of the sample.

#include <cstdint>
#include <utility>
#include <vector>

namespace tada {

/// Size and how many classes have it, ascending, sizes above 0.
using ClassSizes = std::vector<std::pair<uint64_t, uint64_t>>;

/// Members of all classes.
uint64_t Members(const ClassSizes& sizes);
/// How many classes have a size.
uint64_t ClassesOf(const ClassSizes& sizes, uint64_t size);

}  // namespace tada
