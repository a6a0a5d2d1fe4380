#include "partition/target_weighted/target_weighted.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "partition/mondrian/mondrian.h"
#include "partition/target_weighted/target_teacher.h"
#include "testing/problems.h"

namespace tada {
namespace {

// y follows `job` and, less, `age`; `shoe` says nothing.
Table People(size_t rows) {
  Random random(3);
  std::vector<ColumnBuilder> builders;
  for (const char* name : {"age", "shoe", "job", "y"}) builders.emplace_back(name, ColumnOptions{});
  for (size_t i = 0; i < rows; ++i) {
    const uint64_t age = random.Below(60), job = random.Below(9);
    builders[0].AppendText(std::to_string(18 + age));
    builders[1].AppendText(std::to_string(30 + random.Below(20)));
    builders[2].AppendText(std::string("job") + static_cast<char>('a' + job));
    const bool yes = job % 3 == 0 ? random.Below(10) != 0 : age > 40 ? random.Below(2) == 0 : random.Below(10) == 0;
    builders[3].AppendText(yes ? "yes" : "no");
  }
  std::vector<Column> columns;
  for (ColumnBuilder& builder : builders) columns.push_back(builder.Finish().value());
  return Table(std::move(columns));
}

testing::ProblemParts Problem50(const Table& table) {
  return testing::MakeProblem(table, {"age", "shoe", "job"}, {}, {"y"}, {.k = 50});
}

Groups RunMethod(const MethodEntry& method, const Problem& problem) {
  auto stages = method.make({problem.task, problem.options}).value();
  return stages.front()->Refine(problem, Groups::Whole(problem.table.num_rows())).value();
}

// Mean number of different values of a column in a group, over rows.
double MeanWidth(const Table& table, const Groups& groups, ColumnId column) {
  double sum = 0;
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    std::set<Code> values;
    for (const RowId row : groups.rows(group)) values.insert(table.column(column).codes()[row]);
    sum += static_cast<double>(values.size() * groups.rows(group).size());
  }
  return sum / static_cast<double>(groups.num_rows());
}

TEST(TargetWeighted, WeighsColumnsByWhatTheySayAboutTheLabel) {
  const Table table = People(4000);
  const auto parts = Problem50(table);
  const Groups whole = Groups::Whole(4000);
  const Teacher teacher = Teach(parts.problem, whole.order(), 60);
  ASSERT_EQ(teacher.weights.size(), 3u);
  EXPECT_EQ(teacher.weights[2], 1.0);
  EXPECT_GT(teacher.weights[0], 0.15);
  EXPECT_LT(teacher.weights[1], teacher.weights[0] / 2);
  EXPECT_EQ(teacher.p.size(), 8000u);
}

TEST(TargetWeighted, KeepsNarrowWhatTheLabelDependsOn) {
  const Table table = People(4000);
  const auto parts = Problem50(table);
  const Groups ours = RunMethod(TargetWeightedMethod(), parts.problem),
               plain = RunMethod(MondrianMethod(), parts.problem);
  EXPECT_LT(MeanWidth(table, ours, 2), 0.6 * MeanWidth(table, plain, 2));
  EXPECT_GT(MeanWidth(table, ours, 1), MeanWidth(table, plain, 1));
  for (GroupId group = 0; group < ours.num_groups(); ++group) EXPECT_GE(ours.rows(group).size(), 50u);
}

TEST(TargetWeighted, ReportsTheWeights) {
  const Table table = People(500);
  const auto parts = Problem50(table);
  RunMethod(TargetWeightedMethod(), parts.problem);
  ASSERT_EQ(parts.notes.sections.size(), 1u);
  EXPECT_EQ(parts.notes.sections[0].key, "target_weights");
  EXPECT_TRUE(parts.notes.sections[0].raw);  // figures of the raw table
  EXPECT_EQ(std::get<double>(parts.notes.sections[0].facts.Find("job")->value()), 1.0);
}

TEST(TargetWeighted, ALabelOfOneValueLeavesTheWidthOfCells) {
  const Table table = testing::MakeTable("a y\n1 x\n2 x\n3 x\n4 x\n5 x\n6 x\n");
  const auto parts = testing::MakeProblem(table, {"a"}, {}, {"y"}, {.k = 3});
  EXPECT_EQ(testing::RowSets(RunMethod(TargetWeightedMethod(), parts.problem), 1),
            (std::set<std::set<int>>{{1, 2, 3}, {4, 5, 6}}));
}

}  // namespace
}  // namespace tada
