#include "partition/mondrian/stratified.h"

#include <gtest/gtest.h>

#include "partition/engine/loss_model.h"
#include "partition/mondrian/ncp_split.h"
#include "testing/problems.h"

namespace tada {
namespace {

// Whoever is older earns more, so a plain cut by age leaves one kind of income on each side.
Table Correlated() {
  std::string text = "age income:categorical\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("{} {}\n", i, i < 20 ? "low" : "high");
  return testing::MakeTable(text);
}

testing::ProblemParts Close(const Table& table, const std::string& t) {
  return testing::MakeProblem(
      table, {"age"}, {"income"}, {},
      {.k = 4, .more = {{.name = "closeness", .column = "income", .limit = t, .kind = "equal"}}});
}

TEST(Stratified, KeepsTheDistributionWherePlainCutsCannot) {
  const Table table = Correlated();
  const testing::ProblemParts parts = Close(table, "0.1");
  const Groups whole = Groups::Whole(40);
  EXPECT_EQ(SplitByCost(parts.problem, whole, SplitCost::kNcp, "").num_groups(), 1u);
  const Groups groups = SplitStratified(parts.problem, whole, "");
  EXPECT_EQ(groups.num_groups(), 10u);
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    EXPECT_TRUE(parts.checker.Holds(groups.rows(group)));
    EXPECT_EQ(groups.rows(group).size(), 4u);
  }
  // Neighbours of each kind stand together: 2 of 20 low and 2 of 20 high ages each, 20 apart.
  EXPECT_NEAR(LossModel(parts.problem).Ncp(groups, Workers(1)), 21.0 / 39, 1e-9);
}

TEST(Stratified, IsNeverWorseThanPlainCuts) {
  const Table table = Correlated();
  const testing::ProblemParts parts = Close(table, "0.9");
  const Groups whole = Groups::Whole(40);
  const LossModel loss(parts.problem);
  EXPECT_LE(loss.Ncp(SplitStratified(parts.problem, whole, ""), Workers(1)),
            loss.Ncp(SplitByCost(parts.problem, whole, SplitCost::kNcp, ""), Workers(1)));
}

}  // namespace
}  // namespace tada
