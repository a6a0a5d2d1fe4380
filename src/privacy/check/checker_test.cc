#include "privacy/check/checker.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "groups/groups.h"
#include "privacy/check/requirements.h"
#include "testing/tables.h"

namespace tada {
namespace {

Requirement Ask(int64_t k, int64_t l, Diversity diversity = Diversity::kDistinct, double c = 3) {
  return {k, l, diversity, c};
}

const Table& Diseases() {
  static const Table table = testing::MakeTable("s\nflu\nflu\nflu\ncold\ncold\nhiv\n?\n_\n");
  return table;
}

TEST(Checker, CountsSpellingsOfMissingAsOneValueIfAtAll) {
  Requirement counting = Ask(8, 4);
  EXPECT_FALSE(Checker(counting, Diseases(), {0}).Holds(Groups::Whole(8).rows(0)));
  EXPECT_TRUE(Checker(Ask(8, 3), Diseases(), {0}).Holds(Groups::Whole(8).rows(0)));
  counting.missing_counts = true;
  EXPECT_TRUE(Checker(counting, Diseases(), {0}).Holds(Groups::Whole(8).rows(0)));
  counting = Ask(2, 2);
  counting.missing_counts = true;
  EXPECT_FALSE(Checker(counting, Diseases(), {0}).Holds(std::vector<RowId>{6, 7}));
  EXPECT_FALSE(Checker(Ask(2, 2), Diseases(), {0}).Holds(std::vector<RowId>{6, 7}));
}

TEST(Checker, CountsEqualNumbersAsOneValue) {
  const Table table = testing::MakeTable("s\n7\n007\n7.0\n8\n");
  EXPECT_FALSE(Checker(Ask(3, 2), table, {0}).Holds(std::vector<RowId>{0, 1, 2}));
  EXPECT_TRUE(Checker(Ask(3, 2), table, {0}).Holds(std::vector<RowId>{0, 1, 3}));
}

TEST(Checker, EntropyOfEquallyFrequentValuesReachesTheirNumber) {
  for (int l = 2; l <= 40; ++l) {
    std::string text = "s\n";
    for (int i = 0; i < 3 * l; ++i) text += fmt::format("v{}\n", i % l);
    const Table table = testing::MakeTable(text);
    EXPECT_TRUE(Checker(Ask(2, l, Diversity::kEntropy), table, {0}).Holds(Groups::Whole(table.num_rows()).rows(0)))
        << l;
    EXPECT_FALSE(
        Checker(Ask(2, l + 1, Diversity::kEntropy), table, {0}).Holds(Groups::Whole(table.num_rows()).rows(0)));
  }
}

TEST(Checker, RecursiveComparesTheLargestCountWithTheTail) {
  const Table table = testing::MakeTable("s\na\na\na\nb\nb\nc\n");  // counts 3 2 1
  const auto holds = [&](int64_t l, double c) {
    return Checker(Ask(1, l, Diversity::kRecursive, c), table, {0}).Holds(Groups::Whole(6).rows(0));
  };
  EXPECT_FALSE(holds(2, 1));  // 3 < 1 * 3 is wrong
  EXPECT_TRUE(holds(2, 1.01));
  EXPECT_FALSE(holds(3, 3));  // 3 < 3 * 1 is wrong
  EXPECT_TRUE(holds(3, 3.1));
  EXPECT_FALSE(holds(4, 100));
}

TEST(Checker, EverySensitiveColumnMustReachL) {
  const Table table = testing::MakeTable("s t\na x\nb x\n");
  EXPECT_TRUE(Checker(Ask(2, 2), table, {0}).Holds(std::vector<RowId>{0, 1}));
  EXPECT_FALSE(Checker(Ask(2, 2), table, {0, 1}).Holds(std::vector<RowId>{0, 1}));
}

TEST(Checker, SaysWhatTheDataAllows) {
  const Checker checker(Ask(9, 5), Diseases(), {0});
  const Status status = checker.Feasible(checker.Count(Groups::Whole(8).rows(0)));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kInfeasible);
  EXPECT_NE(status.error().message.find("k=8, l=3"), std::string::npos) << status.error().message;
}

// A condition that only counts tell.
class NoMajority final : public PrivacyModel {
 public:
  bool Holds(const Tally& tally) const override { return tally.columns[0].Descending()[0] * 2 <= tally.rows; }
  bool KeptByMerging() const override { return true; }
  bool FailingIsInherited() const override { return false; }
  uint64_t SmallestGroup() const override { return 2; }
  std::string Reaches(const Tally&) const override { return ""; }
  std::string Hint(const Tally&) const override { return ""; }
};

TEST(Checker, OffersMasksOnlyIfNoModelNeedsMore) {
  EXPECT_EQ(Checker(Ask(2, 2), Diseases(), {0}).distinct_l(), 2u);
  const AddedRequirement added({.name = "no-majority",
                                .options = {},
                                .meanings = {},
                                .read = [](const OptionValues&, Requirement&) { return Ok(); },
                                .write = [](const Requirement&, bool) { return std::vector<WrittenOption>(); },
                                .check = [](const Requirement&, bool) { return Ok(); },
                                .words = [](const Requirement&, const std::string&) { return std::string(); },
                                .weaken = [](const Requirement&, Requirement&) {},
                                .bind =
                                    [](const Requirement&, const Binding&) {
                                      std::vector<std::unique_ptr<PrivacyModel>> models;
                                      models.push_back(std::make_unique<NoMajority>());
                                      return models;
                                    }});
  for (const int64_t l : {1, 2}) {
    const Checker checker(Ask(2, l), Diseases(), {0});
    EXPECT_EQ(checker.distinct_l(), 0u) << "with it and k alone, too, masks would overlook the third model";
    EXPECT_TRUE(checker.needs_values());
    EXPECT_FALSE(checker.Holds(std::vector<RowId>{0, 1, 3}));
    EXPECT_TRUE(checker.Holds(std::vector<RowId>{0, 1, 3, 5}));
    EXPECT_FALSE(checker.FailingIsInherited());
  }
}

TEST(Checker, CountsPeopleWithSeveralValuesEach) {
  const Table table = testing::MakeTable("s\na\nb\nc\nd\n");  // d stands for a set: a and b
  std::vector<CountedColumn> counted = CountedColumns(table, {0}, {});
  counted[0].num_values = 3;
  counted[0].sets = {{0, 1}};
  const std::vector<RowId> rows{0, 1, 2, 3};
  const Checker checker(Ask(2, 2), table, counted, rows);
  EXPECT_EQ(checker.distinct_l(), 0u);
  EXPECT_EQ(checker.Count(std::vector<RowId>{0, 3}).columns[0].count(0), 2u);
  EXPECT_FALSE(checker.Holds(std::vector<RowId>{0, 3})) << "everybody has a";
  EXPECT_TRUE(checker.Holds(std::vector<RowId>{2, 3}));
}

TEST(Checker, MergingTwoGoodGroupsGivesAGoodGroup) {
  EXPECT_TRUE(rc::check([](const std::vector<uint8_t>& raw) {
    RC_PRE(raw.size() >= 2);
    std::string text = "s\n";
    for (const uint8_t value : raw) text += fmt::format("v{}\n", value % 5);
    const Table table = testing::MakeTable(text);
    const auto cut = *rc::gen::inRange<size_t>(1, raw.size());
    const Groups whole = Groups::Whole(raw.size());
    const auto rows = whole.rows(0);
    for (const Diversity diversity : {Diversity::kDistinct, Diversity::kEntropy, Diversity::kRecursive}) {
      const Checker checker(Ask(1, *rc::gen::inRange(1, 5), diversity, 1.5), table, {0});
      RC_ASSERT(checker.KeptByMerging());
      if (checker.Holds(rows.first(cut)) && checker.Holds(rows.subspan(cut))) RC_ASSERT(checker.Holds(rows));
    }
  }));
}

}  // namespace
}  // namespace tada
