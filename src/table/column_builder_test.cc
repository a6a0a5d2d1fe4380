#include "table/column_builder.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace tada {
namespace {

Column Build(const std::vector<std::string>& texts, ColumnOptions options = {}) {
  ColumnBuilder builder("c", std::move(options));
  for (const std::string& text : texts) builder.AppendText(text);
  return std::move(builder.Finish()).value();
}

std::vector<std::string> Dictionary(const Column& column) {
  std::vector<std::string> texts;
  for (Code code = 0; code < column.num_codes(); ++code) texts.emplace_back(column.text(code));
  return texts;
}

TEST(ColumnBuilder, SortsNumbersAsNumbersAndKeepsTheirSpelling) {
  const Column column = Build({"10", "9", "007", "7", "1e1", "-3"});
  EXPECT_EQ(column.kind(), Kind::kNumeric);
  EXPECT_EQ(Dictionary(column), (std::vector<std::string>{"-3", "007", "7", "9", "10", "1e1"}));
  EXPECT_TRUE(column.same_value(1, 2));
  EXPECT_FALSE(column.same_value(2, 3));
  EXPECT_EQ(column.num_values(), 4);
}

TEST(ColumnBuilder, PutsMissingBelowEveryValue) {
  const Column column = Build({"3", "?", "1", ""});
  EXPECT_EQ(column.num_missing(), 2);
  EXPECT_EQ(Dictionary(column), (std::vector<std::string>{"", "?", "1", "3"}));
  EXPECT_TRUE(column.same_value(0, 1));
  EXPECT_EQ(column.num_values(), 3);
}

TEST(ColumnBuilder, MergesSpellingsOfMissingWhereAsked) {
  ColumnOptions options;
  options.merge_missing = true;
  const Column column = Build({"b", "?", "a", ""}, options);
  EXPECT_EQ(Dictionary(column), (std::vector<std::string>{"", "a", "b"}));
  EXPECT_EQ(column.codes()[1], 0);
  EXPECT_EQ(column.codes()[3], 0);
}

TEST(ColumnBuilder, DatesAreNumericAndMixedColumnsAreNot) {
  EXPECT_TRUE(Build({"2024-01-31", "1999-12-31"}).is_date());
  EXPECT_EQ(Build({"2024-01-31", "5"}).kind(), Kind::kCategorical);
  EXPECT_EQ(Build({"5", "2024-01-31"}).kind(), Kind::kCategorical);
  EXPECT_EQ(Build({"?", ""}).kind(), Kind::kCategorical);
}

TEST(ColumnBuilder, RefusesAKindThatDoesNotFit) {
  ColumnOptions options;
  options.kind = Kind::kNumeric;
  ColumnBuilder builder("age", options);
  builder.AppendText("12");
  builder.AppendText("old");
  const auto column = builder.Finish();
  ASSERT_FALSE(column.ok());
  EXPECT_NE(column.error().message.find("age"), std::string::npos);
  EXPECT_EQ(column.error().message.find("old"), std::string::npos) << "a message shows no cell";
}

TEST(ColumnBuilder, TakesTheOrderItIsGiven) {
  ColumnOptions options;
  options.kind = Kind::kOrdinal;
  options.order = {"low", "mid", "high"};
  EXPECT_EQ(Dictionary(Build({"high", "low", "odd", "mid"}, options)),
            (std::vector<std::string>{"low", "mid", "high", "odd"}));
  options = {};
  options.order_of_appearance = true;
  EXPECT_EQ(Dictionary(Build({"MN", "CA", "TX", "CA"}, options)), (std::vector<std::string>{"MN", "CA", "TX"}));
}

TEST(ColumnBuilder, EveryRowGetsItsOwnTextBack) {
  EXPECT_TRUE(rc::check([](const std::vector<std::string>& texts) {
    const Column column = Build(texts);
    RC_ASSERT(column.num_rows() == texts.size());
    for (size_t row = 0; row < texts.size(); ++row) RC_ASSERT(column.text(column.codes()[row]) == texts[row]);
  }));
}

TEST(ColumnBuilder, CodesAreAsNarrowAsTheDictionaryAllows) {
  std::vector<std::string> texts;
  for (int i = 0; i < 300; ++i) texts.push_back(std::to_string(i));
  EXPECT_EQ(Build(texts).codes().bytes_per_code(), 2);
  texts.resize(256);
  EXPECT_EQ(Build(texts).codes().bytes_per_code(), 1);
  texts.insert(texts.end(), {"", "?"});  // one value once they are merged, but two texts
  EXPECT_EQ(Build(texts).codes().bytes_per_code(), 2);
  texts.erase(texts.begin());
  ColumnOptions options;
  options.merge_missing = true;
  const Column merged = Build(texts, options);
  EXPECT_EQ(merged.codes().bytes_per_code(), 1);
  for (size_t row = 0; row < 255; ++row) EXPECT_EQ(merged.text(merged.codes()[row]), texts[row]);
  EXPECT_EQ(merged.codes()[255], merged.codes()[256]);
}

// Rows that were added while numbers had one byte, or two, keep their texts when there are more.
TEST(ColumnBuilder, RowsWidenWhileTheyAreAdded) {
  constexpr uint32_t kTexts = 70'000;
  ColumnBuilder builder("number", {});
  for (uint32_t i = 0; i < kTexts; ++i) {
    builder.AppendText(std::to_string(i));
    std::ranges::fill(builder.Extend(2), builder.Intern(std::to_string(i / 2)));
    EXPECT_EQ(builder.num_rows(), 3 * (i + 1));
  }
  const Column column = builder.Finish().value();
  EXPECT_EQ(column.codes().bytes_per_code(), 4);
  for (uint32_t i = 0; i < kTexts; ++i) {
    EXPECT_EQ(column.codes()[3 * i], i);
    EXPECT_EQ(column.codes()[3 * i + 1], i / 2);
    EXPECT_EQ(column.codes()[3 * i + 2], i / 2);
  }
}

}  // namespace
}  // namespace tada
