#include "partition/ta_da/clusters/kmeans_stage.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.h"
#include "testing/problems.h"

namespace tada {
namespace {

Table RandomPeople(size_t rows, uint64_t seed) {
  Random random(seed);
  std::string text = "age town:categorical job:categorical ill note\n";
  for (size_t i = 0; i < rows; ++i) {
    text += fmt::format("{} t{} j{} i{} n{}\n", random.Below(70), random.Below(9), random.Below(4), random.Below(6),
                        random.Below(3));
  }
  return testing::MakeTable(text);
}

Groups Refine(const Problem& problem, const KMeansStageOptions& options) {
  Result<Groups> groups = MakeKMeansStage(options)->Refine(problem, Groups::Whole(problem.table.num_rows()));
  EXPECT_TRUE(groups.ok());
  return std::move(groups).value();
}

TEST(KMeansStage, MakesClustersOfTwiceKAndMeetsTheRequirement) {
  const Table table = RandomPeople(600, 1);
  const auto parts = testing::MakeProblem(table, {"age", "town", "job"}, {"ill"}, {}, {10, 3});
  const Groups groups = Refine(parts.problem, {});
  EXPECT_EQ(groups.num_groups(), 30U);
  for (GroupId g = 0; g < groups.num_groups(); ++g) EXPECT_TRUE(parts.checker.Holds(groups.rows(g)));
  EXPECT_EQ(groups.num_rows(), 600U);
}

TEST(KMeansStage, GivesTheSameGroupsAtAnyNumberOfThreads) {
  const Table table = RandomPeople(900, 2);
  testing::ProblemParts one(table, {testing::Ids(table, {"age", "town", "job"}), testing::Ids(table, {"ill"}), {}, {}},
                            {3, 3});
  testing::ProblemParts two(table, {testing::Ids(table, {"age", "town", "job"}), testing::Ids(table, {"ill"}), {}, {}},
                            {3, 3});
  one.workers = Workers(1);
  two.workers = Workers(4);
  EXPECT_EQ(Refine(one.problem, {}).order(), Refine(two.problem, {}).order());
}

TEST(KMeansStage, ClustersOnKeptColumnsOnlyWhenAsked) {
  const Table table = testing::MakeTable("x keep\n0 0\n0 0\n0 9\n0 9\n1 0\n1 0\n1 9\n1 9\n");
  const Roles roles{testing::Ids(table, {"x"}), {}, {}, testing::Ids(table, {"keep"})};
  testing::ProblemParts parts(table, roles, {2, 1});
  KMeansStageOptions options;
  options.clusters = 2;
  EXPECT_EQ(testing::RowSets(Refine(parts.problem, options)), (std::set<std::set<int>>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  options.clusters = 4;
  options.all_columns = true;
  EXPECT_EQ(testing::RowSets(Refine(parts.problem, options)),
            (std::set<std::set<int>>{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

TEST(KMeansStage, RefusesMoreClustersThanTheRowsAllow) {
  const Table table = RandomPeople(30, 3);
  const auto parts = testing::MakeProblem(table, {"age"}, {"ill"}, {}, {10, 1});
  KMeansStageOptions options;
  options.clusters = 4;
  const auto refused = MakeKMeansStage(options)->Refine(parts.problem, Groups::Whole(30));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().hint.find("At most 3"), std::string::npos);
}

TEST(KMeansStage, ReportsOneSectionForAllControllers) {
  const Table table = RandomPeople(100, 4);
  auto parts = testing::MakeProblem(table, {"age", "town"}, {"ill"}, {}, {5, 2});
  Refine(parts.problem, {});
  Refine(parts.problem, {});
  ASSERT_EQ(parts.notes.sections.size(), 1U);
  const NoteSection& section = parts.notes.sections[0];
  EXPECT_EQ(section.key, "clusters");
  const auto& facts = std::get<Fact::List>(section.facts.value());
  ASSERT_EQ(facts.size(), 2U);
  for (const Fact& controller : facts) {
    EXPECT_EQ(std::get<uint64_t>(controller.Find("rows")->value()), 100U);
    EXPECT_NE(controller.Find("repair")->Find("moved_rows"), nullptr);
  }
  const auto& table_of_all = std::get<DataTable>(section.blocks.at(0).content);
  ASSERT_EQ(table_of_all.rows.size(), 2U);
  EXPECT_EQ(table_of_all.rows[0][0], "100");
}

TEST(KMeansStage, MergesOrMovesByOption) {
  OptionValues values;
  values.Set("repair", {"merge"});
  values.Set("encoding", {"one-hot"});
  values.Set("cluster-on", {"all"});
  values.Set("exact-flow", {"true"});
  const KMeansStageOptions options = KMeansOptionsFrom(values);
  EXPECT_EQ(options.repair, RepairKind::kMerge);
  EXPECT_EQ(options.encoding, NameEncoding::kOneHot);
  EXPECT_TRUE(options.all_columns && options.exact_flow);
  EXPECT_EQ(KMeansOptionsFrom({}).repair, RepairKind::kMove);
}

TEST(MostDiverseGroups, CountsHowOftenLDifferentValuesCanBeSetTogether) {
  Tally tally;
  tally.columns.emplace_back(3);
  tally.columns[0].Add(0, 90);
  tally.columns[0].Add(1, 8);
  tally.columns[0].Add(2, 2);
  tally.rows = 100;
  EXPECT_EQ(MostDiverseGroups(tally, 1), 90U + 8 + 2);
  EXPECT_EQ(MostDiverseGroups(tally, 2), 10U);  // each needs one of the ten rare rows
  EXPECT_EQ(MostDiverseGroups(tally, 3), 2U);
  EXPECT_EQ(MostDiverseGroups(tally, 4), 0U);
}

}  // namespace
}  // namespace tada
