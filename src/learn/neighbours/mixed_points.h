#pragma once

// Points with numbers and names, and how far apart they are.
//   number     a coordinate between 0 and 1; kMissingNumber where there is none.
//   name       a value counted from 0; two different ones are `step` apart.
//   distance   the span of the pair: what a cell that holds both would leave open, summed over the columns. At most 1 a
//              column, also between a number and a missing one.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace tada {

/// So far below every number that no cell holds it together with one at less than full span.
inline constexpr double kMissingNumber = -2;

struct MixedPoints {
  uint32_t num_numbers = 0, num_names = 0;
  std::vector<double> numbers;     ///< num_numbers a point
  std::vector<Code> names;         ///< num_names a point
  std::vector<double> name_steps;  ///< by name column: 1 / (values - 1)
  std::vector<Code> name_values;   ///< by name column: how many values there are

  size_t size() const {
    return num_numbers > 0 ? numbers.size() / num_numbers : num_names > 0 ? names.size() / num_names : 0;
  }
  const double* NumbersOf(size_t point) const { return numbers.data() + point * num_numbers; }
  const Code* NamesOf(size_t point) const { return names.data() + point * num_names; }

  double Distance(size_t a, size_t b) const {
    double sum = 0;
    const double *x = NumbersOf(a), *y = NumbersOf(b);
    for (uint32_t j = 0; j < num_numbers; ++j) sum += std::min(1.0, std::abs(x[j] - y[j]));
    const Code *u = NamesOf(a), *v = NamesOf(b);
    for (uint32_t j = 0; j < num_names; ++j) sum += u[j] == v[j] ? 0.0 : name_steps[j];
    return sum;
  }
};

}  // namespace tada
