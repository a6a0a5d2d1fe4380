#include "risk/population.h"

#include <algorithm>
#include <map>

#include "risk/individual_risk.h"

namespace tada {
namespace {

PopulationRisk Measure(const ClassSizes& sizes, double people, uint64_t k) {
  PopulationRisk risk{.members = Members(sizes),
                      .people = people,
                      .sample_uniques = ClassesOf(sizes, 1),
                      .uniques = EstimateUniques(sizes, people),
                      .right_match = UniqueMatchChance(sizes, people),
                      .smallest_class = sizes.front().first};
  risk.k = k;
  risk.k_map = ReachedKMap(risk.smallest_class, risk.sampling());
  risk.least_class = LeastClass(k, risk.sampling());
  return risk;
}

void AddRisk(uint64_t members, double people, double classes, PopulationRisk& risk) {
  const auto one = static_cast<double>(IndividualRisk(members, people));
  risk.highest_risk = std::max(risk.highest_risk, one);
  risk.average_risk += one * static_cast<double>(members) * classes / static_cast<double>(risk.members);
}

}  // namespace

double SampledFrom::People(uint64_t members) const {
  const auto n = static_cast<double>(members);
  const double people = population > 0 ? static_cast<double>(population) : sampling > 0 ? n / sampling : weights;
  return std::max(n, people);
}

std::optional<PopulationRisk> MeasurePopulation(const ClassSizes& sizes, const SampledFrom& from, uint64_t k) {
  if (sizes.empty() || !from.told()) return std::nullopt;
  PopulationRisk risk = Measure(sizes, from.People(Members(sizes)), k);
  for (const auto& [size, classes] : sizes) {
    AddRisk(size, static_cast<double>(size) / risk.sampling(), static_cast<double>(classes), risk);
  }
  return risk;
}

std::optional<PopulationRisk> MeasurePopulation(const std::vector<WeightedClass>& classes, uint64_t k) {
  if (classes.empty()) return std::nullopt;
  std::map<uint64_t, uint64_t> by_size;
  SampledFrom from;
  for (const WeightedClass& one : classes) {
    ++by_size[one.members];
    from.weights += one.people;
  }
  const ClassSizes sizes(by_size.begin(), by_size.end());
  PopulationRisk risk = Measure(sizes, from.People(Members(sizes)), k);
  for (const WeightedClass& one : classes) AddRisk(one.members, one.people, 1, risk);
  return risk;
}

}  // namespace tada
