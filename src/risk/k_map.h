#pragma once

// k-map by test: how large classes of a sample have to be so that classes of the population are large enough. Of a class of fewer than
// k people of the population, k' or more are drawn with a chance of at most P(Poisson(f k) >= k'); if that is at most the
// significance, a class of k' rows says that there are k people.

#include <cstdint>

namespace tada {

constexpr double kSignificance = 0.05;

/// The smallest class of the sample that stands for at least k people.
uint64_t LeastClass(uint64_t k, double sampling, double significance = kSignificance);

/// The largest k that classes of at least `size` rows stand for; 0 if none, and never below `size`, since those people are there.
uint64_t ReachedKMap(uint64_t size, double sampling, double significance = kSignificance);

}  // namespace tada
