#pragma once

// A linear support vector machine over the cells of released data, by LIBLINEAR. Every (column, value) is a feature of 0 or 1.
// Why not LIBSVM and its RBF kernel, which the paper used: its training grows with the square of the rows (hours for ten
// folds of 45,000), and over 0/1 features of a few recoded columns a linear machine comes to the same accuracy. The primal
// solver (L2 regularization, squared hinge loss) draws no random numbers, so results are the same everywhere.

#include "learn/j48.h"

namespace tada {

/// The share of rows whose label the machine predicts, trained on the other folds; weights as in CrossValidateTree.
double CrossValidateLinearSvm(const TreeSamples& samples, std::span<const uint32_t> weights, uint32_t num_folds,
                              double cost = 1.0);

}  // namespace tada
