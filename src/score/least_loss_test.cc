#include "score/least_loss.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>
#include <string_view>

#include "score/scorecard.h"
#include "testing/tables.h"

namespace tada {
namespace {

// A column of this name is sensitive, all others are recoded.
constexpr std::string_view kSensitive = "s";

// One group of all rows: what LeastNcp reads of a release is its rows and which columns are recoded.
Release OneGroup(const Table& table) {
  Release release;
  release.table = &table;
  release.group_of_row.assign(table.num_rows(), 0);
  release.row_order.resize(table.num_rows());
  std::iota(release.row_order.begin(), release.row_order.end(), RowId{0});
  release.num_groups = 1;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    ReleasedColumn released{.source = id};
    if (table.column(id).name() != kSensitive) {
      released.recoded = true;
      released.cells = {Cell{}};
      released.cell_of_group = {0};
    }
    release.columns.push_back(std::move(released));
  }
  return release;
}

// Rows x span of a group, counted plainly.
double CostOf(const Table& table, const std::vector<RowId>& rows) {
  double spans = 0;
  for (const Column& column : table.columns()) {
    if (column.num_values() < 2 || column.name() == kSensitive) continue;
    std::vector<double> numbers;
    std::vector<Code> values;
    for (const RowId row : rows) {
      const Code code = column.codes()[row];
      values.push_back(column.value_id(code));
      if (!column.is_missing(code)) numbers.push_back(column.is_numeric() ? column.number(code) : 0);
    }
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    if (!column.is_numeric()) {
      spans += static_cast<double>(values.size() - 1) / static_cast<double>(column.num_values() - 1);
    } else if (!numbers.empty() && numbers.size() < rows.size()) {
      spans += 1;
    } else if (!numbers.empty()) {
      const auto [low, high] = std::ranges::minmax(numbers);
      const double range = column.number(column.num_codes() - 1) - column.number(column.num_missing());
      spans += range > 0 ? (high - low) / range : 0;
    }
  }
  return spans * static_cast<double>(rows.size());
}

size_t NumSensitive(const Table& table, const std::vector<RowId>& rows) {
  std::set<Code> values;
  for (const RowId row : rows) values.insert(table.column(*table.Find(kSensitive)).codes()[row]);
  return values.size();
}

// The least NCP of all ways to part the rows into groups of at least k with at least l sensitive values; infinite if there is none.
double LeastByTrying(const Table& table, size_t k, size_t l) {
  const auto n = table.num_rows();
  std::vector<double> least(size_t{1} << n, INFINITY);
  least[0] = 0;
  for (size_t set = 1; set < least.size(); ++set) {
    const size_t first = set & (~set + 1);  // is in some group: one of the subsets with it
    for (size_t group = set; group != 0; group = (group - 1) & set) {
      if ((group & first) == 0 || std::popcount(group) < static_cast<int>(k)) continue;
      std::vector<RowId> rows;
      for (RowId row = 0; row < n; ++row) {
        if ((group >> row & 1) != 0) rows.push_back(row);
      }
      if (std::isfinite(least[set ^ group]) && (l < 2 || NumSensitive(table, rows) >= l))
        least[set] = std::min(least[set], least[set ^ group] + CostOf(table, rows));
    }
  }
  return least.back() / static_cast<double>(n * (table.num_columns() - (l < 2 ? 0 : 1)));
}

RC_GTEST_PROP(LeastLoss, IsNoMoreThanTheBestOfAllReleases, ()) {
  const auto n = *rc::gen::inRange<size_t>(2, 9);
  const auto k = *rc::gen::inRange<size_t>(2, std::min<size_t>(n, 4) + 1);
  std::string text = "x:numeric y:categorical z:numeric";
  for (size_t row = 0; row < n; ++row) {
    text += fmt::format("\n{} {} {}", *rc::gen::elementOf(std::vector<std::string>{"0", "1", "2", "5", "11", "_"}),
                        *rc::gen::elementOf(std::vector<std::string>{"a", "b", "c", "d"}),
                        *rc::gen::elementOf(std::vector<std::string>{"3", "4", "9"}));
  }
  RC_LOG() << text << " k=" << k;
  const Table table = testing::MakeTable(text);
  const auto least = LeastNcp(OneGroup(table), {.k = k}, Workers(1));
  RC_ASSERT(least.has_value());
  RC_ASSERT(*least >= 0);
  RC_ASSERT(*least <= LeastByTrying(table, k, 1) + 1e-9);
}

RC_GTEST_PROP(LeastLoss, CountsSensitiveValuesToo, ()) {
  const auto n = *rc::gen::inRange<size_t>(3, 9);
  const auto k = *rc::gen::inRange<size_t>(1, std::min<size_t>(n, 4) + 1);
  const auto l = *rc::gen::inRange<size_t>(2, 4);
  std::string text = "x:numeric y:categorical s:categorical";
  for (size_t row = 0; row < n; ++row) {
    text += fmt::format("\n{} {} {}", *rc::gen::elementOf(std::vector<std::string>{"0", "1", "2", "5", "11"}),
                        *rc::gen::elementOf(std::vector<std::string>{"a", "b", "c"}),
                        *rc::gen::elementOf(std::vector<std::string>{"p", "q", "r", "s"}));
  }
  RC_LOG() << text << " k=" << k << " l=" << l;
  const Table table = testing::MakeTable(text);
  const auto least = LeastNcp(OneGroup(table), {.k = k, .l = l, .sensitive = {2}}, Workers(1));
  RC_ASSERT(least.has_value());
  RC_ASSERT(*least <= LeastByTrying(table, k, l) + 1e-9);
}

TEST(LeastLoss, AGroupReachesOutForAnotherSensitiveValue) {
  const Table table = testing::MakeTable("x:numeric s:categorical\n0 p\n0 p\n10 p\n10 q");
  EXPECT_NEAR(*LeastNcp(OneGroup(table), {.k = 2}, Workers(1)), 0.0, 1e-6);
  EXPECT_NEAR(*LeastNcp(OneGroup(table), {.k = 2, .l = 2, .sensitive = {1}}, Workers(1)), 0.75,
              1e-6);  // the best release has one group, and loses 1
}

TEST(LeastLoss, IsReachedWhereGroupsAreFarApart) {
  const Table table = testing::MakeTable("x:numeric\n0\n1\n9\n10");
  EXPECT_NEAR(*LeastNcp(OneGroup(table), {.k = 2}, Workers(1)), 0.1, 1e-6);
  EXPECT_NEAR(*LeastNcp(OneGroup(table), {.k = 4}, Workers(1)), 1.0, 1e-6);
}

TEST(LeastLoss, ARowFarFromTheOthersMakesItsGroupWide) {
  const Table table = testing::MakeTable("x:numeric\n0\n0\n0\n0\n100");
  EXPECT_NEAR(*LeastNcp(OneGroup(table), {.k = 2}, Workers(1)), 0.4,
              1e-6);  // its own and its partner's cell; least spans alone say 0.2
}

TEST(LeastLoss, IsNotKnownWithHierarchies) {
  const Table table = testing::MakeTable("x:numeric\n0\n1");
  Release release = OneGroup(table);
  release.columns[0].leaves = {2};
  EXPECT_FALSE(LeastNcp(release, {.k = 2}, Workers(1)).has_value());
}

}  // namespace
}  // namespace tada
