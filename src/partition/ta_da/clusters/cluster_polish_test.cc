#include "partition/ta_da/clusters/cluster_polish.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.h"
#include "partition/mondrian/mondrian.h"
#include "partition/ta_da/clusters/cluster_views.h"
#include "testing/problems.h"

namespace tada {
namespace {

Points Encode(const Problem& problem, const std::vector<ColumnId>& columns, const Groups& groups) {
  if (columns.empty()) return Points(groups.num_rows(), 0);
  return EncodeRows(problem.table, columns, groups.order(), NameEncoding::kCodes).value();
}

ClusterSet Given(const Problem& problem, const Groups& groups, const Points& points) {
  std::vector<uint32_t> group_of;
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    group_of.insert(group_of.end(), groups.spans()[group].size(), group);
  }
  return ClusterSet(problem, groups.order(), points, std::move(group_of), groups.num_groups());
}

// Rows far apart in what is kept: where a reader knows the cluster anyway, no cell raises a doubt; elsewhere one at the wrong place does.
TEST(ClusterViews, DoubtsWhatTheMiddleOfTheCellContradicts) {
  std::string text = "x kept\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("{} {}\n", i < 20 ? i % 3 : 100 + i % 3, i % 2);
  const Table table = testing::MakeTable(text);
  const auto parts = testing::MakeProblem(table, {"x"}, {}, {}, {2, 1});
  const Groups whole = Groups::Whole(40);
  const Points cells = Encode(parts.problem, parts.roles.quasi, whole);
  const ClusterViews views(parts.problem, cells, Points(40, 0));
  ClusterViews::Nearness nearness;
  const auto doubt = [&](uint32_t row, double middle) {
    views.Look(std::vector<double>{middle}, nearness);
    return views.Doubt(nearness, std::vector<uint32_t>{row});
  };
  EXPECT_LT(doubt(0, cells.point(0)[0]), doubt(0, cells.point(39)[0]));
  EXPECT_LT(doubt(39, cells.point(39)[0]), doubt(39, 0.0));
}

// Whatever the requirement: groups that hold go on holding, no row is lost, the cost does not grow, and threads change nothing.
TEST(ClusterPolish, KeepsTheRequirementAndNeverCostsMore) {
  EXPECT_TRUE(rc::check([] {
    Random random(*rc::gen::arbitrary<uint64_t>());
    std::string text = "age town:categorical job:categorical ill kept\n";
    const auto rows = *rc::gen::inRange<size_t>(12, 90);
    for (size_t i = 0; i < rows; ++i) {
      text += fmt::format("{} t{} j{} i{} {}\n", random.Below(40), random.Below(9), random.Below(4), random.Below(5),
                          random.Below(7));
    }
    const Table table = testing::MakeTable(text);
    const Requirement requirement{*rc::gen::inRange(1, 8), *rc::gen::inRange(1, 4),
                                  *rc::gen::element(Diversity::kDistinct, Diversity::kEntropy, Diversity::kRecursive)};
    const auto parts = testing::MakeProblem(table, {"age", "town", "job"}, {"ill"}, {}, requirement);
    const Groups whole = Groups::Whole(rows);
    RC_PRE(parts.checker.Holds(whole.rows(0)));
    const Groups start = std::move(MakeMondrianStage({})->Refine(parts.problem, whole)).value();
    const Points points = Encode(parts.problem, parts.roles.quasi, start);
    const Points kept = Encode(
        parts.problem, *rc::gen::arbitrary<bool>() ? testing::Ids(table, {"kept"}) : std::vector<ColumnId>{}, start);
    ClusterSet groups = Given(parts.problem, start, points);
    const ClusterPolishCounts counts = PolishForClusters(groups, kept);
    RC_ASSERT(counts.cost_after <= counts.cost_before + 1e-9);
    RC_ASSERT(groups.Failing().empty());
    const Groups polished = Groups::FromLists(groups.AsLists());
    RC_ASSERT(polished.num_rows() == rows && polished.num_groups() == start.num_groups());
    for (GroupId group = 0; group < polished.num_groups(); ++group)
      RC_ASSERT(parts.checker.Holds(polished.rows(group)));
  }));
}

}  // namespace
}  // namespace tada
