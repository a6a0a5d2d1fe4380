#include "partition/ta_da/clusters/cell_polish.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "base/random.h"
#include "testing/problems.h"

namespace tada {
namespace {

using Sets = std::set<std::set<int>>;

Points Encode(const Problem& problem, const Groups& groups) {
  return EncodeRows(problem.table, problem.roles.quasi, groups.order(), NameEncoding::kCodes).value();
}

ClusterSet Given(const Problem& problem, const Groups& groups, const Points& points) {
  std::vector<uint32_t> group_of;
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    group_of.insert(group_of.end(), groups.spans()[group].size(), group);
  }
  return ClusterSet(problem, groups.order(), points, std::move(group_of), groups.num_groups());
}

// Error and width by their definitions, row by row.
PolishCounts Measure(const ClusterSet& groups) {
  const Points& points = groups.points();
  PolishCounts measured;
  for (size_t f = 0; f < points.features; ++f) {
    const auto extent = [&](const auto& members) {
      const auto less = [&](uint32_t a, uint32_t b) { return points.point(a)[f] < points.point(b)[f]; };
      const auto [low, high] = std::minmax_element(members.begin(), members.end(), less);
      return std::pair<double, double>(points.point(*low)[f], points.point(*high)[f]);
    };
    std::vector<uint32_t> all(points.count);
    for (uint32_t i = 0; i < points.count; ++i) all[i] = i;
    const auto [lowest, highest] = extent(all);
    for (uint32_t i = 0; i < points.count; ++i) {
      const auto [low, high] = extent(groups.members(groups.cluster_of(i)));
      const double off = points.point(i)[f] - (low + high) / 2;
      measured.error_after += off * off;
      measured.width_after += highest > lowest ? (high - low) / (highest - lowest) : 0;
    }
  }
  return measured;
}

TEST(CellPolish, SendsAFarRowWhereItsCellIsNear) {
  const Table table = testing::MakeTable("x s\n0 a\n1 a\n2 a\n9 a\n10 a\n11 a\n12 a\n");
  const auto parts = testing::MakeProblem(table, {"x"}, {}, {}, {3, 1});
  const Groups start = Groups::FromLists({{0, 1, 2, 3}, {4, 5, 6}});
  const Points points = Encode(parts.problem, start);
  ClusterSet groups = Given(parts.problem, start, points);
  const PolishCounts counts = PolishCells(groups, 10);
  EXPECT_EQ(testing::RowSets(Groups::FromLists(groups.AsLists())), (Sets{{0, 1, 2}, {3, 4, 5, 6}}));
  EXPECT_EQ(counts.moves, 1U);
  EXPECT_EQ(counts.swaps, 0U);
}

TEST(CellPolish, SwapsWhereNoGroupCanSpareARow) {
  const Table table = testing::MakeTable("x s\n0 a\n1 a\n11 a\n2 a\n10 a\n12 a\n");
  const auto parts = testing::MakeProblem(table, {"x"}, {}, {}, {3, 1});
  const Groups start = Groups::FromLists({{0, 1, 2}, {3, 4, 5}});
  const Points points = Encode(parts.problem, start);
  ClusterSet groups = Given(parts.problem, start, points);
  EXPECT_EQ(PolishCells(groups, 10).swaps, 1U);
  EXPECT_EQ(testing::RowSets(Groups::FromLists(groups.AsLists())), (Sets{{0, 1, 3}, {2, 4, 5}}));
}

TEST(CellPolish, KeepsTheFarRowThatItsGroupNeedsForL) {
  const Table table = testing::MakeTable("x s\n0 a\n1 a\n2 a\n9 b\n10 b\n11 a\n12 b\n");
  const auto parts = testing::MakeProblem(table, {"x"}, {"s"}, {}, {3, 2});
  const Groups start = Groups::FromLists({{0, 1, 2, 3}, {4, 5, 6}});
  const Points points = Encode(parts.problem, start);
  ClusterSet groups = Given(parts.problem, start, points);
  PolishCells(groups, 10);
  EXPECT_EQ(testing::RowSets(Groups::FromLists(groups.AsLists())), testing::RowSets(start));
}

// Whatever the requirement: groups that hold go on holding, no row is lost, and what is reported is so.
TEST(CellPolish, KeepsTheRequirementAndNeverWidens) {
  EXPECT_TRUE(rc::check([] {
    Random random(*rc::gen::arbitrary<uint64_t>());
    std::string text = "age town:categorical job:categorical ill\n";
    const auto rows = *rc::gen::inRange<size_t>(12, 120);
    for (size_t i = 0; i < rows; ++i) {
      text += fmt::format("{} t{} j{} i{}\n", random.Below(40), random.Below(9), random.Below(4), random.Below(5));
    }
    const Table table = testing::MakeTable(text);
    const Requirement requirement{*rc::gen::inRange(1, 8), *rc::gen::inRange(1, 4),
                                  *rc::gen::element(Diversity::kDistinct, Diversity::kEntropy, Diversity::kRecursive)};
    const auto parts = testing::MakeProblem(table, {"age", "town", "job"}, {"ill"}, {}, requirement);
    const Groups whole = Groups::Whole(rows);
    RC_PRE(parts.checker.Holds(whole.rows(0)));
    const Groups start = std::move(MakeMondrianStage({})->Refine(parts.problem, whole)).value();
    const Points points = Encode(parts.problem, start);
    ClusterSet groups = Given(parts.problem, start, points);
    const PolishCounts before = Measure(groups);
    const PolishCounts counts = PolishCells(groups, 10);
    const PolishCounts after = Measure(groups);
    const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-6 * (1 + std::abs(a)); };
    RC_ASSERT(near(before.error_after, counts.error_before) && near(before.width_after, counts.width_before));
    RC_ASSERT(near(after.error_after, counts.error_after) && near(after.width_after, counts.width_after));
    RC_ASSERT(counts.width_after <= counts.width_before + 1e-6);
    RC_ASSERT(groups.Failing().empty());
    const Groups polished = Groups::FromLists(groups.AsLists());
    RC_ASSERT(polished.num_rows() == rows && polished.num_groups() == start.num_groups());
    for (GroupId group = 0; group < polished.num_groups(); ++group)
      RC_ASSERT(parts.checker.Holds(polished.rows(group)));
  }));
}

}  // namespace
}  // namespace tada
