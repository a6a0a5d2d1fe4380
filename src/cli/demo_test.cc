// The made-up table and the demo on it.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "cli/demo/demo_data.h"
#include "cli/demo/demo_view.h"
#include "cli/run_command_line.h"
#include "files/arrow/arrow_files.h"
#include "testing/tables.h"

namespace tada {
namespace {

namespace fs = std::filesystem;

std::vector<std::vector<std::string>> DemoRows(uint64_t seed, uint64_t rows) {
  std::string text;
  AppendDemoBlock(seed, 0, rows, text);
  std::vector<std::vector<std::string>> table;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    table.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) table.back().push_back(cell);
  }
  return table;
}

std::string ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder of its own, removed at the end.
class Demo : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tada-demo-test-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  int Run(std::vector<std::string> arguments) {
    out_.str("");
    err_.str("");
    const Cancel cancel;
    return RunArguments(arguments, out_, err_, false, files_, cancel);
  }

  fs::path folder_;
  std::ostringstream out_, err_;
  ArrowFiles files_;
};

TEST(DemoData, FollowsTheHeaderWithThousandsOfZipsASkewedDiagnosisAndMissingCells) {
  const auto rows = DemoRows(1, kDemoBlockRows);
  ASSERT_EQ(rows.size(), kDemoBlockRows);
  std::vector<std::set<std::string>> values(11);
  std::map<std::string, int> diagnoses;
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 11u);
    for (size_t i = 0; i < row.size(); ++i) values[i].insert(row[i]);
    ++diagnoses[row[9]];
  }
  EXPECT_EQ(values[0].size(), rows.size());
  EXPECT_GT(values[3].size(), 1500u);
  EXPECT_TRUE(std::all_of(values[3].begin(), values[3].end(), [](const std::string& zip) { return zip.size() == 5; }));
  for (const size_t column : {4, 5, 6, 7, 8}) EXPECT_TRUE(values[column].count("")) << column;
  EXPECT_EQ(diagnoses.size(), 12u);
  EXPECT_GT(diagnoses["hypertension"], 20 * diagnoses["HIV"]);
}

TEST(DemoData, HasALabelThatFollowsFromTheOtherColumns) {
  int old_sick = 0, old_sick_back = 0, young_well = 0, young_well_back = 0;
  for (const auto& row : DemoRows(1, kDemoBlockRows)) {
    const int age = std::stoi(row[1]);
    if (age > 70 && row[9] == "heart failure") ++old_sick, old_sick_back += row[10] == "yes";
    if (age < 40 && row[9] == "injury") ++young_well, young_well_back += row[10] == "yes";
  }
  ASSERT_GT(old_sick, 100);
  ASSERT_GT(young_well, 100);
  EXPECT_GT(old_sick_back * 100 / old_sick, 40);
  EXPECT_LT(young_well_back * 100 / young_well, 25);
}

TEST(DemoData, IsDeterminedByItsSeedAndPinned) {
  std::string first, again, other;
  AppendDemoBlock(1, 0, 100, first);
  AppendDemoBlock(1, 0, 100, again);
  AppendDemoBlock(2, 0, 100, other);
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
  // The bytes themselves, so that a table written elsewhere or later is the same.
  EXPECT_EQ(first.substr(0, first.find('\n')),
            "p000000001,87,female,67401,vocational,widowed,retired,0,34700,hypertension,no");
}

TEST_F(Demo, WritesTheSameTableAtAnyNumberOfThreadsAndLength) {
  const std::string rows = std::to_string(3 * kDemoBlockRows + 7);
  ASSERT_EQ(Run({"demo", "--write", folder_ / "a.csv", "--rows", rows, "--threads", "1"}), 0) << err_.str();
  ASSERT_EQ(Run({"demo", "--write", folder_ / "b.csv", "--rows", rows, "--threads", "3"}), 0) << err_.str();
  ASSERT_EQ(Run({"demo", "--write", folder_ / "c.csv", "--rows", "100"}), 0) << err_.str();
  const std::string text = ReadAll(folder_ / "a.csv");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<long>(3 * kDemoBlockRows + 8));
  EXPECT_EQ(text, ReadAll(folder_ / "b.csv"));
  EXPECT_TRUE(text.starts_with(ReadAll(folder_ / "c.csv")));
}

TEST_F(Demo, RefusesToOverwriteATableAndOtherFormats) {
  std::ofstream(folder_ / "a.csv") << "mine\n";
  EXPECT_EQ(Run({"demo", "--write", folder_ / "a.csv", "--rows", "10"}), 5);
  EXPECT_EQ(ReadAll(folder_ / "a.csv"), "mine\n");
  EXPECT_EQ(Run({"demo", "--write", folder_ / "a.csv", "--rows", "10", "--force"}), 0);
  EXPECT_EQ(Run({"demo", "--write", folder_ / "a.parquet"}), 2);
  EXPECT_EQ(Run({"demo", "--write", folder_ / "b.csv", "--folder", "x"}), 2);
  EXPECT_EQ(Run({"demo", "--rows", "0"}), 2);
}

TEST_F(Demo, ShowsPeopleBeforeAndAfterAndReplacesItsOwnFilesOnly) {
  const std::string folder = folder_ / "demo";
  ASSERT_EQ(Run({"demo", "--folder", folder, "--rows", "600"}), 0) << err_.str();
  const std::string shown = out_.str();
  for (const char* part :
       {"Before and after", "audit passed", "one of ", "report.html", "tada anonymize ", "tada audit "}) {
    EXPECT_NE(shown.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(shown.find('\x1b'), std::string::npos);  // no colours when nobody looks
  for (const char* name : {"people.csv", "people.anon.csv", "report.html"})
    EXPECT_TRUE(fs::exists(fs::path(folder) / name)) << name;
  EXPECT_EQ(ReadAll(fs::path(folder) / "people.anon.csv").find("p0000"), std::string::npos);  // ids are gone
  EXPECT_EQ(Run({"demo", "--folder", folder, "--rows", "600"}), 0) << err_.str();

  std::ofstream(fs::path(folder) / "people.csv") << "mine\n";
  EXPECT_EQ(Run({"demo", "--folder", folder, "--rows", "600"}), 5);
  EXPECT_EQ(ReadAll(fs::path(folder) / "people.csv"), "mine\n");
}

TEST_F(Demo, LeavesNothingBehindWhenItFails) {
  const fs::path folder = folder_ / "demo";
  EXPECT_EQ(Run({"demo", "--folder", folder, "--rows", "3"}), 4);
  EXPECT_FALSE(fs::exists(folder));
  fs::create_directories(folder);
  std::ofstream(folder / "report.html") << "mine\n";
  EXPECT_EQ(Run({"demo", "--folder", folder, "--rows", "600"}), 5);
  EXPECT_NE(err_.str().find("report.html"), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
  EXPECT_EQ(ReadAll(folder / "report.html"), "mine\n");
  ASSERT_EQ(Run({"demo", "--folder", folder, "--rows", "600", "--force"}), 0) << err_.str();
  const std::string before = ReadAll(folder / "people.csv");
  EXPECT_EQ(Run({"demo", "--folder", folder, "--rows", "3"}), 4);
  EXPECT_EQ(ReadAll(folder / "people.csv"), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 3);
}

TEST_F(Demo, KeepsATableThatSomebodyHasChanged) {
  const fs::path folder = folder_ / "demo", table = folder / "people.csv";
  ASSERT_EQ(Run({"demo", "--folder", folder, "--rows", "600"}), 0) << err_.str();
  EXPECT_EQ(Run({"demo", "--folder", folder, "--rows", "700", "--seed", "2"}), 0) << err_.str();
  EXPECT_EQ(Run({"demo", "--folder", folder, "--rows", "600", "--seed", "2"}), 0) << err_.str();
  EXPECT_NE(ReadAll(folder / "report.html").find("demo/people.csv"), std::string::npos);
  EXPECT_EQ(ReadAll(folder / "report.html").find(".tada-"), std::string::npos);  // the name it was written under
  const std::string own = ReadAll(table);
  std::string changed = own;
  changed[changed.find("female")] = 'F';
  for (const std::string& text : {changed, own + "p1,mine\n", own.substr(0, own.size() - 3), std::string()}) {
    std::ofstream(table, std::ios::trunc) << text;
    EXPECT_EQ(Run({"demo", "--folder", folder, "--rows", "600", "--seed", "2"}), 5);
    EXPECT_EQ(ReadAll(table), text);
  }
  EXPECT_EQ(Run({"demo", "--folder", folder, "--rows", "600", "--seed", "2", "--force"}), 0) << err_.str();
}

TEST(DemoView, FindsAReleasedRowThatCoversThePersonAndCountsItsGroup) {
  const Table original = testing::MakeTable("id age city ill\na 20 A x\nb 30 B y\nc 50 _ x\nd 60 C y\n");
  const Table released = testing::MakeTable(
      "age:categorical city ill\n[50,60] {\"\",C} y\n[50,60] {\"\",C} x\n[20,30] {A,B} y\n[20,30] {A,B} x\n");
  Plan plan;
  plan.quasi = {{.name = "age"}, {.name = "city"}};
  const auto examples = FindExamples(original, released, plan, 5);
  ASSERT_EQ(examples.size(), 3u);  // c has a missing cell
  EXPECT_EQ(examples[0].person, "a");
  EXPECT_EQ(examples[0].after, (std::vector<std::string>{"[20,30]", "{A,B}", "x"}));
  EXPECT_EQ(examples[0].group_size, 2u);
  EXPECT_EQ(examples[2].after[0], "[50,60]");
}

TEST(DemoView, ShortensALongSetToItsFirstElementsAndACount) {
  BeforeAfter example{"p1", {"job"}, {"nurse"}, {"{clerk,cook,craft worker,driver,engineer,nurse,teacher}"}, 12};
  const std::string text = DemoView(false).Examples({example});
  EXPECT_NE(text.find("{clerk,cook,5 more}"), std::string::npos) << text;
  EXPECT_NE(text.find("one of 12 alike"), std::string::npos);
  EXPECT_NE(DemoView(true).Examples({example}).find("\x1b["), std::string::npos);
}

}  // namespace
}  // namespace tada
