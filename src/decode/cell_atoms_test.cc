#include "decode/cell_atoms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tada {
namespace {

const std::vector<std::string> kMissing = {"", "?"};

CellAtoms Read(std::vector<std::string_view> cells, Reading reading) { return ReadCells(cells, reading, kMissing); }

// What a cell may become, in the order of the atoms.
std::vector<std::string> Values(const CellAtoms& cells, size_t cell) {
  const CellAtoms::Choice& choice = cells.choices[cell];
  if (choice.text != CellAtoms::kDrawn) return {cells.texts[choice.text]};
  std::vector<std::string> values;
  for (uint32_t i = 0; i < choice.size(); ++i) values.push_back(cells.texts[cells.atom(choice, i)]);
  return values;
}

using Texts = std::vector<std::string>;

TEST(CellAtoms, EndsOfIntervalsAndValuesAreTheAtomsOfNumbers) {
  const CellAtoms cells = Read({"[20,30]", "25", "[30,41]", "*", "?"}, Reading::kNumbers);
  EXPECT_EQ(Values(cells, 0), (Texts{"20", "25", "30"}));
  EXPECT_EQ(Values(cells, 1), (Texts{"25"}));
  EXPECT_EQ(Values(cells, 2), (Texts{"30", "41"}));
  EXPECT_EQ(Values(cells, 3), (Texts{"?", "20", "25", "30", "41"}));
  EXPECT_EQ(Values(cells, 4), (Texts{"?"}));
}

TEST(CellAtoms, SetsPatternsAndMasksChooseAmongNames) {
  const CellAtoms cells =
      Read({"{a,b}", "c", "*", "{\"\",c}", "47602", "47677", "476**", "{\"x,y\",a}"}, Reading::kNames);
  EXPECT_EQ(Values(cells, 0), (Texts{"a", "b"}));
  EXPECT_EQ(Values(cells, 1), (Texts{"c"}));
  EXPECT_EQ(Values(cells, 2), (Texts{"", "47602", "47677", "a", "b", "c", "x,y"}));
  EXPECT_EQ(Values(cells, 3), (Texts{"", "c"}));
  EXPECT_EQ(Values(cells, 6), (Texts{"47602", "47677"}));
  EXPECT_EQ(Values(cells, 7), (Texts{"a", "x,y"}));
}

TEST(CellAtoms, MissingInASetIsSpelledAsTheReleaseSpellsIt) {
  const CellAtoms cells = Read({"{\"\",b}", "?"}, Reading::kNames);
  EXPECT_EQ(Values(cells, 0), (Texts{"?", "b"}));
}

TEST(CellAtoms, AnEndThatIsLeftOutIsNoValueOfTheCell) {
  const CellAtoms whole = Read({"[20,30)", "[30,40)", "(40,50]"}, Reading::kNumbers);
  EXPECT_EQ(Values(whole, 0), (Texts{"20", "29"}));
  EXPECT_EQ(Values(whole, 1), (Texts{"30", "39"}));
  EXPECT_EQ(Values(whole, 2), (Texts{"41", "50"}));
  const CellAtoms real = Read({"[0.5,1.5)", "[1.5,2)"}, Reading::kNumbers);
  EXPECT_EQ(Values(real, 0), (Texts{"0.5", "1"}));
  EXPECT_EQ(Values(real, 1).size(), 2u);
  const CellAtoms sided = Read({">90", "<=10", "50"}, Reading::kNumbers);
  EXPECT_EQ(Values(sided, 0), (Texts{"91"}));
  EXPECT_EQ(Values(sided, 1), (Texts{"10"}));
}

TEST(CellAtoms, AnIntervalWithoutAnAtomIsItsMiddle) {
  std::vector<std::string> texts;
  for (int i = 0; i < 1000; ++i) texts.push_back(fmt::format("{}", i * 100));
  texts.push_back("[540,549]");
  std::vector<std::string_view> views(texts.begin(), texts.end());
  const CellAtoms cells = ReadCells(views, Reading::kNumbers, kMissing);
  EXPECT_EQ(cells.num_atoms(), 400u);
  EXPECT_EQ(Values(cells, 1000), (Texts{"544"}));  // whole, as all others are
  EXPECT_EQ(Values(cells, 999), (Texts{"99900"}));
}

TEST(CellAtoms, DatesAreCountedInDays) {
  const CellAtoms cells = Read({"[2024-02-28,2024-03-05]", "2024-03-01", "[2023-12-31,2024-02-01)"}, Reading::kDates);
  EXPECT_EQ(Values(cells, 0), (Texts{"2024-02-28", "2024-03-01", "2024-03-05"}));
  EXPECT_EQ(Values(cells, 2), (Texts{"2023-12-31", "2024-01-31"}));
}

TEST(CellAtoms, TimesOfDayAreWrittenAsTheColumnWritesThem) {
  const CellAtoms minutes = Read({"(2024-03-01 08:02,2024-03-01 10:03)", "2024-03-01 09:30"}, Reading::kDates);
  EXPECT_EQ(Values(minutes, 0), (Texts{"2024-03-01 09:02", "2024-03-01 09:30"}));
  EXPECT_EQ(MomentText(minutes.numbers[0] + 0.4 / 1440, minutes.moments), "2024-03-01 09:02");
  const CellAtoms zoned = Read({"[2024-03-01T08:02:00.25Z,2024-03-01T10:00:00+01:00]"}, Reading::kDates);
  EXPECT_EQ(MomentText(zoned.numbers[1], zoned.moments), "2024-03-01T09:00:00Z");
  EXPECT_EQ(MomentText(zoned.numbers[0], zoned.moments), "2024-03-01T08:02:00.25Z");
  const CellAtoms days = Read({"(2020-01-01,2020-01-02)", "2020-01-02"}, Reading::kDates);
  EXPECT_EQ(Values(days, 0), (Texts{"(2020-01-01,2020-01-02)"}));  // no day lies between
}

TEST(CellAtoms, SemicolonsPartASetUnlessTheyAreInAName) {
  const CellAtoms names = Read({"{a;b}", "c", "{x;y}", "x;y"}, Reading::kNames);
  EXPECT_EQ(Values(names, 0), (Texts{"a", "b"}));
  EXPECT_EQ(Values(names, 2), (Texts{"x;y"}));
  EXPECT_EQ(Values(Read({"{20;30}", "25"}, Reading::kNumbers), 0), (Texts{"20", "30"}));
}

TEST(CellAtoms, AStarThatASetNamesIsPartOfTheName) {
  const CellAtoms cells = Read({"A*", "{A*,B}", "AB"}, Reading::kNames);
  EXPECT_EQ(Values(cells, 0), (Texts{"A*"}));
  EXPECT_EQ(Values(cells, 1), (Texts{"A*", "B"}));
}

TEST(CellAtoms, OnlyBracketsAndMasksAreWidenedInOurNotation) {
  const std::vector<std::string_view> names = {"A*02", "x~y", "{p,q}", "*"};
  const CellAtoms ours = ReadCells(names, Reading::kNames, kMissing, Notation::kOurs);
  EXPECT_EQ(Values(ours, 0), (Texts{"A*02"}));
  EXPECT_EQ(Values(ours, 1), (Texts{"x~y"}));
  EXPECT_EQ(Values(ours, 2), (Texts{"p", "q"}));
  EXPECT_EQ(Values(ours, 3), (Texts{"A*02", "p", "q", "x~y"}));
  EXPECT_EQ(ours.foreign, 0u);
  EXPECT_EQ(ReadCells(names, Reading::kNames, kMissing).foreign, std::nullopt);
  const std::vector<std::string_view> numbers = {"20-30", "[20,30]", "25"};
  const CellAtoms ages = ReadCells(numbers, Reading::kNumbers, kMissing, Notation::kOurs);
  EXPECT_EQ(Values(ages, 0), (Texts{"20-30"}));
  EXPECT_TRUE(ages.unread.empty());
}

TEST(CellAtoms, ElementsOfSetsSayWhetherNumbersAreWhole) {
  EXPECT_EQ(Values(Read({"{1.5,2.5}", "(20,30]"}, Reading::kNumbers), 1), (Texts{"25", "30"}));
}

TEST(CellAtoms, NumbersThatDoublesCannotTellApartAreNotDrawn) {
  const CellAtoms cells = Read({"[9234567890123456,9934567890129999]", "5"}, Reading::kNumbers);
  EXPECT_EQ(Values(cells, 0), (Texts{"9234567890123456"}));
  EXPECT_TRUE(cells.beyond_doubles);
}

TEST(CellAtoms, WhatCannotBeReadStaysAndIsCounted) {
  const CellAtoms cells = Read({"[20,30]", "old", "[30,20]", "{}", "{1,x}"}, Reading::kNumbers);
  for (const size_t cell : {1u, 3u, 4u}) EXPECT_EQ(cells.choices[cell].size(), 0u);
  EXPECT_EQ(Values(cells, 1), (Texts{"old"}));
  EXPECT_EQ(Values(cells, 2), (Texts{"[30,20]"}));
  EXPECT_EQ(cells.unread.size(), 4u);
  EXPECT_EQ(Values(Read({"*"}, Reading::kNames), 0), (Texts{"*"}));
}

}  // namespace
}  // namespace tada
