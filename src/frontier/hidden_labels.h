#pragma once

// How well groups predict the label of a row that the method has not seen, where the method forms its groups by the label: the
// accuracy inside such groups says too much, up to 92% on Adult at k=2, where a tree on the raw table has 86%.
// The rows are halved. The labels of one half are shuffled among its rows, so that they say nothing, and the method runs; rows of that
// half are then guessed by the commonest label of the other half in their class. Then the other way round.

#include "run/advise/ground.h"

namespace tada {

/// Whether the method of a plan looks at labels when it forms groups.
bool LooksAtLabels(const Plan& plan, const Ground& ground);

/// Pre: there is a label, and `plan` releases the table of the ground.
Result<double> HiddenAccuracy(const Ground& ground, const Plan& plan, const Workers& workers);

}  // namespace tada
