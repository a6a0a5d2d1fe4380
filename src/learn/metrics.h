#pragma once

// How good predictions are, and how alike two clusterings. By the definitions of scikit-learn, against which they are tested
// (tests/fixtures/metrics.json, made by studies/make_metric_fixture.py).
//   labels          numbers below num_labels.
//   probabilities   one per row and label, row by row; each row sums up to 1.

#include <cstdint>
#include <span>

namespace tada {

/// The share of rows predicted right.
double Accuracy(std::span<const uint32_t> truth, std::span<const uint32_t> predicted);
/// The mean over the labels, present in truth or prediction, of the harmonic mean of precision and recall.
double F1Macro(std::span<const uint32_t> truth, std::span<const uint32_t> predicted, uint32_t num_labels);
/// The mean recall of the labels that occur in truth.
double BalancedAccuracy(std::span<const uint32_t> truth, std::span<const uint32_t> predicted, uint32_t num_labels);
/// The mean of -ln(probability of the truth), probabilities kept above 2.2e-16.
double LogLoss(std::span<const uint32_t> truth, std::span<const double> probabilities, uint32_t num_labels);
/// The chance that a row of a label scores higher for it than one of another; ties count half. With more than two labels the
/// mean over the labels, each against the rest, that occur and are not all there is. NaN if there is none, or if a score is NaN.
double Auc(std::span<const uint32_t> truth, std::span<const double> probabilities, uint32_t num_labels);
/// 1 - squared error / squared deviation from the mean; 1 or 0 for a constant truth that is or is not met.
double R2(std::span<const double> truth, std::span<const double> predicted);
/// The root of the mean squared error.
double Rmse(std::span<const double> truth, std::span<const double> predicted);
/// Hubert and Arabie's adjusted Rand index of two clusterings.
double AdjustedRand(std::span<const uint32_t> a, std::span<const uint32_t> b);
/// Mutual information over the arithmetic mean of the entropies; 1 for two clusterings of one cluster each.
double NormalizedMutualInformation(std::span<const uint32_t> a, std::span<const uint32_t> b);

}  // namespace tada
