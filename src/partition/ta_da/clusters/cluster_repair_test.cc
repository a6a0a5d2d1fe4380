#include "partition/ta_da/clusters/cluster_repair.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "base/random.h"
#include "learn/clusters/encoding.h"
#include "partition/mondrian/mondrian.h"
#include "partition/ta_da/clusters/wanted_values.h"
#include "testing/problems.h"

namespace tada {
namespace {

using Sets = std::set<std::set<int>>;

// A repair of clusters that are given, over all rows of a problem.
struct Given {
  Groups rows;
  Points points;
  ClusterSet clusters;

  Given(const Problem& problem, const std::vector<uint32_t>& cluster_of, size_t num_clusters)
      : rows(Groups::Whole(problem.table.num_rows())),
        points(EncodeRows(problem.table, problem.roles.quasi, rows.rows(0), NameEncoding::kCodes).value()),
        clusters(problem, rows.rows(0), points, cluster_of, num_clusters) {}
};

// The clusters of Fig. 5 of the paper: c1 {t2,t3,t8,t10}, c2 {t1,t5,t7,t11}, c3 {t4,t12}, c4 {t6,t9}.
const std::vector<uint32_t> kFigure5 = {1, 0, 0, 2, 1, 3, 1, 0, 3, 0, 1, 2};

TEST(ClusterRepair, MergesTheFailingClusterOfThePapersFigureIntoTheNearest) {
  const Table table = testing::RunningExample(true);
  const auto parts = testing::MakeProblem(table, {"Age", "State"}, {"Income"}, {}, {2, 2});
  Given given(parts.problem, kFigure5, 4);
  EXPECT_EQ(given.clusters.Failing(), std::vector<uint32_t>{2});
  const auto distance = [&](uint32_t other) {
    double sum = 0;
    for (size_t f = 0; f < 2; ++f) sum += std::pow(given.clusters.mean(2)[f] - given.clusters.mean(other)[f], 2);
    return std::sqrt(sum);
  };
  EXPECT_NEAR(distance(3), 0.267, 0.001);
  EXPECT_NEAR(distance(0), 1.851, 0.001);
  EXPECT_NEAR(distance(1), 2.664, 0.001);

  const RepairCounts counts = RepairClusters(given.clusters, RepairKind::kMerge);
  EXPECT_EQ(counts.merged, 1U);
  const Groups repaired = Groups::FromLists(given.clusters.AsLists());
  EXPECT_EQ(testing::RowSets(repaired, 1), (Sets{{2, 3, 8, 10}, {1, 5, 7, 11}, {4, 6, 9, 12}}));

  const auto refined = MakeMondrianStage({})->Refine(parts.problem, repaired);
  ASSERT_TRUE(refined.ok());  // the same groups as the tree's: Mondrian splits c1 and c2 on State
  EXPECT_EQ(testing::RowSets(*refined, 1), (Sets{{2, 3}, {8, 10}, {1, 5}, {7, 11}, {4, 6, 9, 12}}));
}

// Of all rows x has 7/12, y 4/12 and z 1/12. The cluster at 0 lacks x, that at 4 has nothing else: together they hold. The one at 4 is nearer to
// 7, and would go there if it went first, having fewer values.
TEST(ClusterRepair, TheClusterThatIsMostUnlikeAllRowsJoinsFirst) {
  const Table table = testing::MakeTable("x s\n0 y\n0 y\n0 y\n0 z\n4 x\n4 x\n4 x\n4 x\n7 x\n7 x\n7 x\n7 y\n");
  Requirement requirement{.k = 2, .l = 1};
  requirement.more.push_back({.name = "closeness", .column = "s", .limit = "0.2", .kind = "equal"});
  const auto parts = testing::MakeProblem(table, {"x"}, {"s"}, {}, requirement);
  Given given(parts.problem, {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, 3);
  EXPECT_EQ(given.clusters.Failing(), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(RepairClusters(given.clusters, RepairKind::kMerge).merged, 1U);
  EXPECT_EQ(testing::RowSets(Groups::FromLists(given.clusters.AsLists())),
            (Sets{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11}}));
}

TEST(ClusterRepair, MovesARowWithAMissingValueFromAClusterThatCanSpareIt) {
  const Table table = testing::MakeTable("x s\n0 a\n0 a\n1 a\n1 a\n2 a\n2 a\n2 a\n1 a\n10 a\n11 b\n12 b\n13 a\n");
  const auto parts = testing::MakeProblem(table, {"x"}, {"s"}, {}, {2, 2});
  Given given(parts.problem, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, 2);
  const RepairCounts counts = RepairClusters(given.clusters, RepairKind::kMove);
  EXPECT_EQ(counts.moved, 1U);
  EXPECT_EQ(testing::RowSets(Groups::FromLists(given.clusters.AsLists())),
            (Sets{{0, 1, 2, 3, 4, 5, 6, 7, 9}, {8, 10, 11}}));
}

TEST(ClusterRepair, SwapsWhenTheOtherClusterHasNoRowToSpare) {
  const Table table = testing::MakeTable("x s\n0 a\n0 a\n1 a\n1 a\n2 a\n2 a\n2 a\n1 a\n10 a\n11 b\n12 b\n");
  const auto parts = testing::MakeProblem(table, {"x"}, {"s"}, {}, {3, 2});
  Given given(parts.problem, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1}, 2);
  const RepairCounts counts = RepairClusters(given.clusters, RepairKind::kMove);
  EXPECT_EQ(counts.moved, 0U);
  EXPECT_EQ(counts.swapped, 1U);
  EXPECT_EQ(testing::RowSets(Groups::FromLists(given.clusters.AsLists())),
            (Sets{{0, 1, 2, 3, 5, 6, 7, 9}, {4, 8, 10}}));
}

TEST(ClusterRepair, DissolvesWhatNoMoveCanHelp) {
  const Table table = testing::MakeTable("x s\n0 a\n1 a\n10 a\n11 b\n20 a\n21 b\n");
  const auto parts = testing::MakeProblem(table, {"x"}, {"s"}, {}, {2, 2});
  Given given(parts.problem, {0, 0, 1, 1, 2, 2}, 3);
  const RepairCounts counts = RepairClusters(given.clusters, RepairKind::kMove);
  EXPECT_EQ(counts.dissolved, 1U);
  EXPECT_EQ(testing::RowSets(Groups::FromLists(given.clusters.AsLists())), (Sets{{0, 1, 2, 3}, {4, 5}}));
}

TEST(ClusterRepair, DissolvesRatherThanFetchesARowFromAfar) {
  const Table table = testing::MakeTable("x s\n0 a\n1 a\n3 a\n4 b\n1000 a\n1001 b\n1002 b\n1003 b\n");
  const auto parts = testing::MakeProblem(table, {"x"}, {"s"}, {}, {2, 2});
  Given given(parts.problem, {0, 0, 1, 1, 2, 2, 2, 2}, 3);
  const RepairCounts counts = RepairClusters(given.clusters, RepairKind::kMove);
  EXPECT_EQ(counts.moved, 0U);
  EXPECT_EQ(counts.dissolved, 1U);
  EXPECT_EQ(testing::RowSets(Groups::FromLists(given.clusters.AsLists())), (Sets{{0, 1, 2, 3}, {4, 5, 6, 7}}));
}

// Random rows with one or two sensitive columns, in random clusters of at least k rows.
TEST(ClusterRepair, KeepsEveryKindOfRequirementAndEveryRow) {
  int repaired = 0;
  EXPECT_TRUE(rc::check([&](uint64_t seed) {
    Random random(seed);
    const size_t rows = 4 + random.Below(60);
    const uint64_t values = 2 + random.Below(5);
    const bool skewed = random.Below(2) == 1;
    std::string text = "x y s t\n";
    for (size_t i = 0; i < rows; ++i) {
      const uint64_t value = skewed && random.Below(3) > 0 ? 0 : random.Below(values);
      text += fmt::format("{} {} s{} t{}\n", random.Below(30), random.Below(5), value, random.Below(3));
    }
    const Table table = testing::MakeTable(text);
    const Requirement requirement{static_cast<int64_t>(1 + random.Below(4)), static_cast<int64_t>(2 + random.Below(2)),
                                  static_cast<Diversity>(random.Below(3)), 1.0 + random.Unit() * 3};
    const std::vector<std::string> sensitive =
        random.Below(3) == 0 ? std::vector<std::string>{"s", "t"} : std::vector<std::string>{"s"};
    const auto parts = testing::MakeProblem(table, {"x", "y"}, sensitive, {}, requirement);
    const Groups whole = Groups::Whole(rows);
    if (!parts.checker.Holds(whole.rows(0))) return;
    const size_t clusters = std::max<size_t>(1, rows / (2 * parts.checker.smallest_group()));
    std::vector<uint32_t> cluster_of(rows);
    for (size_t i = 0; i < rows; ++i) cluster_of[i] = static_cast<uint32_t>(i % clusters);
    for (const RepairKind kind : {RepairKind::kMove, RepairKind::kMerge}) {
      Given given(parts.problem, cluster_of, clusters);
      repaired += given.clusters.Failing().empty() ? 0 : 1;
      RepairClusters(given.clusters, kind);
      std::vector<RowId> seen;
      for (const auto& list : given.clusters.AsLists()) {
        RC_ASSERT(parts.checker.Holds(list));
        seen.insert(seen.end(), list.begin(), list.end());
      }
      std::sort(seen.begin(), seen.end());
      RC_ASSERT(seen == whole.order());
    }
  }));
  EXPECT_GT(repaired, 20);  // otherwise it has shown nothing
}

TEST(WantedValues, AreThoseThatWouldHelpEachKindOfDiversity) {
  const Table table = testing::MakeTable("s\na\na\na\nb\nb\nc\nd\n");
  const auto wants = [&](Diversity diversity, int64_t l, std::vector<RowId> group) {
    const auto parts = testing::MakeProblem(table, {}, {"s"}, {}, {1, l, diversity, 2});
    const WantedValues wanted(parts.checker, parts.checker.Count(group));
    std::string found;
    for (const RowId row : {0, 3, 5, 6}) found += wanted.Wants(parts.problem, row) ? "+" : "-";
    return found;  // a b c d
  };
  EXPECT_EQ(wants(Diversity::kDistinct, 2, {0, 1, 2}), "-+++");
  EXPECT_EQ(wants(Diversity::kDistinct, 2, {0, 1, 3}), "----");
  EXPECT_EQ(wants(Diversity::kEntropy, 3, {0, 1, 2, 3, 4}), "--++");    // shares 3/5 2/5: below a third
  EXPECT_EQ(wants(Diversity::kRecursive, 2, {0, 1, 2, 3, 4}), "-+++");  // counts 3 2: below 3
  EXPECT_EQ(wants(Diversity::kRecursive, 3, {0, 1, 2, 3, 4}), "--++");  // below 2
}

}  // namespace
}  // namespace tada
