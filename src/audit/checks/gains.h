#pragma once

// What a class tells about single sensitive values: how much more, or less, frequent they are in it than in the reference.

#include <optional>
#include <vector>

#include "audit/checks/value_shares.h"

namespace tada {

/// The largest relative gain (q - p) / p of a value's share, 0 if none gains, in units of 10^-places, rounded up: the beta of basic
/// beta-likeness (Cao, Karras 2012).
uint64_t LargestGain(const ClassShares& values, const ReferenceShares& reference, uint32_t places);

/// Whether no value gains more than -ln p, which keeps every one short of certainty: enhanced beta-likeness.
bool GainsStayBelowLogarithm(const ClassShares& values, const ReferenceShares& reference);

/// The largest |ln(q / p)| over all values of the reference, in units of 10^-places, rounded up; nothing if one of them does not
/// occur in the class: the delta of delta-disclosure (Brickell, Shmatikov 2008).
std::optional<uint64_t> LargestLogRatio(const ClassShares& values, const ReferenceShares& reference, uint32_t places);

/// The largest share of a class that one of the values has for which `counts` is true: the alpha of Wong et al. (2006).
Fraction LargestShare(const ClassShares& values, const std::vector<bool>& counts);

}  // namespace tada
