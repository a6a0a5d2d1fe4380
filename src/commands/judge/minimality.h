#pragma once

// The minimality attack (Wong, Fu, Wang, Pei 2007): somebody who knows everybody's quasi-identifiers, the method and the requirement runs
// the method again. A class that was not cut tells that a cut would have left a side short of values, and so which people can
// have which.
//   rerun   the values of a class are dealt to its people at random, and the method is run on the class alone. Deals after which it stays
//           one group could have made the release; the others could not.
//   blind   how sure somebody is of a person's true value who only sees the class: its share there.
//   belief  the same among the deals that could have made the release.
// Measured for methods that form groups by cuts; a class is looked at by itself, so what follows from cuts above it is left out.

#include <vector>

#include "attack/attack.h"
#include "base/workers.h"
#include "plan/plan.h"
#include "table/table.h"

namespace tada {

struct MinimalityOptions {
  uint64_t max_classes = 200;  ///< classes with more than one sensitive value; a release with more is sampled
  uint64_t deals = 400;        ///< of a class; all of them, if there are no more
};

/// Measures it for the classes of an attack that knows who is behind them, and adds it, or a note on why not. The plan's method, requirement and
/// options are what made the release of the original.
Status MeasureMinimality(const Table& original, const Plan& plan, const MinimalityOptions& options,
                         const Workers& workers, AttackResult& attack);

}  // namespace tada
