#include "audit/audit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/random.h"
#include "table/column_builder.h"
#include "testing/tables.h"

namespace tada {
namespace {

using testing::Ids;
using testing::MakeTable;
using Rows = std::vector<std::vector<std::string>>;

Table FromRows(const std::vector<std::string>& names, const Rows& rows, bool released) {
  std::vector<Column> columns;
  for (size_t i = 0; i < names.size(); ++i) {
    ColumnOptions options;
    if (released) options.kind = Kind::kCategorical;
    ColumnBuilder builder(names[i], options);
    for (const auto& row : rows) builder.AppendText(row[i]);
    columns.push_back(builder.Finish().value());
  }
  return Table(std::move(columns));
}

AuditOptions Options(const Table& release, const std::vector<std::string>& quasi,
                     const std::vector<std::string>& sensitive, int64_t k, int64_t l) {
  AuditOptions options;
  options.quasi = Ids(release, quasi);
  options.sensitive = Ids(release, sensitive);
  options.requirement.k = k;
  options.requirement.l = l;
  return options;
}

void SetOriginal(AuditOptions& options, const Table& release, const Table& original) {
  options.original = &original;
  options.original_column.clear();
  for (const Column& column : release.columns()) options.original_column.push_back(original.Find(column.name()));
}

Verdict Judge(const Table& release, const AuditOptions& options, int threads = 1) {
  return Audit(release, options, Workers(threads)).value();
}

TEST(Audit, RefusesWhatCannotBeAudited) {
  const Table release = MakeTable("a s\n1 x\n2 y\n");
  const auto code = [&](const AuditOptions& options) { return Audit(release, options, Workers(1)).error().code; };
  EXPECT_EQ(code(Options(release, {}, {}, 1, 1)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(Options(release, {"a"}, {}, 1, 2)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(Options(release, {"a"}, {"a"}, 1, 2)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(Options(release, {"a"}, {}, 0, 1)), ErrorCode::kInvalidArgument);
  AuditOptions options = Options(release, {"a"}, {}, 1, 1);
  options.quasi = {7};
  EXPECT_EQ(code(options), ErrorCode::kInvalidArgument);
  options = Options(release, {"a"}, {}, 1, 1);
  SetOriginal(options, release, release);
  options.order = std::make_shared<const std::vector<RowId>>(std::vector<RowId>{0});
  EXPECT_EQ(code(options), ErrorCode::kInvalidArgument);
  options.order = std::make_shared<const std::vector<RowId>>(std::vector<RowId>{0, 2});
  EXPECT_EQ(code(options), ErrorCode::kInvalidArgument);
}

TEST(Audit, FailsAnEmptyRelease) {
  const Verdict verdict = Judge(MakeTable("a s\n"), Options(MakeTable("a s\n"), {"a"}, {"s"}, 1, 1));
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.problems.size(), 1u);
}

TEST(Audit, ChecksLabelsByWhatItIsToldOfThem) {
  const Table release = FromRows({"a"}, {{"care"}, {"care"}, {"cook"}, {"unknown"}}, true);
  const Table original = FromRows({"a"}, {{"nurse"}, {"doctor"}, {"cook"}, {"nurse"}}, false);
  AuditOptions options = Options(release, {"a"}, {}, 1, 1);
  SetOriginal(options, release, original);
  Verdict verdict = Judge(release, options);
  EXPECT_EQ(verdict.cover[0].unchecked_rows, 3u);
  EXPECT_EQ(verdict.cover[0].verified(), std::nullopt);
  const auto code = [&](std::string_view text) {
    for (Code c = 0; c < original.column(0).num_codes(); ++c) {
      if (original.column(0).text(c) == text) return c;
    }
    throw std::runtime_error("no such value");
  };
  options.labels = {{{"care", {code("nurse"), code("doctor")}}, {"unknown", {code("nurse")}}}};
  verdict = Judge(release, options);
  EXPECT_TRUE(verdict.passed);
  EXPECT_EQ(verdict.cover[0].verified(), true);
  options.labels = {{{"care", {code("nurse"), code("cook")}}, {"unknown", {code("nurse")}}}};
  verdict = Judge(release, options);
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.cover[0].verified(), false);
}

TEST(Audit, HoldsMaskedRowsToTheRequirementToo) {
  const Table release = MakeTable("a b s\n* * x\n1 1 x\n1 1 y\n");
  const Verdict verdict = Judge(release, Options(release, {"a", "b"}, {"s"}, 2, 2));
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.masked_rows, 1u);
  EXPECT_EQ(verdict.breaking_rows, 1u);
  EXPECT_EQ(verdict.worst->reason, "1 row, k=2 asked; l=1 in s, l=2 asked");
  EXPECT_EQ(verdict.worst->rows, std::vector<uint64_t>{1});
}

TEST(Audit, TakesDifferentTextsAsDifferentClasses) {
  const Rows rows = {{"[20,30]"}, {"[20,30]"}, {"[20, 30]"}};
  const Table release = FromRows({"a"}, rows, true);
  EXPECT_EQ(Judge(release, Options(release, {"a"}, {}, 2, 1)).k, 1u);
}

TEST(Audit, CountsSpellingsOfOneSensitiveValueOnce) {
  const Table release = MakeTable("a s\n1 7\n1 007\n1 7.0\n2 _\n2 ?\n");
  const Verdict verdict = Judge(release, Options(release, {"a"}, {"s"}, 2, 2));
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.l, 0u) << "a class has none at all";
  EXPECT_EQ(verdict.l_of_column, std::vector<uint64_t>{0});
  EXPECT_EQ(verdict.breaking_classes, 2u);
}

TEST(Audit, NamesTheSmallestBreakingClassAndTheFirstOfThose) {
  const Table release = MakeTable("a\n1\n1\n1\n2\n2\n3\n3\n4\n4\n4\n4\n");
  const Verdict verdict = Judge(release, Options(release, {"a"}, {}, 4, 1));
  EXPECT_EQ(verdict.worst->cells, std::vector<std::string>{"2"});
  EXPECT_EQ(verdict.worst->rows, (std::vector<uint64_t>{4, 5}));
  EXPECT_EQ(verdict.class_sizes, (std::vector<std::pair<uint64_t, uint64_t>>{{2, 2}, {3, 1}, {4, 1}}));
}

TEST(Audit, CountsWithheldRowsAndRefusesInventedOnes) {
  const Table original = MakeTable("a s\n1 x\n2 y\n3 z\n");
  const Table fewer = MakeTable("a s\n3 z\n1 x\n"), more = MakeTable("a s\n1 x\n2 y\n3 z\n3 z\n");
  AuditOptions options = Options(fewer, {"a"}, {}, 1, 1);
  SetOriginal(options, fewer, original);
  Verdict verdict = Judge(fewer, options);
  EXPECT_TRUE(verdict.passed);
  EXPECT_EQ(verdict.withheld_rows, 1u);
  EXPECT_EQ(verdict.row_match, RowMatch::kFound);
  verdict = Judge(more, options);
  EXPECT_FALSE(verdict.passed);
  EXPECT_FALSE(verdict.rows_match);
}

TEST(Audit, SeesThatTwoRowsCannotStandForOne) {
  const Table original = MakeTable("a\n1\n5\n9\n");
  const Table release = FromRows({"a"}, {{"[1,2]"}, {"[1,3]"}, {"[5,9]"}}, true);  // two for 1, one for 5 and 9
  AuditOptions options = Options(release, {"a"}, {}, 1, 1);
  SetOriginal(options, release, original);
  const Verdict verdict = Judge(release, options);
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.row_match, RowMatch::kNone);
  EXPECT_EQ(verdict.cover[0].uncovered_rows, 1u);
}

TEST(Audit, SeesRowsWhoseColumnsFitOnlyOneByOne) {
  const Table original = MakeTable("a b\n1 x\n2 y\n");
  const Table release = FromRows({"a", "b"}, {{"1", "y"}, {"2", "x"}}, true);
  AuditOptions options = Options(release, {"a", "b"}, {}, 1, 1);
  SetOriginal(options, release, original);
  const Verdict verdict = Judge(release, options);
  EXPECT_FALSE(verdict.passed);
  EXPECT_TRUE(verdict.cover[0].covered && verdict.cover[1].covered);
  EXPECT_EQ(verdict.problems.size(), 2u);
}

// Every box covers nearly every row: more edges than could be listed.
TEST(Audit, FindsTheOrderOfRowsOfOneShape) {
  constexpr int kRows = 8000;
  std::vector<std::vector<std::string>> raw, released;
  for (int i = 0; i < kRows; ++i) raw.push_back({std::to_string(i), std::to_string((i * 7) % kRows)});
  for (int i = 0; i < kRows; ++i) {  // each box leaves out some rows at either end
    const int a = i % 40, b = i % 97;
    released.push_back(
        {fmt::format("[{},{}]", std::min(i, a), std::max(i, kRows - 1 - i % 31)),
         fmt::format("[{},{}]", std::min((i * 7) % kRows, b), std::max((i * 7) % kRows, kRows - 1 - i / 2 % 53))});
  }
  std::reverse(released.begin(), released.end());
  const Table original = FromRows({"a", "b"}, raw, false), release = FromRows({"a", "b"}, released, true);
  AuditOptions options = Options(release, {"a", "b"}, {}, 1, 1);
  SetOriginal(options, release, original);
  EXPECT_EQ(Judge(release, options).row_match, RowMatch::kFound);
}

TEST(Audit, SaysSoWhenTheSearchIsGivenUp) {
  const Table original = MakeTable("a b\n1 x\n2 y\n");
  const Table release = FromRows({"a", "b"}, {{"2", "y"}, {"1", "x"}}, true);
  AuditOptions options = Options(release, {"a", "b"}, {}, 1, 1);
  SetOriginal(options, release, original);
  options.search_limit = 1;
  const Verdict verdict = Judge(release, options);
  EXPECT_EQ(verdict.row_match, RowMatch::kUndecided);
  EXPECT_EQ(verdict.unverified.size(), 1u);
  EXPECT_TRUE(verdict.passed);
}

TEST(Audit, LeavesLabelsOfAHierarchyUnchecked) {
  const Table original = MakeTable("job s\nnurse x\ndoctor y\n");
  const Table release = FromRows({"job", "s"}, {{"health", "x"}, {"health", "y"}}, true);
  AuditOptions options = Options(release, {"job"}, {"s"}, 2, 2);
  SetOriginal(options, release, original);
  const Verdict verdict = Judge(release, options);
  EXPECT_TRUE(verdict.passed);
  EXPECT_EQ(verdict.cover[0].unchecked_rows, 2u);
  EXPECT_EQ(verdict.unverified.size(), 1u);
}

TEST(Audit, SeesAChangedSensitiveValue) {
  const Table original = MakeTable("a s\n1 x\n1 y\n1 z\n"), release = MakeTable("a s\n1 x\n1 y\n1 y\n");
  AuditOptions options = Options(release, {"a"}, {"s"}, 1, 1);
  SetOriginal(options, release, original);
  EXPECT_EQ(Judge(release, options).cover[1].example, "row 3: y is not z");
  options.order = std::make_shared<const std::vector<RowId>>(std::vector<RowId>{0, 1, 1});
  const Verdict verdict = Judge(release, options);
  EXPECT_FALSE(verdict.rows_match);  // y stands for one row twice
}

// A random original with an age, a state and a disease, and a truthful release of it: rows in groups of neighbours.
struct Truthful {
  Rows original, release;
};

Truthful DrawTruthful() {
  Truthful drawn;
  const int num_rows = *rc::gen::inRange(1, 60);
  for (int i = 0; i < num_rows; ++i) {
    const int age = *rc::gen::inRange(-3, 20);
    drawn.original.push_back({std::to_string(age), fmt::format("S{}", *rc::gen::inRange(0, 5)),
                              fmt::format("d{}", *rc::gen::inRange(0, 4))});
  }
  drawn.release = drawn.original;
  for (size_t begin = 0; begin < drawn.original.size();) {
    const size_t end = std::min(drawn.original.size(), begin + *rc::gen::inRange<size_t>(1, 6));
    int low = 100, high = -100;
    std::set<std::string> states;
    for (size_t i = begin; i < end; ++i) {
      low = std::min(low, std::stoi(drawn.original[i][0]));
      high = std::max(high, std::stoi(drawn.original[i][0]));
      states.insert(drawn.original[i][1]);
    }
    std::string set;
    for (const std::string& state : states) set += (set.empty() ? "{" : ",") + state;
    for (size_t i = begin; i < end; ++i) {
      drawn.release[i][0] = low == high ? std::to_string(low) : fmt::format("[{},{}]", low, high);
      drawn.release[i][1] = states.size() == 1 ? *states.begin() : set + "}";
    }
    begin = end;
  }
  return drawn;
}

const std::vector<std::string> kNames = {"age", "state", "disease"};

TEST(Audit, CountsAsAllPairsOfRowsDo) {
  EXPECT_TRUE(rc::check([] {
    const Rows rows = DrawTruthful().release;
    const int64_t k = *rc::gen::inRange(1, 5), l = *rc::gen::inRange(1, 4);
    uint64_t smallest = rows.size(), fewest = rows.size(), breaking = 0;
    double classes = 0;
    for (const auto& row : rows) {
      uint64_t size = 0;
      std::set<std::string> values;
      for (const auto& other : rows) {
        if (row[0] != other[0] || row[1] != other[1]) continue;
        ++size;
        values.insert(other[2]);
      }
      smallest = std::min<uint64_t>(smallest, size);
      fewest = std::min<uint64_t>(fewest, values.size());
      breaking += size < static_cast<uint64_t>(k) || values.size() < static_cast<uint64_t>(l);
      classes += 1.0 / static_cast<double>(size);
    }
    const Table release = FromRows(kNames, rows, true);
    const Verdict verdict = Judge(release, Options(release, {"age", "state"}, {"disease"}, k, l));
    RC_ASSERT(verdict.k == smallest);
    RC_ASSERT(verdict.l == fewest);
    RC_ASSERT(verdict.breaking_rows == breaking);
    RC_ASSERT(verdict.passed == (breaking == 0));
    RC_ASSERT(verdict.classes == static_cast<uint64_t>(std::lround(classes)));
  }));
}

TEST(Audit, FindsTheRowsOfAShuffledTruthfulRelease) {
  EXPECT_TRUE(rc::check([] {
    const Truthful drawn = DrawTruthful();
    std::vector<RowId> order(drawn.original.size());
    std::iota(order.begin(), order.end(), 0u);
    Random(*rc::gen::arbitrary<uint64_t>()).Shuffle(std::span(order));
    Rows shuffled;
    for (const RowId row : order) shuffled.push_back(drawn.release[row]);
    const Table original = FromRows(kNames, drawn.original, false);
    const Table straight = FromRows(kNames, drawn.release, true), release = FromRows(kNames, shuffled, true);
    AuditOptions options = Options(release, {"age", "state"}, {"disease"}, 2, 2);
    const Verdict before = Judge(straight, options), after = Judge(release, options, 3);
    // Row order changes nothing but row numbers.
    RC_ASSERT(before.passed == after.passed);
    RC_ASSERT(before.class_sizes == after.class_sizes);
    RC_ASSERT(before.l == after.l);
    RC_ASSERT(before.breaking_rows == after.breaking_rows);
    options.requirement.k = options.requirement.l = 1;
    SetOriginal(options, release, original);
    RC_ASSERT(Judge(release, options).passed);
    options.order = std::make_shared<const std::vector<RowId>>(order);
    RC_ASSERT(Judge(release, options, 3).passed);
  }));
}

TEST(Audit, FindsACellThatNoLongerCovers) {
  EXPECT_TRUE(rc::check([] {
    Truthful drawn = DrawTruthful();
    const size_t row = *rc::gen::inRange<size_t>(0, drawn.original.size());
    const size_t column = *rc::gen::inRange<size_t>(0, 3);
    const std::vector<std::string> false_cells = {"[100,200]", "{S7,S8}", "d9"};
    drawn.release[row][column] = false_cells[column];
    const Table original = FromRows(kNames, drawn.original, false), release = FromRows(kNames, drawn.release, true);
    AuditOptions options = Options(release, {"age", "state"}, {"disease"}, 1, 1);
    SetOriginal(options, release, original);
    for (const bool told : {false, true}) {
      if (told) {
        std::vector<RowId> order(drawn.original.size());
        std::iota(order.begin(), order.end(), 0u);
        options.order = std::make_shared<const std::vector<RowId>>(std::move(order));
      }
      const Verdict verdict = Judge(release, options);
      RC_ASSERT(!verdict.passed);
      RC_ASSERT(!told || !verdict.cover[column].covered);
      RC_ASSERT(!told || verdict.cover[column].uncovered_rows == 1u);
      RC_ASSERT(!told || verdict.cover[column].example.starts_with(fmt::format("row {}: ", row + 1)));
    }
  }));
}

}  // namespace
}  // namespace tada
