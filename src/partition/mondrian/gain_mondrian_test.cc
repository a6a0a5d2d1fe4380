#include "partition/mondrian/gain_mondrian.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <map>

#include "testing/problems.h"
#include "testing/tables.h"

namespace tada {
namespace {

using Sets = std::set<std::set<int>>;

// How the whole table is split first: the children as sets of rows; empty if it is not split.
Sets FirstSplit(const Problem& problem, GainOptions options = {}) {
  const Groups whole = Groups::Whole(problem.table.num_rows());
  const NodeRows rows(problem, whole);
  const GainChooser chooser(problem, rows, options);
  const auto scratch = chooser.MakeScratch();
  const uint32_t children =
      chooser.Choose(rows, {0, static_cast<uint32_t>(problem.table.num_rows()), 0, 0, nullptr}, *scratch);
  if (children == 0) return {};
  std::vector<std::set<int>> sets(children);
  for (size_t i = 0; i < scratch->child.size(); ++i) sets[scratch->child[i]].insert(static_cast<int>(i));
  return {sets.begin(), sets.end()};
}

Groups Refine(const Problem& problem, const MethodEntry& method) {
  auto stages = method.make({problem.task, problem.options});
  return std::move((*stages)[0]->Refine(problem, Groups::Whole(problem.table.num_rows()))).value();
}

testing::ProblemParts Numeric(const Table& table, const std::vector<std::string>& quasi,
                              const std::vector<std::string>& label, Requirement requirement) {
  testing::ProblemParts parts = testing::MakeProblem(table, quasi, {}, label, requirement);
  parts.problem.task = Task::kRegression;
  return parts;
}

// Entropy 0.971 bits before. a: 1|2345 leaves (4/5) * 0.811 = 0.649; 12|345 leaves 0.951; 123|45 leaves (3/5) * 0.918 = 0.551;
// 1234|5 leaves 0.8. b separates nothing: x|y leaves 0.951.
const char* kClasses = "a b:categorical y\n1 x n\n2 y p\n3 x n\n4 y p\n5 x p\n";

TEST(GainMondrian, CutsWhereTheWeightedEntropyIsLeast) {
  const Table table = testing::MakeTable(kClasses);
  const auto parts = testing::MakeProblem(table, {"a", "b"}, {}, {"y"}, {1, 1});
  EXPECT_EQ(FirstSplit(parts.problem), (Sets{{0, 1, 2}, {3, 4}}));
}

TEST(GainMondrian, TakesTheBestOfTheCutsThatMeetTheRequirement) {
  // Without a requirement 1|2..6 would be pure on one side; with k=2 the best is 12|3456.
  const Table table = testing::MakeTable("a y\n1 n\n2 p\n3 p\n4 p\n5 p\n6 p\n");
  EXPECT_EQ(FirstSplit(testing::MakeProblem(table, {"a"}, {}, {"y"}, {1, 1}).problem), (Sets{{0}, {1, 2, 3, 4, 5}}));
  EXPECT_EQ(FirstSplit(testing::MakeProblem(table, {"a"}, {}, {"y"}, {2, 1}).problem), (Sets{{0, 1}, {2, 3, 4, 5}}));
}

TEST(GainMondrian, LooksAtBoundariesOnlyIfAskedTo) {
  // With k=2 the only boundary, 1|2, is not admissible: the paper then tests the median.
  const Table table = testing::MakeTable("a y\n1 n\n2 p\n3 p\n4 p\n5 p\n6 p\n");
  GainOptions options;
  options.boundary_only = true;
  EXPECT_EQ(FirstSplit(testing::MakeProblem(table, {"a"}, {}, {"y"}, {2, 1}).problem, options),
            (Sets{{0, 1, 2}, {3, 4, 5}}));
}

TEST(GainMondrian, CutsPureGroupsAtTheMedianSoThatTheBudgetIsUsedUp) {
  const Table table = testing::MakeTable("a y\n1 p\n2 p\n3 p\n4 p\n5 p\n6 p\n7 p\n8 p\n");
  const auto parts = testing::MakeProblem(table, {"a"}, {}, {"y"}, {2, 1});
  EXPECT_EQ(testing::RowSets(Refine(parts.problem, InfoGainMethod())), (Sets{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

TEST(GainMondrian, SplitsNamesIntoTheSetThatTellsMost) {
  const Table table = testing::MakeTable("c:categorical y\na n\nb p\nc n\nd p\na n\nb p\nc n\nd p\n");
  const auto parts = testing::MakeProblem(table, {"c"}, {}, {"y"}, {2, 1});
  EXPECT_EQ(FirstSplit(parts.problem), (Sets{{0, 2, 4, 6}, {1, 3, 5, 7}}));
}

TEST(GainMondrian, ForANumberCutsWhereTheSquaredDeviationIsLeast) {
  // y = 0 0 10 11 12: 12|345 leaves 0 + 2, every other cut more; the median of a would be 123|45 or 12|345.
  const Table table = testing::MakeTable("a y\n1 0\n2 0\n3 10\n4 11\n5 12\n");
  EXPECT_EQ(FirstSplit(Numeric(table, {"a"}, {"y"}, {1, 1}).problem), (Sets{{0, 1}, {2, 3, 4}}));
  // y = 5 0 0 0 0 0: 1|23456 leaves 0; k=2 makes it 12|3456, which leaves 12.5.
  const Table first = testing::MakeTable("a y\n1 5\n2 0\n3 0\n4 0\n5 0\n6 0\n");
  EXPECT_EQ(FirstSplit(Numeric(first, {"a"}, {"y"}, {2, 1}).problem), (Sets{{0, 1}, {2, 3, 4, 5}}));
}

// y is told by a, z by b; which one is split first is for the weights to say.
const char* kTwo = "a b y:categorical z\n1 1 n 0\n1 2 n 9\n2 1 p 0\n2 2 p 9\n";

TEST(GainMondrian, WeighsNamesAndNumbersTogether) {
  const Table table = testing::MakeTable(kTwo);
  auto parts = testing::MakeProblem(table, {"a", "b"}, {}, {"y", "z"}, {1, 1});
  parts.problem.label_weights = {2, 1};
  EXPECT_EQ(FirstSplit(parts.problem), (Sets{{0, 1}, {2, 3}}));
  parts.problem.label_weights = {1, 2};
  EXPECT_EQ(FirstSplit(parts.problem), (Sets{{0, 2}, {1, 3}}));
}

// --- a brute force: every cut of every ordered column, judged from the definition -------------------------------------

double WeightedEntropy(const Table& table, ColumnId label, const std::vector<RowId>& rows) {
  std::map<Code, double> counts;
  for (const RowId row : rows) counts[table.column(label).codes()[row]] += 1;
  double bits = 0;
  for (const auto& [code, count] : counts) bits -= count * std::log2(count / static_cast<double>(rows.size()));
  return bits;
}

double SquaredDeviation(const Table& table, ColumnId label, const std::vector<RowId>& rows) {
  double mean = 0, sum = 0;
  const Column& column = table.column(label);
  for (const RowId row : rows) mean += column.number(column.codes()[row]) / static_cast<double>(rows.size());
  for (const RowId row : rows) sum += std::pow(column.number(column.codes()[row]) - mean, 2);
  return sum;
}

struct Drawn {
  Table table;
  Requirement requirement;
};

Drawn DrawTable(const std::string& kind) {
  const int rows = *rc::gen::inRange(2, 25);
  std::string text = fmt::format("a{0} b{0} s:categorical y\n", kind);
  for (int row = 0; row < rows; ++row) {
    const int a = *rc::gen::inRange(0, 8), b = *rc::gen::inRange(0, 5), y = *rc::gen::inRange(0, 4);
    text += fmt::format("{} {} s{} {}\n", a, b, *rc::gen::inRange(0, 3), y * y);
  }
  RC_LOG() << text;
  return {testing::MakeTable(text), {*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 3)}};
}

// The least impurity of the children over all admissible splits `left(column, code)` draws; infinity if there is none.
template <class Impurity>
double LeastOverCuts(const Drawn& drawn, const Checker& checker, const Impurity& impurity) {
  double least = INFINITY;
  for (const ColumnId column : {ColumnId{0}, ColumnId{1}}) {
    const Column& values = drawn.table.column(column);
    for (Code cut = 1; cut < values.num_codes(); ++cut) {
      std::vector<RowId> left, right;
      for (RowId row = 0; row < drawn.table.num_rows(); ++row)
        (values.codes()[row] < cut ? left : right).push_back(row);
      if (!checker.Holds(left) || !checker.Holds(right)) continue;
      least = std::min(least, impurity(left) + impurity(right));
    }
  }
  return least;
}

template <class Impurity>
void ExpectLeast(const Drawn& drawn, const testing::ProblemParts& parts, const Impurity& impurity) {
  const double least = LeastOverCuts(drawn, parts.checker, impurity);
  const double before = impurity(Groups::Whole(drawn.table.num_rows()).order());
  const Sets chosen = FirstSplit(parts.problem);
  RC_CLASSIFY(std::isinf(least), "no admissible split");
  if (std::isinf(least)) {
    RC_ASSERT(chosen.empty());
    return;
  }
  if (least > before - 1e-7) return;  // the median decides, and tests its own
  double after = 0;
  for (const std::set<int>& child : chosen) after += impurity(std::vector<RowId>(child.begin(), child.end()));
  RC_ASSERT(std::abs(after - least) < 1e-7);
}

TEST(GainMondrian, AgreesWithABruteForceOverAllAdmissibleCutsOfOrderedColumns) {
  EXPECT_TRUE(rc::check([] {
    const Drawn drawn = DrawTable(*rc::gen::element<std::string>(":ordinal", ":numeric"));
    const auto parts = testing::MakeProblem(drawn.table, {"a", "b"}, {"s"}, {"y"}, drawn.requirement);
    ExpectLeast(drawn, parts, [&](const std::vector<RowId>& rows) { return WeightedEntropy(drawn.table, 3, rows); });
  }));
}

TEST(GainMondrian, AgreesWithABruteForceForANumber) {
  EXPECT_TRUE(rc::check([] {
    const Drawn drawn = DrawTable(":numeric");
    const auto parts = Numeric(drawn.table, {"a", "b"}, {"y"}, {drawn.requirement.k, 1});
    ExpectLeast(drawn, parts, [&](const std::vector<RowId>& rows) { return SquaredDeviation(drawn.table, 3, rows); });
  }));
}

TEST(GainMondrian, FindsTheBestOfAllSubsetsForTwoClasses) {
  EXPECT_TRUE(rc::check([] {
    const int rows = *rc::gen::inRange(2, 25);
    std::string text = "c:categorical y:categorical\n";
    for (int row = 0; row < rows; ++row)
      text += fmt::format("v{} {}\n", *rc::gen::inRange(0, 6), *rc::gen::inRange(0, 2));
    RC_LOG() << text;
    const Table table = testing::MakeTable(text);
    const auto parts = testing::MakeProblem(table, {"c"}, {}, {"y"}, {1, 1});
    const Column& values = table.column(0);
    double least = INFINITY;
    for (unsigned subset = 1; subset + 1 < 1u << values.num_codes(); ++subset) {
      std::vector<RowId> left, right;
      for (RowId row = 0; row < table.num_rows(); ++row)
        (subset >> values.codes()[row] & 1 ? left : right).push_back(row);
      least = std::min(least, WeightedEntropy(table, 1, left) + WeightedEntropy(table, 1, right));
    }
    if (std::isinf(least) || least > WeightedEntropy(table, 1, Groups::Whole(table.num_rows()).order()) - 1e-7) return;
    double after = 0;
    for (const std::set<int>& child : FirstSplit(parts.problem))
      after += WeightedEntropy(table, 1, std::vector<RowId>(child.begin(), child.end()));
    RC_ASSERT(std::abs(after - least) < 1e-7);
  }));
}

}  // namespace
}  // namespace tada
