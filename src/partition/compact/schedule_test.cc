#include "partition/compact/schedule.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

constexpr int kDefault = 5, kMost = 9;

TEST(CompactSchedule, GivesControllersTogetherAsManyWindowsAsOneOf100000Rows) {
  EXPECT_DOUBLE_EQ(WindowsTimes(kDefault, 40'000, 40'000, 2'000), 2.5);
  EXPECT_DOUBLE_EQ(WindowsTimes(kDefault, 40'000, 20'000, 1'000), 2.5);
  EXPECT_DOUBLE_EQ(WindowsTimes(kDefault, 20'000, 20'000, 1'000), 5);
}

TEST(CompactSchedule, GivesSmallGroupsFewerOfTheAdditionalWindows) {
  EXPECT_DOUBLE_EQ(WindowsTimes(kDefault, 10'000, 10'000, 4'000), 5);
  EXPECT_DOUBLE_EQ(WindowsTimes(kMost, 10'000, 10'000, 4'000), 10);
  EXPECT_DOUBLE_EQ(WindowsTimes(kDefault, 200'000, 200'000, 80'000), 1);
}

TEST(CompactSchedule, HasBoundsForTinyAndForLargeTables) {
  EXPECT_DOUBLE_EQ(WindowsTimes(kDefault, 300, 300, 30), 64);
  EXPECT_DOUBLE_EQ(WindowsTimes(kDefault, 4'000'000, 2'000'000, 100'000), 0.5);
}

}  // namespace
}  // namespace tada
