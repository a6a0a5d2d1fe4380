#include "partition/engine/sample_grow.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "partition/mondrian/gain_mondrian.h"
#include "partition/mondrian/mondrian.h"
#include "testing/problems.h"

namespace tada {
namespace {

// Numbers a and b, a sensitive s that is almost always x, a class y that a tells.
Table LargeTable(size_t rows) {
  Random random(7);
  std::vector<ColumnBuilder> builders;
  for (const char* name : {"a", "b", "s", "y"}) builders.emplace_back(name, ColumnOptions{});
  for (size_t i = 0; i < rows; ++i) {
    const uint64_t a = random.Below(1000);
    builders[0].AppendText(std::to_string(a));
    builders[1].AppendText(std::to_string(random.Below(300)));
    builders[2].AppendText(random.Below(2000) == 0 ? "z" : "x");
    builders[3].AppendText(a < 137 ? "n" : "p");
  }
  std::vector<Column> columns;
  for (ColumnBuilder& builder : builders) columns.push_back(std::move(builder.Finish()).value());
  return Table(std::move(columns));
}

TEST(SampleGrow, SplitsIntoGroupsOfAllRowsThatMeetTheRequirement) {
  const Table table = LargeTable(150000);
  const auto parts = testing::MakeProblem(table, {"a", "b"}, {"s"}, {}, {10, 2});
  const auto median = [](const Problem& problem, const NodeRows&) {
    return std::make_unique<MedianChooser>(problem, MondrianOptions{});
  };
  const Groups groups = GrowOnSample(parts.problem, Groups::Whole(table.num_rows()), median);
  EXPECT_GT(groups.num_groups(), 1u);
  std::vector<RowId> rows = groups.order();
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(rows, Groups::Whole(table.num_rows()).order());
  for (GroupId group = 0; group < groups.num_groups(); ++group) EXPECT_TRUE(parts.checker.Holds(groups.rows(group)));
}

TEST(SampleGrow, UndoesSplitsThatTheSampleGotWrong) {
  const Table table = LargeTable(150000);
  auto parts = testing::MakeProblem(table, {"a", "b"}, {"s"}, {}, {1, 1});
  const Checker strict({70000, 1}, table, parts.roles.sensitive);
  const Problem& p = parts.problem;
  // A requirement of almost half of the rows: the sample's halves may be a little off, the true counts decide.
  const Problem half{p.table, p.roles,   p.task,     p.label_weights, strict,    p.options,
                     p.seed,  p.workers, p.progress, p.notes,         p.domains, p.hierarchies};
  const Groups groups =
      GrowOnSample(half, Groups::Whole(table.num_rows()), [](const Problem& sampled, const NodeRows&) {
        return std::make_unique<MedianChooser>(sampled, MondrianOptions{});
      });
  EXPECT_LE(groups.num_groups(), 2u);
  for (GroupId group = 0; group < groups.num_groups(); ++group) EXPECT_GE(groups.rows(group).size(), 70000u);
}

TEST(SampleGrow, FindsTheSplitThatAllRowsWouldChoose) {
  const Table table = LargeTable(150000);
  const auto parts = testing::MakeProblem(table, {"a", "b"}, {}, {"y"}, {10, 1});
  const Groups groups =
      GrowOnSample(parts.problem, Groups::Whole(table.num_rows()), [](const Problem& sampled, const NodeRows& rows) {
        return std::make_unique<GainChooser>(sampled, rows, GainOptions{});
      });
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    std::set<Code> labels;
    for (const RowId row : groups.rows(group)) labels.insert(table.column(3).codes()[row]);
    EXPECT_EQ(labels.size(), 1u) << "y changes at one value of a, which a sample of 32768 rows has";
  }
}

TEST(SampleGrow, KeepsAMarginToK) {
  EXPECT_GT(LeastSampled(1000, 100000, 10000), 100u);  // 100 is what 1000 rows have on average
  EXPECT_LT(LeastSampled(1000, 100000, 10000), 150u);
  EXPECT_EQ(LeastSampled(1, 1, 1), 1u);
}

TEST(SampleGrow, LeavesSmallTablesAlone) {
  const Table table = LargeTable(1000);
  const auto parts = testing::MakeProblem(table, {"a"}, {}, {}, {10, 1});
  const Groups groups = GrowOnSample(parts.problem, Groups::Whole(1000), [](const Problem& problem, const NodeRows&) {
    return std::make_unique<MedianChooser>(problem, MondrianOptions{});
  });
  EXPECT_EQ(groups.num_groups(), 1u);
}

}  // namespace
}  // namespace tada
