#include "cli/run_command_line.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/terminal/exit_code.h"
#include "files/arrow/arrow_files.h"

namespace tada {
namespace {

namespace fs = std::filesystem;

struct Ran {
  int code = 0;
  std::string out, err;
};

class CommandLineRun : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              fmt::format("tada-cli-{}-{}", getpid(), ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string File(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return Path(name);
  }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  Ran Run(const std::vector<std::string>& words) {
    std::ostringstream out, err;
    const int code = RunArguments(words, out, err, false, files_, cancel_);
    return {code, out.str(), err.str()};
  }

  ArrowFiles files_;
  Cancel cancel_;
  fs::path folder_;
};

TEST_F(CommandLineRun, PrintsVersionAndHelp) {
  EXPECT_EQ(Run({"--version"}).out.substr(0, 5), "tada ");
  EXPECT_EQ(Run({"--help"}).code, 0);
  EXPECT_EQ(Run({"help", "audit"}).out, Run({"audit", "--help"}).out);
  EXPECT_EQ(Run({"help", "audti"}).code, 2);
}

TEST_F(CommandLineRun, AnErrorIsOneLineAndAHint) {
  const Ran ran = Run({"audit", "r.csv", "--qasi", "a"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "tada: error: Unknown option of 'tada audit': --qasi\ntada: hint: Did you mean --quasi?\n");
  EXPECT_EQ(ran.out, "");
}

TEST_F(CommandLineRun, AnAuditPassesOrFails) {
  const std::string release = File("r.csv", "age,d\n\"[20,30]\",a\n\"[20,30]\",b\n40,a\n40,b\n");
  const Ran passed = Run({"audit", release, "--quasi", "age", "--sensitive", "d", "-k", "2", "-l", "2"});
  EXPECT_EQ(passed.code, 0) << passed.err;
  EXPECT_EQ(passed.out.substr(0, 6), "PASSED");
  const Ran failed = Run({"audit", release, "--quasi", "age", "-k", "3", "--json"});
  EXPECT_EQ(failed.code, 1) << failed.err;
  const auto json = nlohmann::json::parse(failed.out);
  EXPECT_FALSE(json["passed"]);
  EXPECT_EQ(json["k"], 2);
  EXPECT_EQ(json["classes"], 2);
  EXPECT_EQ(json["breaking_rows"], 4);
  EXPECT_EQ(json["requirement"]["k"], 3);
}

TEST_F(CommandLineRun, AnAuditComparesWithTheOriginal) {
  const std::string original = File("in.csv", "name,age,d\nx,20,a\ny,35,b\n");
  const std::string release = File("r.csv", "age,d\n\"[20,30]\",a\n\"[20,30]\",b\n");
  const std::vector<std::string> words = {"audit", release,       "--original", original, "--quasi",
                                          "age",   "--sensitive", "d",          "-k",     "2"};
  const Ran ran = Run(words);
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("FAILS"), std::string::npos) << ran.out;
  File("in.csv", "name,age,d\nx,20,a\ny,25,b\n");
  EXPECT_EQ(Run(words).code, 0) << Run(words).out;
  File("in.csv", "name,d\nx,a\ny,b\n");
  EXPECT_EQ(Run(words).code, 2);
  EXPECT_EQ(Run({"audit", release, "--original", release, "--quasi", "age"}).code, 2);
}

TEST_F(CommandLineRun, AnAuditWithKeptOrderComparesRowByRow) {
  const std::string original = File("in.csv", "age,d\n20,a\n50,b\n");
  const std::string release = File("r.csv", "age,d\n50,b\n20,a\n");
  const std::vector<std::string> words = {"audit", release,       "--original", original, "--quasi",
                                          "age",   "--sensitive", "d",          "-k",     "1"};
  EXPECT_EQ(Run(words).code, 0) << Run(words).out;
  std::vector<std::string> ordered = words;
  ordered.push_back("--keep-order");
  EXPECT_EQ(Run(ordered).code, 1);
}

TEST_F(CommandLineRun, WhatCannotBeReadIsCode3AndAnUnknownColumnCode2) {
  EXPECT_EQ(Run({"audit", Path("none.csv"), "--quasi", "age"}).code, 3);
  EXPECT_EQ(Run({"inspect", Path("none.csv")}).code, 3);
  const Ran ran = Run({"audit", File("r.csv", "age\n1\n"), "--quasi", "agee"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("Did you mean 'age'?"), std::string::npos) << ran.err;
}

TEST_F(CommandLineRun, InspectDraftsAPlanAndNeverOverwritesItUnasked) {
  const std::string input = File("in.csv", "age,disease\n20,flu\n21,flu\n20,cold\n");
  const std::string plan = Path("tada.toml");
  const Ran ran = Run({"inspect", input, "--write-plan", plan});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("quasi"), std::string::npos);
  EXPECT_EQ(Run({"inspect", input, "--write-plan", plan}).code, 5);
  EXPECT_EQ(Run({"inspect", input, "--write-plan", plan, "--force"}).code, 0);
  EXPECT_EQ(Run({"audit", input, "--plan", plan}).code, 1);  // the plan is complete; the raw table does not meet it
  EXPECT_EQ(Run({"inspect", input, "--quasi", "agee"}).code, 2);
  EXPECT_EQ(Run({"inspect", input, "--quasi", "age", "--keep", "age"}).code, 2);
}

TEST_F(CommandLineRun, InspectSpeaksJson) {
  const Ran ran = Run({"inspect", File("in.csv", "age,disease\n20,flu\n21,flu\n20,cold\n"), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["rows"], 3);
  EXPECT_EQ(json["columns"][1]["role"], "sensitive");
  EXPECT_EQ(json["unique_rows"], 1);
}

TEST_F(CommandLineRun, MethodsSpeaksTextAndJson) {
  EXPECT_NE(Run({"methods"}).out.find("mondrian"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(Run({"methods", "--json"}).out)["methods"][0]["name"].get<std::string>().empty(),
            false);
}

TEST_F(CommandLineRun, ARequestToStopEndsWithCode130) {
  cancel_.Request();
  const Ran ran = Run({"audit", File("r.csv", "age\n1\n1\n"), "--quasi", "age", "-k", "2"});
  EXPECT_EQ(ran.code, 130);
  EXPECT_EQ(ran.err.substr(0, 25), "tada: error: Interrupted:");
}

TEST_F(CommandLineRun, OutputThatCannotBeWrittenIsCode5) {
  std::ostringstream out, err;
  out.setstate(std::ios::badbit);
  EXPECT_EQ(RunArguments({"methods"}, out, err, false, files_, cancel_), 5);
  EXPECT_EQ(err.str().substr(0, 48), "tada: error: Standard output cannot be written: ");
}

TEST(ExitCode, IsTheDocumentedOne) {
  EXPECT_EQ(ExitCode(ErrorCode::kInvalidArgument), 2);
  EXPECT_EQ(ExitCode(ErrorCode::kData), 3);
  EXPECT_EQ(ExitCode(ErrorCode::kInfeasible), 4);
  EXPECT_EQ(ExitCode(ErrorCode::kIo), 5);
}

TEST(ExitCode, ErrorsStayOnOneLineWhateverIsInThem) {
  std::ostringstream err;
  PrintError(err, InvalidArgument("a\nb\x1b[2J").WithHint("c\nd"));
  EXPECT_EQ(err.str(), "tada: error: a b [2J\ntada: hint: c d\n");
  std::ostringstream bug;
  PrintInternalError(bug, "assertion failed");
  EXPECT_NE(bug.str().find("Please open an issue"), std::string::npos);
}

}  // namespace
}  // namespace tada
