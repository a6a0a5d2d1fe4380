#include "privacy/canonical_value.h"

#include <gtest/gtest.h>

#include <numeric>

#include "privacy/check/checker.h"
#include "table/column_builder.h"

namespace tada {
namespace {

Column MakeColumn(const std::vector<std::string>& cells, std::vector<std::string> missing = {"", "?"},
                  std::optional<Kind> kind = std::nullopt) {
  ColumnBuilder builder("s", {.kind = kind, .missing = std::move(missing)});
  for (const std::string& cell : cells) builder.AppendText(cell);
  return builder.Finish().value();
}

void ExpectOne(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    EXPECT_EQ(CanonicalValue(text), CanonicalValue(texts[0])) << "'" << text << "' and '" << texts[0] << "'";
  }
}

TEST(CanonicalValue, IsTheSameForSpellingsOfOneName) {
  ExpectOne({"flu", "Flu", " FLU\t", "flu\xC2\xA0", "f\xE2\x80\x8Blu", "\xEF\xAC\x82u", "\xEF\xBD\x86lu"});
  ExpectOne({"\xC3\xA9", "e\xCC\x81", "\xC3\x89"});  // é: composed, decomposed, upper case
  ExpectOne(
      {"stra\xC3\x9F"
       "e",
       "STRASSE",
       "stra\xE1\xBA\x9E"
       "e"});  // ß, SS, ẞ
  ExpectOne({"true", "TRUE", "True"});
  EXPECT_NE(CanonicalValue("flu"), CanonicalValue("f lu"));
  EXPECT_NE(CanonicalValue("e"), CanonicalValue("\xC3\xA9"));
}

TEST(CanonicalValue, OfANumberIsItsValue) {
  ExpectOne({"7", "7.0", "+7", "007", "7e0", "70E-1", ".7e1", " 7 ", "\xEF\xBC\x97"});
  ExpectOne({"0", "-0", "0.00", "0e99"});
  ExpectOne({"100", "1e2", "1E+2", "100."});
  EXPECT_NE(CanonicalValue("7"), CanonicalValue("-7"));
  EXPECT_NE(CanonicalValue("12345678901234567890"), CanonicalValue("12345678901234567891"));
  for (const std::string text :
       {"e5", "1e", "1e+", "1.2.3", ".", "+", "1e99999999999999999999", "0x7", "1e5.0", "1e--5"}) {
    EXPECT_NE(CanonicalValue(text), CanonicalValue("7")) << text;
  }
  EXPECT_NE(CanonicalValue("1e99999999999999999999"), CanonicalValue("1e99999999999999999998"));
}

TEST(CanonicalValue, OfMissingWordsIsEmpty) {
  for (const std::string text : {"", " ", "?", "NA", "n/a", "N/A ", "NaN", "null", "-", "Missing", "#N/A", "<NA>"}) {
    EXPECT_EQ(CanonicalValue(text), "") << text;
  }
  for (const std::string text : {"none", "unknown", "nab", "0"}) EXPECT_NE(CanonicalValue(text), "") << text;
}

TEST(CountValues, NumbersValuesInTheirOrderAndMissingFirst) {
  const Column column = MakeColumn({"b", "A", "a ", "N/A", "", "?", "7.0", "7"});
  const CountedValues values = CountValues(column, false);
  EXPECT_EQ(values.count, 4u);  // missing, 7, a, b
  EXPECT_EQ(values.missing, Code{0});
  Code last = 0;
  for (Code code = 0; code < column.num_codes(); ++code) {
    const Code value = values.value_of_code[code];
    EXPECT_EQ(value == 0, column.is_missing(code) || column.text(code) == "N/A");
    EXPECT_LE(value, last + 1) << "new values follow one another";
    last = std::max(last, value);
  }
}

TEST(CountValues, ExactlyAreTheTextsThemselves) {
  const Column names = MakeColumn({"a", "A", "N/A", "", "?"});
  EXPECT_EQ(CountValues(names, true).count, 4u);  // a, A, N/A, missing
  const Column numbers = MakeColumn({"7", "7.0", "8"});
  EXPECT_EQ(CountValues(numbers, true).count, 3u);
  EXPECT_EQ(CountValues(numbers, false).count, 2u);
  EXPECT_FALSE(CountValues(numbers, false).missing.has_value());
}

Table Spellings() { return Table({MakeColumn({"flu", "Flu", "FLU ", "N/A", ""})}); }

TEST(Checker, CountsSpellingsOnceAndMissingNotAtAll) {
  const Table table = Spellings();
  Requirement asked{.k = 1, .l = 2};
  const std::vector<RowId> all = {0, 1, 2, 3, 4};
  EXPECT_FALSE(Checker(asked, table, {0}).Holds(all)) << "one disease, however it is spelled";
  asked.missing_counts = true;
  EXPECT_TRUE(Checker(asked, table, {0}).Holds(all)) << "flu, and missing";
  EXPECT_FALSE(Checker(asked, table, {0}).Holds(std::vector<RowId>{0, 1, 2}));
  asked.missing_counts = false;
  asked.exact_values = true;
  asked.l = 4;
  EXPECT_TRUE(Checker(asked, table, {0}).Holds(all)) << "flu, Flu, FLU, N/A";
  asked.l = 5;
  EXPECT_FALSE(Checker(asked, table, {0}).Holds(all)) << "the empty cell does not count";
}

TEST(Checker, LeavesMissingOutOfEveryKindOfDiversity) {
  std::vector<std::string> cells(22, "");
  cells[0] = "flu", cells[1] = "cold";
  const Table table({MakeColumn(cells)});
  Requirement asked{.k = 1, .l = 2, .diversity = Diversity::kEntropy};
  std::vector<RowId> all(cells.size());
  std::iota(all.begin(), all.end(), RowId{0});
  EXPECT_TRUE(Checker(asked, table, {0}).Holds(all)) << "two equally frequent values";
  asked.missing_counts = true;
  EXPECT_FALSE(Checker(asked, table, {0}).Holds(all)) << "most are missing";
  asked = {.k = 1, .l = 2, .diversity = Diversity::kRecursive, .c = 1.5};
  EXPECT_TRUE(Checker(asked, table, {0}).Holds(all));
  asked.missing_counts = true;
  EXPECT_FALSE(Checker(asked, table, {0}).Holds(all));
}

}  // namespace
}  // namespace tada
