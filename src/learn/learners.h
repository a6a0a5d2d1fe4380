#pragma once

// The models that releases are judged by: each learns from one table of cells and predicts the labels of another.
//   tree       learn/trees/cell_tree.h; a regression tree if the training table has targets.       bayes     learn/cell_bayes.h.
//   logistic   logistic regression, L2, one label against the rest (LIBLINEAR's primal solver, which draws no random numbers).
//   svm        a linear support vector machine, squared hinge loss (LIBLINEAR, primal).
//   svm_rbf    a support vector machine with an RBF kernel, gamma 1 / features (LIBSVM). Grows with the square of the rows:
//              minutes from 20,000 on.
//   ridge      linear regression with an L2 penalty of 1: for numeric labels.
//   mlp        the papers' network, layers of 64, 32 and 16, and   boosting   gradient boosting of trees: scikit-learn's, which the
//              Python package hands in (OutsideLearner).
// Trees and Bayes read cells directly; the others need numbers: standardized midpoints, and for a set of n names 1/n in each
// name's feature (direct) or 1 (paper).

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/workers.h"
#include "learn/features/cell_table.h"
#include "learn/features/sparse_features.h"

namespace tada {

enum class Learner { kTree, kBayes, kLogistic, kSvm, kSvmRbf, kRidge, kMlp, kBoosting };

std::string_view LearnerName(Learner learner);
Result<Learner> FindLearner(std::string_view name);
bool PredictsLabels(Learner learner);
bool PredictsNumbers(Learner learner);

struct Predictions {
  std::vector<uint32_t> labels;
  std::vector<double> probabilities;  ///< row by row; empty if the learner has none
  std::vector<double> numbers;        ///< of a regression
};

/// Whether a learner is not in here but handed in by the caller.
bool IsOutside(Learner learner);

/// Learns from rows of features and predicts others; a table has the labels or targets of its rows.
using OutsideLearner =
    std::function<Result<Predictions>(Learner learner, const SparseRows& rows, const CellTable& train,
                                      const SparseRows& asked, const CellTable& test, uint64_t seed)>;
/// Makes features of cells and lets an outside learner learn from them.
Result<Predictions> LearnOutside(const OutsideLearner& outside, Learner learner, Encoding encoding,
                                 const CellTable& train, const CellTable& test, uint64_t seed);

/// Predicts numbers if the tables have targets, else labels. Pre: both tables have the same columns, and the learner serves; kDraw tables hold drawn values already.
/// Throws Interrupted soon after a stop was requested of `workers`.
Predictions LearnAndPredict(Learner learner, Encoding encoding, const CellTable& train, const CellTable& test,
                            const Workers& workers);

}  // namespace tada
