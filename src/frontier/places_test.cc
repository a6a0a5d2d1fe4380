#include <gtest/gtest.h>

#include "frontier/joint.h"

namespace tada {
namespace {

Candidate Made(std::string id, uint64_t print, uint64_t k, double accuracy) {
  Candidate candidate;
  candidate.id = std::move(id);
  candidate.origin = "method";
  candidate.print = print;
  candidate.k = k;
  candidate.accuracy = accuracy;
  candidate.information_gain = accuracy;
  return candidate;
}

TEST(Places, TheSameReleaseWithOtherFiguresIsAnotherPoint) {
  std::vector<Candidate> candidates = {Made("a", 1, 5, .7), Made("b", 1, 5, .8), Made("c", 2, 5, .75)};
  MarkSame(candidates);
  MarkBeaten(candidates, true);
  EXPECT_EQ(candidates[1].same_as, "");
  EXPECT_TRUE(candidates[1].frontier);
  EXPECT_EQ(candidates[0].beaten_by, "b");
  EXPECT_EQ(candidates[2].beaten_by, "b");
}

TEST(Places, OneOfTwoEqualPointsIsOnTheFrontier) {
  std::vector<Candidate> candidates = {Made("a", 1, 5, .8), Made("b", 1, 5, .8), Made("c", 2, 4, .7)};
  MarkSame(candidates);
  MarkBeaten(candidates, true);
  EXPECT_EQ(candidates[1].same_as, "a");
  EXPECT_TRUE(candidates[0].frontier);
  EXPECT_FALSE(candidates[1].frontier);
  EXPECT_EQ(candidates[2].beaten_by, "a");
}

}  // namespace
}  // namespace tada
