#pragma once

// How many people of the population are unique there, estimated from the classes of a sample. Every estimate is 0 where nobody is
// unique in the sample: these serve raw tables. For samples of a tenth and less they err by 10% to 100% and more.
//   Zayatz (1991)   the share of the sample's uniques that are the population's, as if classes of the population were as large as
//                   those of the sample: P = n_1 h(1) / sum n_i h(i), h(i) the chance that exactly one of i is drawn.
//   Pitman          Hoshino (2001): Pitman's sampling formula, theta and alpha by maximum likelihood.
//   SNB             Chen, Keller-McNulty (1998): sizes are 1 + a negative binomial number, so that as many classes of one and two are
//                   expected as there are; the number of classes by Shlosser's estimate as Haas and Stokes (1998) mended it.
//   rule of choice  Dankar et al. (2012): Pitman up to a sampling of .1, above it the smaller of SNB and Zayatz.

#include <optional>
#include <string_view>

#include "risk/class_sizes.h"

namespace tada {

struct UniqueEstimates {
  double zayatz = 0;
  std::optional<double> pitman, snb;  ///< nothing where the equations have no solution
  std::string_view chosen;            ///< by the rule of choice: "Pitman", "SNB" or "Zayatz"
  double uniques = 0;                 ///< what is chosen, at most the population
};

double ZayatzUniques(const ClassSizes& sizes, double population);
std::optional<double> PitmanUniques(const ClassSizes& sizes, double population);
std::optional<double> SnbUniques(const ClassSizes& sizes, double population);

/// Pre: there are classes, and the population is at least as large as the sample.
UniqueEstimates EstimateUniques(const ClassSizes& sizes, double population);

/// The chance that a match is right if exactly one row of the sample fits: n_1 f / (n_1 f + 2 n_2 (1 - f)), what would be
/// measured by taking rows out and copying others in (data intrusion simulation; Skinner, Elliot 2002). 0 without uniques.
double UniqueMatchChance(const ClassSizes& sizes, double population);

}  // namespace tada
