#include "evaluate/paired.h"

#include <gtest/gtest.h>

#include <vector>

namespace tada {
namespace {

TEST(Paired, TailsAreThoseOfPrintedTables) {
  EXPECT_NEAR(StudentTail(2.262, 9), 0.05, 1e-4);
  EXPECT_NEAR(StudentTail(12.706, 1), 0.05, 1e-5);
  EXPECT_NEAR(StudentTail(1.0, 1), 0.5, 1e-12);
  EXPECT_NEAR(StudentTail(0, 5), 1.0, 1e-12);
}

TEST(Paired, TheIntervalOfIndependentValuesIsTheUsualOne) {
  const std::vector<double> values{1, 2, 3, 4, 5};
  const MeanInterval found = MeanOf(values, 0);
  EXPECT_DOUBLE_EQ(found.mean, 3);
  EXPECT_NEAR(found.high - found.mean, 2.776445 * 1.5811388 / 2.2360680, 1e-5);
}

TEST(Paired, SharedRowsWidenTheInterval) {
  const std::vector<double> values{1, 2, 3, 4, 5};
  const MeanInterval shared = MeanOf(values, 0.25), alone = MeanOf(values, 0);
  EXPECT_NEAR((shared.high - 3) / (alone.high - 3), 1.5, 1e-9);  // sqrt((1/5 + 1/4) / (1/5))
}

TEST(Paired, EqualResultsDifferByChanceForSure) {
  EXPECT_EQ(PairedP(std::vector<double>{0, 0, 0}, 0.25), 1);
  EXPECT_EQ(PairedP(std::vector<double>{1, 1, 1}, 0.25), 0);
  EXPECT_NEAR(PairedP(std::vector<double>{1, 2, 3, 4, 5}, 0), StudentTail(4.242641, 4), 1e-6);
}

}  // namespace
}  // namespace tada
