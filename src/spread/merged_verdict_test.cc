#include "spread/merged_verdict.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

Verdict PartOf(uint64_t rows, uint64_t classes, uint64_t smallest, std::vector<std::pair<uint64_t, uint64_t>> sizes) {
  Verdict part;
  part.passed = true;
  part.rows = rows;
  part.classes = classes;
  part.k = part.smallest_class = smallest;
  part.l = 2;
  part.l_of_column = {2};
  part.largest_class = sizes.back().first;
  part.class_sizes = std::move(sizes);
  return part;
}

TEST(MergedVerdict, IsThatOfTheWhole) {
  Verdict second = PartOf(9, 2, 4, {{4, 1}, {5, 1}});
  second.l_of_column = {3};
  second.l = 3;
  second.folded = {{"disease", "Flu", "flu"}};
  const Verdict whole = MergeVerdicts(
      {UnpackVerdict(PackVerdict(PartOf(8, 2, 3, {{3, 1}, {5, 1}}))), UnpackVerdict(PackVerdict(second)), Verdict()});
  EXPECT_TRUE(whole.passed);
  EXPECT_EQ(whole.rows, 17u);
  EXPECT_EQ(whole.classes, 4u);
  EXPECT_EQ(whole.k, 3u);
  EXPECT_EQ(whole.l, 2u);
  EXPECT_EQ(whole.largest_class, 5u);
  EXPECT_EQ(whole.class_sizes, (std::vector<std::pair<uint64_t, uint64_t>>{{3, 1}, {4, 1}, {5, 2}}));
  ASSERT_EQ(whole.folded.size(), 1u);
}

TEST(MergedVerdict, FailsIfAPartDoesAndHoldsNoCell) {
  Verdict broken = PartOf(8, 2, 1, {{1, 1}, {7, 1}});
  broken.passed = false;
  broken.problems = {"The class [20,30] has 1 row."};
  const std::string packed = PackVerdict(broken);
  EXPECT_EQ(packed.find("[20,30]"), std::string::npos);
  const Verdict whole = MergeVerdicts({UnpackVerdict(packed), PartOf(9, 1, 9, {{9, 1}})});
  EXPECT_FALSE(whole.passed);
  EXPECT_EQ(whole.k, 1u);
}

}  // namespace
}  // namespace tada
