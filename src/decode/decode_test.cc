#include "decode/decode.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

#include "base/option_mark.h"
#include "decode/marginal.h"
#include "table/column_builder.h"
#include "table/number.h"

namespace tada {
namespace {

Column MakeColumn(std::string name, const std::vector<std::string>& texts) {
  ColumnBuilder builder(std::move(name), {.kind = Kind::kCategorical, .missing = {}});
  for (const std::string& text : texts) builder.AppendText(text);
  return builder.Finish().value();
}

std::vector<std::string> Texts(const Column& column) {
  std::vector<std::string> texts;
  for (size_t row = 0; row < column.num_rows(); ++row) texts.emplace_back(column.text(column.codes()[row]));
  return texts;
}

Decoded DecodeOrDie(const Table& release, const DecodeOptions& options, int threads = 1) {
  const Workers workers(threads);
  return Decode(release, options, workers).value();
}

std::string RandomNumberCell() {
  const int low = *rc::gen::inRange(0, 60), width = *rc::gen::inRange(0, 30);
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      return "*";
    case 1:
      return fmt::format("{}", low);
    case 2:
      return fmt::format("({},{}]", low, low + width + 1);
    case 3:
      return fmt::format("[{},{})", low, low + width + 1);
    case 4:
      return fmt::format(">={}", low);
    default:
      return fmt::format("[{},{}]", low, low + width);
  }
}

std::string RandomNameCell() {
  std::vector<std::string> names;
  const int chosen = *rc::gen::inRange(0, 32);
  for (int i = 0; i < 5; ++i) {
    if (chosen >> i & 1) names.emplace_back(1, static_cast<char>('a' + i));
  }
  if (names.empty()) return "*";
  return names.size() == 1 ? *names.begin() : fmt::format("{{{}}}", fmt::join(names, ","));
}

Table RandomRelease() {
  const size_t rows = *rc::gen::inRange<size_t>(1, 60);
  std::vector<std::string> numbers, names;
  for (size_t i = 0; i < rows; ++i) {
    numbers.push_back(RandomNumberCell());
    names.push_back(RandomNameCell());
  }
  return Table({MakeColumn("age", numbers), MakeColumn("job", names), MakeColumn("y", names)});
}

bool LiesInside(const std::string& value, const std::string& text, Reading reading) {
  const ParsedCell cell = ParseCell(text, reading);
  switch (cell.form) {
    case ParsedCell::Form::kValue:
      return value == text;
    case ParsedCell::Form::kMask:
      return true;
    case ParsedCell::Form::kSet:
      return std::find(cell.elements.begin(), cell.elements.end(), value) != cell.elements.end();
    case ParsedCell::Form::kPattern:
      return MatchesPattern(text, value);
    case ParsedCell::Form::kInterval:
      break;
  }
  const double number = ParseNumber(value).value();
  const bool above =
      cell.low.empty() || number > *ParseNumber(cell.low) || (!cell.low_open && number == *ParseNumber(cell.low));
  const bool below =
      cell.high.empty() || number < *ParseNumber(cell.high) || (!cell.high_open && number == *ParseNumber(cell.high));
  return above && below;
}

TEST(Decode, DrawnValuesLieInsideTheirCells) {
  EXPECT_TRUE(rc::check([] {
    const Table release = RandomRelease();
    DecodeOptions options;
    options.kinds = {{"age", Kind::kNumeric}, {"job", Kind::kCategorical}};
    options.columns = {"age", "job"};
    options.copies = *rc::gen::inRange(1u, 5u);
    options.seed = *rc::gen::arbitrary<uint64_t>();
    const Decoded decoded = DecodeOrDie(release, options);
    RC_ASSERT(decoded.table.num_rows() == release.num_rows() * options.copies);
    for (ColumnId id = 0; id < 2; ++id) {
      const auto cells = Texts(release.column(id)), values = Texts(decoded.table.column(id));
      const bool masks_only =
          std::all_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell == "*"; });
      for (size_t i = 0; i < values.size() && !masks_only; ++i) {
        RC_ASSERT(LiesInside(values[i], cells[i % cells.size()], id == 0 ? Reading::kNumbers : Reading::kNames));
        RC_ASSERT(values[i].find_first_of("*{[(") == std::string::npos);
      }
    }
    RC_ASSERT(Texts(decoded.table.column(2)).front() == Texts(release.column(2)).front());  // not asked for
  }));
}

std::string RandomMomentCell() {
  const auto moment = [](int minutes) {
    return fmt::format("2024-03-0{} {:02}:{:02}", 1 + minutes / 1440, minutes / 60 % 24, minutes % 60);
  };
  const int low = *rc::gen::inRange(0, 4000), width = *rc::gen::inRange(0, 4000);
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return moment(low);
    case 1:
      return fmt::format("({},{}]", moment(low), moment(low + width + 1));
    default:
      return fmt::format("[{},{}]", moment(low), moment(low + width));
  }
}

TEST(Decode, DrawnAndExpectedMomentsLieInsideTheirCells) {
  EXPECT_TRUE(rc::check([] {
    std::vector<std::string> cells;
    for (size_t i = *rc::gen::inRange<size_t>(1, 40); i > 0; --i) cells.push_back(RandomMomentCell());
    DecodeOptions options;
    options.columns = {"at"};
    options.kinds = {{"at", Kind::kNumeric}};
    options.copies = 1;
    options.expect = *rc::gen::arbitrary<bool>();
    const Decoded decoded = DecodeOrDie(Table({MakeColumn("at", cells)}), options);
    const auto values = Texts(decoded.table.column(0));
    for (size_t i = 0; i < cells.size(); ++i) {
      const ParsedCell cell = ParseCell(cells[i], Reading::kDates);
      if (cell.form != ParsedCell::Form::kInterval) {
        RC_ASSERT(values[i] == cells[i]);
        continue;
      }
      RC_ASSERT(values[i].size() == cell.low.size());  // spelled alike
      RC_ASSERT(values[i] > cell.low || (!cell.low_open && values[i] == cell.low));
      RC_ASSERT(values[i] <= cell.high);
    }
  }));
}

TEST(Decode, MeansLieInsideTheirCells) {
  EXPECT_TRUE(rc::check([] {
    const Table release = RandomRelease();
    DecodeOptions options;
    options.columns = {"age"};
    options.kinds = {{"age", Kind::kNumeric}};
    options.expect = true;
    const Decoded decoded = DecodeOrDie(release, options);
    const auto cells = Texts(release.column(0)), values = Texts(decoded.table.column(0));
    for (size_t i = 0; i < values.size(); ++i) {
      RC_ASSERT(values[i] == cells[i] || LiesInside(values[i], cells[i], Reading::kNumbers));
    }
  }));
}

TEST(Decode, WhatMayBeAValueIsLeftUnlessNamed) {
  const Table release({MakeColumn("band", {"18-24", "25-34", "18-24"}), MakeColumn("grade", {"A*", "A-", "B"}),
                       MakeColumn("income", {"-50000", "50000+", "-50000"}),
                       MakeColumn("age", {"[20,30]", "25", "*"})});
  DecodeOptions options;
  options.copies = 1;
  const Decoded left = DecodeOrDie(release, options);
  for (ColumnId id = 0; id < 3; ++id) EXPECT_EQ(Texts(left.table.column(id)), Texts(release.column(id)));
  EXPECT_EQ(left.columns.size(), 1u);
  ASSERT_EQ(left.warnings.size(), 3u);
  EXPECT_EQ(
      left.warnings[0],
      "Column band: cells like 18-24 are taken for values. If they are not, name the column in " TADA_OPTION("quasi"));
  options.columns = {"band"};
  const Decoded named = DecodeOrDie(release, options);
  EXPECT_EQ(named.columns.size(), 1u);
  EXPECT_TRUE(named.warnings.empty());
  options.kinds = {{"band", Kind::kCategorical}};
  EXPECT_EQ(Texts(DecodeOrDie(release, options).table.column(0)), Texts(release.column(0)));
}

TEST(Decode, SaysWhichCellsItCouldNotRead) {
  const Table release({MakeColumn("zip", {"476**", "481**", "99999", "99***"})});
  DecodeOptions options;
  options.columns = {"zip"};
  options.kinds = {{"zip", Kind::kCategorical}};
  EXPECT_EQ(
      DecodeOrDie(release, options).warnings,
      (std::vector<std::string>{"Column zip: 2 different cells could not be read and stay as they are: 476**, 481**"}));
  options.expect = true;
  options.learn_from = &release;
  EXPECT_EQ(
      DecodeOrDie(release, options).warnings,
      (std::vector<std::string>{"Column zip: 2 different cells could not be read and have probability 0 for every "
                                "value: 476**, 481**"}));
  const Table other({MakeColumn("age", {"1"})});
  options.learn_from = &other;
  const Workers workers(1);
  EXPECT_EQ(Decode(release, options, workers).error().message,
            "The release to learn from has no column of that name: zip");
}

TEST(Decode, CountsTheRowsOfEveryCellThatIsNoValue) {
  const Table release({MakeColumn("p", {"[9234567890123456,9934567890129999]", "5", "[3,4]"})});
  const Decoded decoded = DecodeOrDie(release, {.columns = std::nullopt, .copies = 1});
  ASSERT_EQ(decoded.columns.size(), 1u);
  EXPECT_EQ(decoded.columns[0].widened_rows, 2u);
  EXPECT_EQ(decoded.warnings.size(), 1u);
}

// The estimate as one would write it down: row by row, every atom asked whether it lies inside.
std::vector<double> PlainMarginal(const std::vector<std::string>& rows, const std::vector<std::string>& atoms,
                                  Reading reading, int rounds) {
  std::vector<double> share(atoms.size(), 1.0 / static_cast<double>(atoms.size()));
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> next(atoms.size(), 0.0);
    double total = 0;
    for (const std::string& cell : rows) {
      double mass = 0;
      for (size_t a = 0; a < atoms.size(); ++a) mass += LiesInside(atoms[a], cell, reading) ? share[a] : 0;
      if (mass == 0) continue;
      for (size_t a = 0; a < atoms.size(); ++a) next[a] += LiesInside(atoms[a], cell, reading) ? share[a] / mass : 0;
      total += 1;
    }
    for (size_t a = 0; a < atoms.size(); ++a) share[a] = next[a] / total;
  }
  return share;
}

TEST(Decode, MarginalsEqualAPlainImplementation) {
  EXPECT_TRUE(rc::check([] {
    const Table release = RandomRelease();
    for (ColumnId id = 0; id < 2; ++id) {
      const Column& column = release.column(id);
      const std::vector<std::string> missing = {""};
      const ColumnDecoder decoder(column, nullptr, id == 0 ? Kind::kNumeric : Kind::kCategorical, missing,
                                  Notation::kAny);
      const auto& cells = decoder.cells();
      if (cells.num_atoms() == 0) continue;
      const std::vector<std::string> atoms(cells.texts.begin(), cells.texts.begin() + cells.num_atoms());
      const std::vector<double> expected =
          PlainMarginal(Texts(column), atoms, cells.reading, id == 0 ? kRoundsOfNumbers : kRoundsOfNames);
      for (size_t a = 0; a < atoms.size(); ++a) RC_ASSERT(std::abs(decoder.marginal()[a] - expected[a]) < 1e-12);
    }
  }));
}

TEST(Decode, ATableWithoutWidenedCellsIsItself) {
  const Table table({MakeColumn("age", {"34", "007", "?", "7"}), MakeColumn("job", {"clerk", "", "a b", "clerk"})});
  for (const bool expect : {false, true}) {
    DecodeOptions options;
    options.expect = expect;
    const Decoded decoded = DecodeOrDie(table, options);
    ASSERT_EQ(decoded.table.num_columns(), 2u);
    EXPECT_TRUE(decoded.columns.empty());
    for (ColumnId id = 0; id < 2; ++id) {
      EXPECT_EQ(decoded.table.column(id).name(), table.column(id).name());
      EXPECT_EQ(Texts(decoded.table.column(id)), Texts(table.column(id)));
    }
  }
}

TEST(Decode, TheSameSeedDrawsTheSameAtAnyNumberOfThreads) {
  std::vector<std::string> cells;
  for (int i = 0; i < 200000; ++i) cells.push_back(fmt::format("[{},{}]", i % 50, i % 50 + i % 7));
  const Table release({MakeColumn("age", cells), MakeColumn("height", cells)});
  DecodeOptions options;
  const Decoded one = DecodeOrDie(release, options, 1), three = DecodeOrDie(release, options, 3);
  for (ColumnId id = 0; id < 2; ++id) EXPECT_EQ(Texts(one.table.column(id)), Texts(three.table.column(id)));
  EXPECT_NE(Texts(one.table.column(0)), Texts(one.table.column(1)));  // columns are drawn on their own
  options.seed = 2;
  EXPECT_NE(Texts(one.table.column(0)), Texts(DecodeOrDie(release, options).table.column(0)));
}

TEST(Decode, DrawsAsOftenAsTheMarginalSays) {
  // 300 rows say a, 100 say b: three of four of the rows that say {a,b} are a.
  std::vector<std::string> cells(300, "a");
  cells.insert(cells.end(), 100, "b");
  cells.insert(cells.end(), 400, "{a,b}");
  const Table release({MakeColumn("job", cells)});
  const ColumnDecoder decoder(release.column(0), nullptr, std::nullopt, {}, Notation::kAny);
  EXPECT_NEAR(decoder.marginal()[0], 0.75, 1e-3);
  DecodeOptions options;
  options.copies = 50;
  const auto drawn = Texts(DecodeOrDie(release, options).table.column(0));
  const auto a = static_cast<double>(std::count(drawn.begin(), drawn.end(), "a") - 50 * 300);
  EXPECT_NEAR(a / (50 * 400), 0.75, 0.01);
}

TEST(Decode, SharesMayBeLearnedFromAnotherRelease) {
  const Table learn({MakeColumn("job", {"b", "b", "{a,b}", "c"})});
  const Table release({MakeColumn("job", {"{a,c}", "*", "{d,e}"})});
  DecodeOptions options;
  options.learn_from = &learn;
  options.expect = true;
  const Decoded decoded = DecodeOrDie(release, options);
  ASSERT_EQ(decoded.table.num_columns(), 5u);
  EXPECT_EQ(Texts(decoded.table.column(3)), (std::vector<std::string>{"0", "0", "0.5"}));  // d: nothing is known of it
}

TEST(Decode, ExpectGivesMeansAndProbabilities) {
  const Table release({MakeColumn("age", {"[20,40]", "20", "40", "40", "?"}),
                       MakeColumn("job", {"{a,b}", "a", "b", "b", "*"}), MakeColumn("y", {"0", "1", "0", "1", "0"})});
  DecodeOptions options;
  options.expect = true;
  const Decoded decoded = DecodeOrDie(release, options);
  ASSERT_EQ(decoded.table.num_columns(), 4u);
  EXPECT_EQ(decoded.table.column(1).name(), "job=a");
  const auto age = Texts(decoded.table.column(0)), a = Texts(decoded.table.column(1)),
             b = Texts(decoded.table.column(2));
  EXPECT_NEAR(*ParseNumber(age[0]), 20 + 20 * 2.0 / 3, 1e-4);
  EXPECT_EQ(age[1], "20");
  EXPECT_EQ(age[4], "?");
  EXPECT_NEAR(*ParseNumber(a[0]), 1.0 / 3, 1e-4);
  EXPECT_EQ(a[1], "1");
  EXPECT_EQ(b[1], "0");
  EXPECT_NEAR(*ParseNumber(a[4]) + *ParseNumber(b[4]), 1.0, 1e-5);
}

TEST(Decode, WeightsSumToTheRowsOfTheRelease) {
  const Table release({MakeColumn("age", {"[20,40]", "20"})});
  DecodeOptions options;
  options.weight_column = "w";
  options.copies = 4;
  const Decoded decoded = DecodeOrDie(release, options);
  EXPECT_EQ(Texts(decoded.table.column(1)), std::vector<std::string>(8, "0.25"));
  options.weight_column = "age";
  EXPECT_FALSE(Decode(release, options, Workers(1)).ok());
  options.columns = {"nobody"};
  EXPECT_FALSE(Decode(release, options, Workers(1)).ok());
}

TEST(Decode, CopiesFillUpSmallTables) {
  EXPECT_EQ(DefaultCopies(0), 1u);
  EXPECT_EQ(DefaultCopies(100), 4u);
  EXPECT_EQ(DefaultCopies(10368), 2u);
  EXPECT_EQ(DefaultCopies(1000000), 1u);
}

}  // namespace
}  // namespace tada
