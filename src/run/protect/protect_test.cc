#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/option_mark.h"
#include "keys/secret_key.h"
#include "run/protect/guard_published.h"
#include "run/protect/hide_people.h"
#include "run/protect/safe_table.h"
#include "testing/tables.h"

namespace tada {
namespace {

using testing::MakeTable;

/// A key file that is gone with it.
class KeyFile {
 public:
  KeyFile() : path_(std::filesystem::temp_directory_path() / fmt::format("tada_protect_test_{}.key", getpid())) {
    std::ofstream(path_) << SecretKey::Make().FileText();
    std::filesystem::permissions(path_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  ~KeyFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::vector<std::string> Texts(const Table& table, ColumnId id) {
  std::vector<std::string> texts;
  for (RowId row = 0; row < table.num_rows(); ++row)
    texts.emplace_back(table.column(id).text(table.column(id).codes()[row]));
  return texts;
}

TEST(HidePeople, ReplacesNamesAndKeepsWhoIsWho) {
  const KeyFile key;
  Plan plan;
  plan.pseudonym = {{.name = "id"}};
  plan.person = {{.name = "id"}};
  plan.key = key.path();
  plan.domain = "a";
  const Table table = MakeTable("id age\np1 3\np2 4\np1 5\n_ 6\n");
  const Result<Table> hidden = HidePeople(table, plan);
  ASSERT_TRUE(hidden.ok()) << hidden.error().message;
  const auto names = Texts(*hidden, 0);
  EXPECT_EQ(names[0], names[2]);
  EXPECT_NE(names[0], names[1]);
  EXPECT_EQ(names[0].size(), 32u);
  EXPECT_EQ(Texts(*hidden, 1), Texts(table, 1));
  EXPECT_TRUE(hidden->column(0).is_missing(hidden->column(0).codes()[3])) << "nobody has no pseudonym";
  plan.domain = "b";
  EXPECT_NE(Texts(HidePeople(table, plan).value(), 0)[0], names[0]);
  plan.key.clear();
  EXPECT_EQ(HidePeople(table, plan).error().code, ErrorCode::kInvalidArgument);
}

TEST(HidePeople, ShiftsAllDatesOfAPersonAlike) {
  const KeyFile key;
  Plan plan;
  plan.person = {{.name = "id"}};
  plan.shift_dates = {{.name = "day"}};
  plan.key = key.path();
  plan.domain = "a";
  const Table table = MakeTable("id day\np1 2020-01-01\np1 2020-01-31\np2 2020-01-01\n");
  const Result<Table> hidden = HidePeople(table, plan);
  ASSERT_TRUE(hidden.ok()) << hidden.error().message;
  const auto days = Texts(*hidden, 1);
  EXPECT_NE(days[0], "2020-01-01");
  EXPECT_EQ(SharedSigns(*hidden, plan, {0, 0, 1}, 2), (std::vector<uint32_t>{1, 0}));
  plan.shift_dates[0].resolution = "year";
  EXPECT_EQ(Texts(HidePeople(table, plan).value(), 1)[0].size(), 4u);
  EXPECT_FALSE(HidePeople(MakeTable("id day\np1 x\n"), plan).ok());
  EXPECT_FALSE(HidePeople(MakeTable("id day\n_ 2020-01-01\n"), plan).ok());
}

TEST(SharedSigns, AreEqualForEqualRowsAndGaps) {
  Plan plan;
  plan.shift_dates = {{.name = "day"}};
  const Table table =
      MakeTable("day:categorical\n2020-01-01\n2020-01-08\n2021-05-01\n2021-05-08\n2020-01-01\n2020-01-09\n");
  const auto signs = SharedSigns(table, plan, {0, 0, 1, 1, 2, 2}, 3);
  EXPECT_EQ(signs[0], signs[1]);
  EXPECT_NE(signs[0], signs[2]);
}

TEST(SafeTable, MakesAgesZipCodesAndDatesCoarse) {
  Plan plan;
  plan.quasi = {{.name = "age"}, {.name = "zip", .kind = Kind::kCategorical}, {.name = "born"}};
  const Policy policy = ReadPolicy("hipaa-safe-harbor").value();
  const Table table =
      MakeTable("age zip:categorical born\n89 10115 1930-02-03\n90 03601 1931-01-01\n104 90210 1999-12-31\n");
  const Result<Table> safe = SafeTable(table, plan, policy);
  ASSERT_TRUE(safe.ok()) << safe.error().message;
  EXPECT_EQ(Texts(*safe, 0), (std::vector<std::string>{"89", "90", "90"}));
  EXPECT_EQ(Texts(*safe, 1), (std::vector<std::string>{"101", "000", "902"}));
  EXPECT_EQ(Texts(*safe, 2), (std::vector<std::string>{"1930", "1931", "1999"}));
  EXPECT_EQ(SafeColumns(table, plan, policy), (std::vector<std::string>{"age", "zip", "born"}));
}

TEST(JudgePolicy, SeesWhatReleasedCellsShow) {
  Plan plan;
  plan.quasi = {{.name = "age"}, {.name = "zip"}, {.name = "born"}};
  const Policy policy = ReadPolicy("hipaa-safe-harbor").value();
  Verdict good;
  JudgePolicy(MakeTable("age:categorical zip:categorical born:categorical\n[80,90] {101,902} [1930,1940]\n90 000 *\n"),
              plan, policy, good);
  EXPECT_TRUE(good.problems.empty()) << good.problems.front();
  for (const char* bad : {"[80,91] 101 1930", "80 {101,10115} 1930", "80 036 1930", "80 101 [1930-01-01,1931-01-01]"}) {
    Verdict verdict;
    JudgePolicy(MakeTable(fmt::format("age:categorical zip:categorical born:categorical\n{}\n", bad)), plan, policy,
                verdict);
    EXPECT_EQ(verdict.problems.size(), 1u) << bad;
    EXPECT_FALSE(verdict.passed);
  }
}

TEST(GuardPublished, AsksForPermission) {
  const Table table = MakeTable("mail age\na@example.org 1\nb@example.org 2\nc@example.org 3\n");
  Plan plan;
  plan.quasi = {{.name = "age"}};
  EXPECT_TRUE(GuardPublished(table, plan).ok());
  plan.keep = {{.name = "mail"}};
  const Status refused = GuardPublished(table, plan);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message.find("a@"), std::string::npos) << "no value of the data";
  EXPECT_NE(refused.error().hint.find(TADA_OPTION("allow=mail")), std::string::npos);
  plan.allow = {"mail"};
  EXPECT_TRUE(GuardPublished(table, plan).ok());
  EXPECT_EQ(AllowedWarnings(table, plan).size(), 1u);
  plan.keep.clear();
  plan.quasi.push_back({.name = "mail"});
  plan.allow.clear();
  EXPECT_FALSE(GuardPublished(table, plan).ok()) << "sets show their elements";
  plan.quasi.back().hierarchy = "domains.csv";
  EXPECT_TRUE(GuardPublished(table, plan).ok());
}

}  // namespace
}  // namespace tada
