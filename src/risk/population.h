#pragma once

// What a table tells about people of the population that it is a sample of: uniques there, chances of being found, k-map.

#include <optional>

#include "risk/k_map.h"
#include "risk/uniques.h"

namespace tada {

/// How large the population is, as far as it is told. The share that was drawn is at most 1.
struct SampledFrom {
  uint64_t population = 0;  ///< people; 0: not told
  double sampling = 0;      ///< the share of them that was drawn; 0: not told
  double weights = 0;       ///< the sum of the members' weights; 0: there are none

  bool told() const { return population > 0 || sampling > 0 || weights > 0; }
  /// People of the population, of whom `members` were drawn: never fewer than these.
  double People(uint64_t members) const;
};

struct PopulationRisk {
  uint64_t members = 0;  ///< of the sample
  double people = 0;     ///< of the population
  uint64_t sample_uniques = 0;
  UniqueEstimates uniques;
  double right_match = 0;  ///< chance that somebody whom one row fits is that row's person
  uint64_t smallest_class = 0;
  uint64_t k_map = 0;               ///< people of the population whom everybody of the sample is hidden among
  uint64_t k = 0, least_class = 0;  ///< the k that was asked for, and the class that stands for as many people
  double highest_risk = 0, average_risk = 0;  ///< of an individual of the sample

  double sampling() const { return static_cast<double>(members) / people; }
  /// Members whom somebody would find who looks each of them up.
  double expected_found() const { return average_risk * static_cast<double>(members); }
};

/// A class of the sample and the people that it stands for.
struct WeightedClass {
  uint64_t members = 0;
  double people = 0;
};

/// The risks of classes that stand for as many people as they have members, divided by the sampling. Nothing without members, or
/// where nothing is told of the population.
std::optional<PopulationRisk> MeasurePopulation(const ClassSizes& sizes, const SampledFrom& from, uint64_t k);

/// The same for classes with weights of their own.
std::optional<PopulationRisk> MeasurePopulation(const std::vector<WeightedClass>& classes, uint64_t k);

}  // namespace tada
