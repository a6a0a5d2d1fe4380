#include "risk/individual_risk.h"

#include <cmath>

namespace tada {
namespace {

// p / f times the sum over n of n! f! / (f + n)! (1 - p)^n: the hypergeometric function 2F1(1, 1; f + 1; 1 - p).
long double BySeries(long double f, long double p) {
  long double term = 1, sum = 1;
  for (long double n = 1; term > sum * 1e-19L && n < 100'000; ++n) {
    term *= n / (f + n) * (1 - p);
    sum += term;
  }
  return p / f * sum;
}

// From f = 1 on: risk(f + 1) = p / (1 - p) (1 / f - risk(f)), which damps errors where p is below one half.
long double BySteps(uint64_t members, long double p) {
  long double risk = -p * std::log(p) / (1 - p);
  for (uint64_t f = 1; f < members; ++f) risk = p / (1 - p) * (1 / static_cast<long double>(f) - risk);
  return risk;
}

}  // namespace

long double IndividualRisk(uint64_t members, long double people) {
  constexpr uint64_t kMostSteps = 60;
  const auto f = static_cast<long double>(members);
  if (people <= f) return 1 / f;
  const long double p = f / people;
  return members <= kMostSteps && p < 0.4L ? BySteps(members, p) : BySeries(f, p);
}

}  // namespace tada
