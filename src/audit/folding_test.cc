#include "audit/checks/folding.h"

#include <gtest/gtest.h>

#include "audit/audit.h"
#include "table/column_builder.h"

namespace tada {
namespace {

Column MakeColumn(const std::string& name, const std::vector<std::string>& cells) {
  ColumnBuilder builder(name, {});
  for (const std::string& cell : cells) builder.AppendText(cell);
  return builder.Finish().value();
}

void ExpectOne(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    EXPECT_EQ(FoldedText(text), FoldedText(texts[0])) << "'" << text << "' and '" << texts[0] << "'";
  }
}

TEST(Folding, MakesSpellingsOne) {
  ExpectOne({"flu", "Flu", " FLU\t", "flu\xC2\xA0", "f\xE2\x80\x8Blu", "\xEF\xAC\x82u", "\xEF\xBD\x86lu"});
  ExpectOne({"\xC3\xA9", "e\xCC\x81", "\xC3\x89"});
  ExpectOne(
      {"stra\xC3\x9F"
       "e",
       "STRASSE"});
  ExpectOne({"a\xCC\xA3\xCC\x87", "a\xCC\x87\xCC\xA3"});                // two marks in either order
  ExpectOne({"\xEA\xB0\x81", "\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8"});  // a Hangul syllable and its letters
  ExpectOne({"7", "7.0", "+7", "007", "7e0", "70E-1", ".7e1", "\xEF\xBC\x97"});
  ExpectOne({"0", "-0", "0.00"});
  ExpectOne({"100", "1e2", "100."});
  ExpectOne({"", " ", "NA", "n/a", "NaN", "?", "<NA>"});
}

TEST(Folding, KeepsValuesApart) {
  const std::vector<std::string> different = {"flu", "f lu", "e", "\xC3\xA9", "7", "-7", "0.7", "70", "none", "1e", ""};
  for (size_t i = 0; i < different.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_NE(FoldedText(different[i]), FoldedText(different[j]));
  }
}

TEST(Folding, ListsWhatCountsAsAnother) {
  const Column column = MakeColumn("s", {"flu", "Flu", "cold", "N/A", "7", "7.0"});
  const FoldedColumn folded = FoldColumn(column, {});
  EXPECT_EQ(folded.count, 4u);
  const auto pairs = FoldedPairs(column, folded);
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0], (std::pair<std::string, std::string>("7.0", "7")));
  EXPECT_EQ(pairs[1], (std::pair<std::string, std::string>("N/A", "")));
  EXPECT_EQ(pairs[2], (std::pair<std::string, std::string>("flu", "Flu")));
  EXPECT_TRUE(FoldedPairs(column, FoldColumn(column, {.exact_values = true})).empty());
}

Verdict AuditOf(const std::vector<std::string>& diseases, Requirement requirement) {
  const Table table(
      {MakeColumn("age", std::vector<std::string>(diseases.size(), "[20,30]")), MakeColumn("s", diseases)});
  AuditOptions options;
  options.quasi = {0};
  options.sensitive = {1};
  options.requirement = requirement;
  return Audit(table, options, Workers(1, nullptr)).value();
}

TEST(Folding, ClassesOfOneValueFail) {
  const std::vector<std::string> spelled = {"flu", "Flu", "flu ", "N/A", ""};
  EXPECT_FALSE(AuditOf(spelled, {.k = 2, .l = 2}).passed);
  EXPECT_EQ(AuditOf(spelled, {.k = 2, .l = 2}).l, 1u);
  EXPECT_EQ(AuditOf(spelled, {.k = 2, .l = 2, .missing_counts = true}).l, 2u);
  EXPECT_EQ(AuditOf(spelled, {.k = 2, .l = 2, .exact_values = true}).l, 4u);
  EXPECT_FALSE(AuditOf(spelled, {.k = 2, .l = 2}).folded.empty());
}

TEST(Folding, ClassesWithoutAnyValuePassWhereNoneIsAsked) {
  EXPECT_TRUE(AuditOf({"", "NA"}, {.k = 2, .l = 1}).passed);
  EXPECT_EQ(AuditOf({"", "NA"}, {.k = 2, .l = 1}).l, 0u);
  EXPECT_FALSE(AuditOf({"", "NA"}, {.k = 2, .l = 2, .diversity = Diversity::kEntropy}).passed);
}

}  // namespace
}  // namespace tada
