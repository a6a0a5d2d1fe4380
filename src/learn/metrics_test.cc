#include "learn/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "testing/fixtures.h"

namespace tada {
namespace {

using Labels = std::vector<uint32_t>;
using Numbers = std::vector<double>;

using testing::Fixture;

TEST(Metrics, OfClassificationAreThoseOfScikitLearn) {
  for (const auto& one : Fixture("classification")) {
    const auto truth = one["truth"].get<Labels>(), predicted = one["predicted"].get<Labels>();
    const auto probabilities = one["probabilities"].get<Numbers>();
    const auto labels = one["labels"].get<uint32_t>();
    EXPECT_NEAR(Accuracy(truth, predicted), one["accuracy"].get<double>(), 1e-12);
    EXPECT_NEAR(F1Macro(truth, predicted, labels), one["f1_macro"].get<double>(), 1e-12);
    EXPECT_NEAR(BalancedAccuracy(truth, predicted, labels), one["balanced_accuracy"].get<double>(), 1e-12);
    EXPECT_NEAR(LogLoss(truth, probabilities, labels), one["log_loss"].get<double>(), 1e-12);
    EXPECT_NEAR(Auc(truth, probabilities, labels), one["auc"].get<double>(), 1e-12);
  }
}

TEST(Metrics, OfRegressionAreThoseOfScikitLearn) {
  for (const auto& one : Fixture("regression")) {
    const auto truth = one["truth"].get<Numbers>(), predicted = one["predicted"].get<Numbers>();
    EXPECT_NEAR(R2(truth, predicted), one["r2"].get<double>(), 1e-12);
    EXPECT_NEAR(Rmse(truth, predicted), one["rmse"].get<double>(), 1e-12);
  }
}

TEST(Metrics, OfClusteringsAreThoseOfScikitLearn) {
  for (const auto& one : Fixture("clustering")) {
    const auto a = one["a"].get<Labels>(), b = one["b"].get<Labels>();
    EXPECT_NEAR(AdjustedRand(a, b), one["ari"].get<double>(), 1e-12);
    EXPECT_NEAR(NormalizedMutualInformation(a, b), one["nmi"].get<double>(), 1e-12);
  }
}

// Such scores are equal to nothing, not even to themselves, which a loop over equal ones once waited for.
TEST(Metrics, ScoresThatAreNoNumbersHaveNoOrder) {
  EXPECT_TRUE(std::isnan(Auc(Labels{0, 1}, Numbers{0.5, 0.5, std::nan(""), std::nan("")}, 2)));
  EXPECT_TRUE(std::isnan(Auc(Labels{0, 1, 2}, Numbers(9, std::nan("")), 3)));
}

TEST(Metrics, F1CountsLabelsOfTruthAndPredictionOnly) {
  EXPECT_DOUBLE_EQ(F1Macro(Labels{0, 0, 1, 1}, Labels{0, 0, 1, 1}, 5), 1.0);
  EXPECT_DOUBLE_EQ(F1Macro(Labels{0, 0}, Labels{0, 3}, 5), (2.0 / 3 + 0) / 2);
}

}  // namespace
}  // namespace tada
