#pragma once

// The models that releases are judged by: each learns from one table of cells and predicts the labels of another.
//   tree       learn/trees/cell_tree.h; a regression tree if the training table has targets.       bayes     learn/cell_bayes.h.
//   logistic   logistic regression, L2, one label against the rest (LIBLINEAR's primal solver, which draws no random numbers).
//   svm        a linear support vector machine, squared hinge loss (LIBLINEAR, primal).
//   svm_rbf    a support vector machine with an RBF kernel, gamma 1 / features (LIBSVM). Grows with the square of the rows:
//              minutes from 20,000 on.
//   ridge      linear regression with an L2 penalty of 1: for numeric labels.
// Trees and Bayes read cells directly; the others need numbers: standardized midpoints, and for a set of n names 1/n in each
// name's feature (direct) or 1 (paper).

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/workers.h"
#include "learn/features/cell_table.h"

namespace tada {

enum class Learner { kTree, kBayes, kLogistic, kSvm, kSvmRbf, kRidge };

std::string_view LearnerName(Learner learner);
Result<Learner> FindLearner(std::string_view name);
bool PredictsLabels(Learner learner);
bool PredictsNumbers(Learner learner);

struct Predictions {
  std::vector<uint32_t> labels;
  std::vector<double> probabilities;  ///< row by row; empty if the learner has none
  std::vector<double> numbers;        ///< of a regression
};

/// Predicts numbers if the tables have targets, else labels. Pre: both tables have the same columns, and the learner serves; kDraw tables hold drawn values already.
/// Throws Interrupted soon after a stop was requested of `workers`.
Predictions LearnAndPredict(Learner learner, Encoding encoding, const CellTable& train, const CellTable& test,
                            const Workers& workers);

}  // namespace tada
