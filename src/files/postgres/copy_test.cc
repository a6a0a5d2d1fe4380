#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "files/postgres/copy_binary.h"
#include "files/postgres/copy_text.h"

namespace tada {
namespace {

using namespace std::string_literals;

TEST(CopyField, IsSizeAndBytes) {
  EXPECT_EQ(CopyField("text", "né"), "\0\0\0\3n\303\251"s);
  EXPECT_EQ(CopyField("character varying(9)", ""), "\0\0\0\0"s);
  EXPECT_EQ(CopyField("integer", "-2"), "\0\0\0\4\377\377\377\376"s);
  EXPECT_EQ(CopyField("bigint", "4294967296"), "\0\0\0\10\0\0\0\1\0\0\0\0"s);
  EXPECT_EQ(CopyField("date", "2000-01-03"), "\0\0\0\4\0\0\0\2"s);
  EXPECT_EQ(CopyField("date", "1999-12-31"), "\0\0\0\4\377\377\377\377"s);
  EXPECT_EQ(CopyField("int4range", std::nullopt), "\377\377\377\377"s);
}

TEST(CopyField, OfARangeHasItsHighBoundOutside) {
  EXPECT_EQ(CopyField("int4range", "[20,30]"), "\0\0\0\21\2\0\0\0\4\0\0\0\24\0\0\0\4\0\0\0\37"s);
  EXPECT_EQ(CopyField("int8range", "[-1,-1]"),
            "\0\0\0\31\2\0\0\0\10\377\377\377\377\377\377\377\377\0\0\0\10\0\0\0\0\0\0\0\0"s);
  EXPECT_EQ(CopyField("daterange", "[2000-01-01,2000-01-01]"), "\0\0\0\21\2\0\0\0\4\0\0\0\0\0\0\0\4\0\0\0\1"s);
  EXPECT_EQ(CopyField("int4range", "(,)"), "\0\0\0\1\30"s);
}

TEST(CopyField, OfAnArrayHasItsElements) {
  const std::string one_of_one = "\0\0\0\1\0\0\0\0\0\0\0\31\0\0\0\1\0\0\0\1"s;
  EXPECT_EQ(CopyField("text[]", "{ab}"), "\0\0\0\32"s + one_of_one + "\0\0\0\2ab"s);
  EXPECT_EQ(CopyField("text[]", R"({"a\"\\,b"})"), "\0\0\0\35"s + one_of_one + "\0\0\0\5a\"\\,b"s);
  EXPECT_EQ(CopyField("text[]", R"({""})"), "\0\0\0\30"s + one_of_one + "\0\0\0\0"s);
  EXPECT_EQ(CopyField("text[]", R"({"NULL"})"), "\0\0\0\34"s + one_of_one + "\0\0\0\4NULL"s);
  EXPECT_EQ(CopyField("text[]", "{NULL}"), "\0\0\0\30\0\0\0\1\0\0\0\1\0\0\0\31\0\0\0\1\0\0\0\1\377\377\377\377"s);
  EXPECT_EQ(CopyField("text[]", "{a,b}"), "\0\0\0\36\0\0\0\1\0\0\0\0\0\0\0\31\0\0\0\2\0\0\0\1\0\0\0\1a\0\0\0\1b"s);
}

TEST(CopyField, IsLeftToPostgresWhereItsReadingIsNeeded) {
  for (const std::string type : {"numeric", "uuid", "numrange", "integer[]", "boolean"}) {
    EXPECT_EQ(CopyField(type, "1"), std::nullopt) << type;
    EXPECT_EQ(CopyField(type, std::nullopt), std::nullopt) << type;
  }
  for (const std::string text : {"", "+1", " 1", "1.0", "2147483648", "x"})
    EXPECT_EQ(CopyField("integer", text), std::nullopt) << text;
  for (const std::string text :
       {"infinity", "0044-03-15 BC", "0000-01-01", "2023-02-29", "2024-02-29T00:00", "1/2/2024"})
    EXPECT_EQ(CopyField("date", text), std::nullopt) << text;
  for (const std::string text : {"", "empty", "[1,2)", "(1,2]", "[2,1]", "[1]", "[,]", "[1,2147483647]", "5"})
    EXPECT_EQ(CopyField("int4range", text), std::nullopt) << text;
  for (const std::string text : {"", "{}", "{a", "{a,}", "{a b}", "{\"a}", "{\"a\"b}", "{null}", "{{a}}", "[2:2]={a}"})
    EXPECT_EQ(CopyField("text[]", text), std::nullopt) << text;
}

std::vector<std::vector<std::string>> Appended(std::string lines, size_t columns) {
  std::vector<ColumnBuilder> builders;
  for (size_t c = 0; c < columns; ++c) builders.emplace_back("c", ColumnOptions{.kind = Kind::kCategorical});
  AppendCopyLines(lines, builders);
  std::vector<std::vector<std::string>> found;
  for (ColumnBuilder& builder : builders) {
    const Column column = builder.Finish().value();
    std::vector<std::string>& texts = found.emplace_back();
    for (size_t row = 0; row < column.num_rows(); ++row)
      texts.emplace_back(column.text(column.codes()[static_cast<RowId>(row)]));
  }
  return found;
}

TEST(CopyLines, CellsOfAllColumns) {
  using Columns = std::vector<std::vector<std::string>>;
  EXPECT_EQ(Appended("a\tb\nc\td\n", 2), (Columns{{"a", "c"}, {"b", "d"}}));
  EXPECT_EQ(Appended("a\t\\N\n\\\\N\t\n", 2), (Columns{{"a", "\\N"}, {"", ""}}));
  EXPECT_EQ(Appended("\n\nx\n", 1), (Columns{{"", "", "x"}}));
  EXPECT_EQ(Appended("a\\tb\\nc\tlonger than a word\\\\\n", 2), (Columns{{"a\tb\nc"}, {"longer than a word\\"}}));
}

TEST(CopyLines, WhatIsWrittenIsRead) {
  EXPECT_TRUE(rc::check([](const std::vector<std::pair<std::string, std::string>>& rows) {
    std::string lines;
    std::vector<std::vector<std::string>> texts(2);
    for (const auto& [a, b] : rows) {
      lines += CopyCell(a) + "\t" + CopyCell(b) + "\n";
      texts[0].push_back(a);
      texts[1].push_back(b);
    }
    if (!rows.empty()) RC_ASSERT(Appended(lines, 2) == texts);
  }));
}

}  // namespace
}  // namespace tada
