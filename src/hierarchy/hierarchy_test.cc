#include "hierarchy/hierarchy.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hierarchy/hierarchy_builders.h"
#include "hierarchy/hierarchy_files.h"
#include "testing/real_data.h"
#include "testing/tables.h"

namespace tada {
namespace {

using testing::MakeTable;

Hierarchy Bind(std::string_view text, const Column& column) {
  auto lines = ParseHierarchy(text, "test.csv");
  if (!lines.ok()) throw std::runtime_error(lines.error().message);
  auto bound = BindHierarchy(*lines, column);
  if (!bound.ok()) throw std::runtime_error(bound.error().message);
  return std::move(bound).value();
}

std::string ErrorOf(std::string_view text, const Column& column) {
  auto lines = ParseHierarchy(text, "test.csv");
  if (!lines.ok()) return lines.error().message;
  auto bound = BindHierarchy(*lines, column);
  return bound.ok() ? "" : bound.error().message;
}

// Labels of a level, one per code, missing included.
std::string Labels(const Hierarchy& hierarchy, uint32_t level) {
  std::vector<std::string> labels;
  for (const Code node : hierarchy.nodes(level)) labels.push_back(hierarchy.label(level, node));
  return fmt::format("{}", fmt::join(labels, " "));
}

TEST(Hierarchy, ReadsAnArxFileAndCountsLeaves) {
  const Table table = MakeTable("c\nb\na\nd\nc\n");
  const Hierarchy h = Bind("a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\nnever;cd;*\n", table.column(0));
  ASSERT_EQ(h.num_levels(), 3u);
  EXPECT_EQ(Labels(h, 0), "a b c d");
  EXPECT_EQ(Labels(h, 1), "ab ab cd cd");
  EXPECT_EQ(Labels(h, 2), "* * * *");
  EXPECT_EQ(h.leaves(1, 1), 2u);
  EXPECT_EQ(h.leaves(2, 0), 4u);
  EXPECT_EQ(h.low(1, 1), 2u);
}

TEST(Hierarchy, RepeatsTheValueOfAShortLine) {
  const Table table = MakeTable("c\na\nb\nc\n");
  EXPECT_EQ(Labels(Bind("a;*\nb;bc;*\nc;bc;*\n", table.column(0)), 1), "a bc bc");
}

TEST(Hierarchy, FindsNumbersByValueAndReadsDecimalCommas) {
  const Table table = MakeTable("n\n0.5\n007\n7\n_\n");
  const Hierarchy h = Bind("0,5#low#any##\n7#high#any\n0,5#low#any\n", table.column(0));
  EXPECT_EQ(Labels(h, 1), " low high high");  // a missing value without a line is a node of its own, up to the root
  EXPECT_EQ(Labels(h, 2), "any any any any");
  EXPECT_EQ(h.leaves(1, 2), 1u);  // two spellings of one value
}

TEST(Hierarchy, RefusesWhatIsNotAHierarchyAndSaysWhere) {
  const Table table = MakeTable("c\na\nb\n");
  const Column& column = table.column(0);
  EXPECT_EQ(ErrorOf("a;x;*\nb;x;+\n", column), "test.csv:2: two roots: '*' and '+'");
  EXPECT_EQ(ErrorOf("a;x;y;*\nb;x;z;*\n", column),
            "test.csv:2: level 1 'x' is below 'z' here and below 'y' in test.csv:1");
  EXPECT_EQ(ErrorOf("a;x;*\na;y;*\nb;x;*\n", column),
            "test.csv:2: the value of this line has another path to the root in test.csv:1");
  EXPECT_EQ(ErrorOf("a;*\n", column), "The hierarchy of c (test.csv) lacks 1 of its 2 values: see row 2 of the table");
  EXPECT_EQ(ErrorOf("a\nb\n", column), "The hierarchy has values and nothing above them: test.csv");
  EXPECT_EQ(ErrorOf("a;;*\nb;x;*\n", column), "test.csv:1: empty label at level 1");
  EXPECT_NE(ErrorOf("a;b;*\nb;x;*\n", column).find("the name of a value of the column"), std::string::npos);
  EXPECT_EQ(ErrorOf("\"a;*\n", column), "test.csv:1: a quote is not closed");
}

TEST(Hierarchy, CorrectsIntervalsThatLackAValueBelowThem) {
  const Table table = MakeTable("n\n19\n20\n39\n40\n");
  const Hierarchy h = Bind("19;15-19;*\n20;15-19;*\n39;[35,40);*\n40;[35,40);*\n", table.column(0));
  EXPECT_EQ(Labels(h, 1), "[19,20] [19,20] [39,40] [39,40]");
  EXPECT_TRUE(h.is_interval(1, 0));
  EXPECT_EQ(h.corrected(),
            (std::vector<std::string>{"15-19 lacks the value of row 2", "[35,40) lacks the value of row 4"}));
  EXPECT_TRUE(Bind("19;15-20;*\n20;15-20;*\n39;[35,41);*\n40;[35,41);*\n", table.column(0)).corrected().empty());
}

TEST(Hierarchy, CorrectsIntervalsOfEveryNotationAndOfDates) {
  const Table table = MakeTable("n d\n16 2024-01-30\n17 2024-02-01\n18 2024-02-02\n");
  const Hierarchy h = Bind("16;<17;*\n17;>17;*\n18;>17;*\n", table.column(0));
  EXPECT_EQ(Labels(h, 1), "<17 [17,18] [17,18]");
  EXPECT_EQ(h.corrected(), (std::vector<std::string>{">17 lacks the value of row 2"}));
  const std::string january = "[2024-01-01,2024-01-31]";
  const Hierarchy d =
      Bind("2024-01-30;" + january + ";*\n2024-02-01;" + january + ";*\n2024-02-02;February;*\n", table.column(1));
  EXPECT_EQ(Labels(d, 1), "[2024-01-30,2024-02-01] [2024-01-30,2024-02-01] February");
  EXPECT_TRUE(d.is_interval(1, 0));
}

TEST(Hierarchy, RefusesSetsPatternsAndValuesThatLackAValueBelowThem) {
  const Table names = MakeTable("c:categorical\nA\nB\nC\n");
  const Column& c = names.column(0);
  EXPECT_EQ(
      ErrorOf("A;{A,B};*\nB;{A,B};*\nC;{A,B};*\n", c),
      "test.csv:3: label '{A,B}' of level 1 reads as a set, and the value of this line is below it but not in it");
  EXPECT_EQ(
      ErrorOf("A;rest;*\nB;X*;*\nC;X*;*\n", c),
      "test.csv:2: label 'X*' of level 1 reads as a pattern, in which a star stands for one character, and the value "
      "of this line is below it but not in it");
  EXPECT_EQ(ErrorOf("A;\"{A;B}\";*\nB;\"{A;B}\";*\nC;?;*\n", c), "");
  EXPECT_EQ(ErrorOf("A;{A,B,D};*\nB;{A,B,D};*\nC;0-3;*\n", c), "");  // 0-3 is a name among names
  const Table numbers = MakeTable("n\n1\n2.0\n_\n");
  const Column& n = numbers.column(0);
  EXPECT_EQ(ErrorOf("1;{1,2};*\n2;{1,2};*\n", n), "");
  EXPECT_EQ(ErrorOf("1;5;*\n2;5;*\n", n),
            "test.csv:1: label '5' of level 1 reads as a number, and the value of this line is below it but not in it");
  EXPECT_EQ(ErrorOf("1;0-9;*\n2;0-9;*\n\"\";0-9;*\n", n),
            "test.csv:3: label '0-9' of level 1 reads as an interval, and a missing value is below it but not in it");
  EXPECT_EQ(Labels(Bind("1;0-9\n2;0-9\n", n), 1), "* * *");  // a root is above what is missing too
  const Table codes = MakeTable("z:categorical\n47601\n47699\n47700\n");
  EXPECT_EQ(ErrorOf("47601;47600-47699;*\n47699;47600-47699;*\n47700;47600-47699;*\n", codes.column(0)),
            "test.csv:3: label '47600-47699' of level 1 reads as an interval, and the value of this line is below it "
            "but not in it");
}

TEST(Hierarchy, WritesARepeatedValueWithADecimalCommaAsTheColumnDoes) {
  const Table table = MakeTable("n\n0.5\n0.7\n0.9\n");
  EXPECT_EQ(Labels(Bind("0,5;*\n0,7;0,7-0,9;*\n0,9;0,7-0,9;*\n", table.column(0)), 1), "0.5 0,7-0,9 0,7-0,9");
}

TEST(Hierarchy, ReadsATreeInToml) {
  const Table table = MakeTable("c\nLaos\nChina\nSpain\n");
  const auto lines =
      ParseHierarchy("[\"*\"]\nEurope = [\"Spain\"]\n[\"*\".Asia]\nSouth = [\"Laos\"]\nEast = [\"China\"]\n", "x.toml");
  ASSERT_TRUE(lines.ok()) << lines.error().message;
  const Hierarchy h = BindHierarchy(*lines, table.column(0)).value();
  EXPECT_EQ(Labels(h, 1), "East South Spain");
  EXPECT_EQ(Labels(h, 2), "Asia Asia Europe");
  EXPECT_FALSE(ParseHierarchy("a = 1\n", "x.toml").ok());
}

TEST(Hierarchy, DropsLevelsWhoseSmallestNodeDoesNotGrow) {
  const Table table = MakeTable("c\na\na\nb\nb\nc\nd\nd\n");
  Hierarchy h = Bind("a;ab;abcd;*\nb;ab;abcd;*\nc;c1;abcd;*\nd;d1;abcd;*\n", table.column(0));
  EXPECT_EQ(h.SmallestNodes(table.column(0)), (std::vector<uint64_t>{1, 1, 7, 7}));
  h.DropIdleLevels(table.column(0));
  ASSERT_EQ(h.num_levels(),
            3u);  // level 1 went: its smallest node still has one row; the top stays though it adds nothing
  EXPECT_EQ(Labels(h, 1), "abcd abcd abcd abcd");
}

TEST(HierarchyBuilders, BuildTheLevelsOfEachKind) {
  const Table table =
      MakeTable("n d z c\n1 2024-01-31 47677 a\n2 2024-02-01 47602 b\n12 2024-05-01 47678 a\n30 2031-05-01 47905 c\n");
  const auto build = [&](std::string_view builder, ColumnId id) { return BuildHierarchy(builder, table, id).value(); };
  // Every value is unique, so 9.4 keeps the levels whose smallest node grows.
  const Hierarchy count = build("count:2", 0);
  EXPECT_EQ(Labels(count, 1), "[1,2] [1,2] [12,30] [12,30]");
  EXPECT_TRUE(count.is_interval(1, 0));
  EXPECT_EQ(Labels(count, 2), "* * * *");
  // A rule keeps its levels whatever the data: [16,32) has one row, no more than a value has.
  EXPECT_EQ(Labels(build("width:16", 0), 1), "[0,16) [0,16) [0,16) [16,32)");
  EXPECT_EQ(Labels(build("width:16", 0), 2), "[0,32) [0,32) [0,32) [0,32)");
  EXPECT_EQ(build("width:16", 0).num_levels(), 8u);
  EXPECT_EQ(build("dates", 1).num_levels(), 6u);
  EXPECT_EQ(build("flat", 3).num_levels(), 2u);
  EXPECT_EQ(Labels(build("width:10/30", 0), 2), "[0,30) [0,30) [0,30) [30,60)");
  EXPECT_EQ(Labels(build("0-30/5/10", 0), 1), "[0,5) [0,5) [10,15) >=30");
  EXPECT_EQ(Labels(build("5-25/5/10", 0), 2), "<5 <5 [5,15) >=25");
  EXPECT_EQ(Labels(build("zip3", 2), 1), "476** 476** 476** 479**");
  EXPECT_EQ(Labels(build("prefix:4/2", 2), 1), "4760... 4767... 4767... 4790...");
  for (const char* bad : {"width:5/7", "0-30/7", "prefix:1/2", "zip3", "icd10", "split:", "0-30/"})
    EXPECT_FALSE(BuildHierarchy(bad, table, 0).ok()) << bad;
  EXPECT_FALSE(BuildHierarchy("dates", table, 0).ok());
  EXPECT_FALSE(BuildHierarchy("count:1", table, 0).ok());
  EXPECT_FALSE(BuildHierarchy("width", table, 0).ok());
  EXPECT_FALSE(BuildHierarchy("flat:3", table, 3).ok());
  EXPECT_FALSE(BuildHierarchy("counts", table, 0).ok());
}

TEST(HierarchyBuilders, KeepLevelsThatGroupEnough) {
  const Table table = MakeTable(
      "d z n\n2024-01-31 47677 35\n2024-01-15 47602 38\n2024-02-01 47678 42\n2024-02-02 47901 44\n2031-05-01 47905 "
      "46\n2031-05-02 47906 54\n");
  const Hierarchy dates = BuildHierarchy("dates", table, 0).value();
  EXPECT_EQ(Labels(dates, 1), "2024-01 2024-01 2024-02 2024-02 2031-05 2031-05");
  const Hierarchy zip = BuildHierarchy("prefix", table, 1).value();
  EXPECT_EQ(Labels(zip, 1), "476** 476** 476** 479** 479** 479**");
  const Hierarchy width = BuildHierarchy("width:10:35", table, 2).value();
  EXPECT_EQ(Labels(width, 1), "[35,45) [35,45) [35,45) [35,45) [45,55) [45,55)");
  const Hierarchy means = BuildHierarchy("means", table, 1, std::nullopt).value();
  EXPECT_EQ(means.label(means.top(), 0), "*");
}

TEST(HierarchyBuilders, ReadBackValuesWithLineBreaksAndQuotes) {
  const std::vector<std::vector<std::string>> written = {
      {"a\nb", "x", "*"}, {"a\r\n\nb", "x", "*"}, {"say \"no\"\n", "\ny\n", "*"}, {"5\" pipe", "y", "*"}};
  HierarchyLines lines;
  lines.lines = written;
  const auto read = ParseHierarchy(HierarchyCsv(lines), "h.csv");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->lines, written);
  EXPECT_EQ(read->line_numbers, (std::vector<uint64_t>{1, 3, 6, 10}));
  EXPECT_FALSE(ParseHierarchy("a;*\n\"b;*\nc;*\n", "h.csv").ok());  // a quote that nothing closes
}

// Diagnoses by ICD-10 are of three to seven characters.
TEST(HierarchyBuilders, GroupCodesOfUnequalLengthsByTheirBeginnings) {
  const Table table = MakeTable("d\nA01\nA01.1\nA01.15\nA02.2\nB20\nB20.3\nC\n");
  const Hierarchy codes = BuildHierarchy("prefix", table, 0).value();
  std::vector<std::string> levels;
  for (uint32_t level = 1; level <= codes.top(); ++level) levels.push_back(Labels(codes, level));
  EXPECT_EQ(levels, (std::vector<std::string>{"A01 A01.1... A01.1... A02.2 B20 B20.3 C",
                                              "A01... A01... A01... A02.2 B20... B20... C",
                                              "A0... A0... A0... A0... B2... B2... C", "* * * * * * *"}));
}

TEST(HierarchyBuilders, TakeANumberThatAllOthersAreNothingBeside) {
  const Table table = MakeTable(
      "age job\n46 j11\n54 j12\n21 j17\n34 j30\n23 j12\n30 j30\n56 j0\n48 j19\n30 j7\n42 j18\n60 j6\n36 j2\n26 j21\n20 "
      "j4\n38 j9\n59 j18\n40 j15\n-9223372036854775808 j3\n60 j15\n43 j16\n");
  const Hierarchy means = BuildHierarchy("means", table, 1).value();
  EXPECT_EQ(means.label(means.top(), 0), "*");
}

TEST(HierarchyBuilders, TakeNumbersThatAreNextToNothing) {
  const Table table = MakeTable("a b\n1e-320 -5\n2e-320 -5\n3e-320 5\n5e-320 5\n5e-324 5\n");
  for (const char* builder : {"round", "width:1e-320", "width:5:1e-320", "width:1e-310", "width:5e-324"}) {
    for (const ColumnId column : {0, 1}) {
      const auto built = BuildHierarchy(builder, table, column);
      ASSERT_TRUE(built.ok()) << builder << ": " << built.error().message;
      for (uint32_t level = 0; level < built->num_levels(); ++level)
        EXPECT_EQ(Labels(*built, level).find("inf"), std::string::npos) << builder << ": " << Labels(*built, level);
    }
  }
  EXPECT_EQ(Labels(BuildHierarchy("width:4e-320", MakeTable("a\n1e-320\n2e-320\n5e-320\n6e-320\n"), 0).value(), 1),
            "[0,4e-320) [0,4e-320) [4e-320,8e-320) [4e-320,8e-320)");
}

TEST(HierarchyBuilders, MaskCharactersAndNotBytes) {
  const Table table = MakeTable("c:categorical\nZ\xC3\xBCrich\nZ\xC3\xBCpich\nJ\xC3\xBCrich\nJ\xC3\xBCpich\n");
  EXPECT_EQ(Labels(BuildHierarchy("prefix", table, 0).value(), 1),
            "J\xC3\xBC**** J\xC3\xBC**** Z\xC3\xBC**** Z\xC3\xBC****");
}

TEST(HierarchyBuilders, WriteDaysOfTimeStampsAsIntervals) {
  const Table table = MakeTable("d\n2024-02-28T10:00\n2024-02-28T23:59:59\n2024-02-29T00:00\n2024-02-29T10:00\n");
  const Hierarchy days = BuildHierarchy("dates", table, 0).value();
  EXPECT_EQ(Labels(days, 1),
            "[2024-02-28,2024-02-29) [2024-02-28,2024-02-29) [2024-02-29,2024-03-01) [2024-02-29,2024-03-01)");
}

TEST(HierarchyBuilders, MakeANameOfALabelThatIsAValue) {
  const Table table = MakeTable("c:categorical\n4**\n412\n471\n");
  EXPECT_EQ(Labels(BuildHierarchy("prefix", table, 0).value(), 1), "4.. (group) 4.. (group) 4.. (group)");
}

TEST(Hierarchy, RefusesLinesThatAreNotUtf8) {
  const Table table = MakeTable("c\na\nb\n");
  EXPECT_EQ(ErrorOf("a;x;*\nb;\xFF;*\n", table.column(0)), "test.csv:2: the line is not UTF-8");
  EXPECT_FALSE(ParseHierarchy("[\"*\"]\nx = [\"\xFF\"]\n", "x.toml").ok());
  const auto tax = ParseTaxFile("%\ny\nyes;*\n%\nc\na;\xC3;*\n", "tax.txt");
  ASSERT_FALSE(tax.ok());
  EXPECT_EQ(tax.error().message, "tax.txt:6: the line is not UTF-8");
}

TEST(Hierarchy, FindsASectionByNameWithoutCapitalsAndPunctuation) {
  const auto sections = ParseTaxFile("%\ny\nyes;*\n%\nRace\na;*\n%\nMaritalStatus\na;*\n", "tax.txt");
  ASSERT_TRUE(sections.ok());
  EXPECT_EQ(FindSection(*sections, "Race"), 1u);
  EXPECT_EQ(FindSection(*sections, "race"), 1u);
  EXPECT_EQ(FindSection(*sections, "marital-status"), 2u);
  EXPECT_EQ(FindSection(*sections, "martial-status"), 2u);
  EXPECT_EQ(FindSection(*sections, "nothing like it"), std::nullopt);
}

TEST(HierarchyBuilders, ComeBackFromTheirOwnFiles) {
  EXPECT_TRUE(rc::check([] {
    const auto numbers = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-50, 50)));
    std::string text = "n\n";
    for (const int number : numbers) text += fmt::format("{}\n", number);
    const Table table = MakeTable(text);
    const auto builder =
        *rc::gen::element<std::string>("count:2", "count:5", "width:7", "round", "prefix", "flat", "means");
    const auto built = BuildHierarchy(builder, table, 0);
    RC_ASSERT(built.ok());
    const auto lines = ParseHierarchy(HierarchyCsv(LinesOf(*built, table.column(0))), "again.csv");
    RC_ASSERT(lines.ok());
    const auto bound = BindHierarchy(*lines, table.column(0));
    RC_ASSERT(bound.ok());
    for (uint32_t level = 0; level < built->num_levels(); ++level)
      RC_ASSERT(Labels(*built, level) == Labels(*bound, level));
  }));
}

TEST(Hierarchy, ReadsThePapersTaxonomies) {
  const auto data = testing::RealTable("adult/adult_complete.csv", ',', {});
  if (!data) GTEST_SKIP() << testing::kNoRealData;
  const Table& table = *data;
  const std::string tax = (*testing::RealDataFolder() / "adult/taxonomies/TaxAdult.txt").string();
  std::vector<ColumnId> quasi;
  for (ColumnId id = 0; id < 14; ++id) quasi.push_back(id);
  const auto found = ReadHierarchies(tax, table, quasi);
  ASSERT_TRUE(found.ok()) << found.error().message;
  std::string levels;
  for (const NamedHierarchy& named : *found) {
    const auto bound = BindHierarchy(named.lines, table.column(*table.Find(named.column)));
    ASSERT_TRUE(bound.ok()) << bound.error().message;
    levels += fmt::format("{} {} ", named.column, bound->num_levels());
  }
  EXPECT_EQ(levels,
            "age 6 workclass 2 fnlwgt 6 education 3 education-num 4 marital-status 4 occupation 3 relationship 2 "
            "race 3 sex 2 capital-gain 6 capital-loss 4 hours-per-week 4 native-country 4 ");
}

TEST(Hierarchy, ReadsArxAndMondrianFolders) {
  const auto data = testing::RealTable("adult/adult_train_complete.csv", ',', {});
  if (!data) GTEST_SKIP() << testing::kNoRealData;
  const Table& table = *data;
  const std::string folder = (*testing::RealDataFolder() / "adult/hierarchies/arx").string();
  const auto found = ReadHierarchies(folder, table, testing::Ids(table, {"age", "education", "sex"}));
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_EQ(found->size(), 3u);
  EXPECT_EQ(BindHierarchy((*found)[0].lines, table.column(0)).value().num_levels(), 5u);
  const auto uneven = ReadHierarchyFile(folder + "/../basic_mondrian/adult_marital_status.txt");
  ASSERT_TRUE(uneven.ok()) << uneven.error().message;
  EXPECT_TRUE(BindHierarchy(*uneven, table.column(*table.Find("marital-status"))).ok());
}

}  // namespace
}  // namespace tada
