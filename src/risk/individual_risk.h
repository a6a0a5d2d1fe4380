#pragma once

// The risk of somebody in a class of a sample, by how many people of the population the class stands for (Benedetti, Franconi 1998;
// Franconi, Polettini 2004; mu-Argus and sdcMicro).
//   f   members of the class in the sample.
//   F   the sum of their weights: people of the population who are alike, estimated.
// The true number of people is taken to be negative binomial, with f successes of chance p = f / F: the risk is the mean of
// 1 / people, which is the integral over t > 0 of (1 + (e^t - 1) F / f)^-f. It falls when f grows and when F grows, so more
// members never raise it. At F = f it is 1 / f; it lies between 1 / F and 1 / f.

#include <cstdint>

namespace tada {

/// Relative error below 1e-13. Pre: members > 0. People below the members are taken as the members.
long double IndividualRisk(uint64_t members, long double people);

}  // namespace tada
