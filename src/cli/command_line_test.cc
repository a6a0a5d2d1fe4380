#include "cli/command_line.h"

#include <gtest/gtest.h>

#include "base/option_mark.h"
#include "cli/commands.h"

namespace tada {
namespace {

using Words = std::vector<std::string>;

ParsedCommandLine Parse(const Words& words) {
  Result<ParsedCommandLine> line = ParseCommandLine(words);
  if (!line.ok()) throw std::runtime_error(line.error().message);
  return std::move(line).value();
}

Error ErrorOf(const Words& words) {
  const Result<ParsedCommandLine> line = ParseCommandLine(words);
  if (line.ok()) return {ErrorCode::kIo, "no error", ""};
  EXPECT_EQ(line.error().code, ErrorCode::kInvalidArgument);
  return {line.error().code, OnCommandLine(line.error().message), OnCommandLine(line.error().hint)};
}

TEST(CommandLine, TakesOptionsInEveryForm) {
  const ParsedCommandLine line = Parse({"audit", "--quasi", "age,zip:categorical", "-k10", "-l", "2",
                                        "--diversity=entropy", "out.csv", "--json", "--sensitive=d"});
  EXPECT_EQ(line.command->name, "audit");
  EXPECT_EQ(line.operands, Words{"out.csv"});
  EXPECT_EQ(line.options.List("quasi"), (Words{"age", "zip:categorical"}));
  EXPECT_EQ(line.options.Integer("k", 0), 10);
  EXPECT_EQ(line.options.Integer("l", 0), 2);
  EXPECT_EQ(line.options.Text("diversity"), "entropy");
  EXPECT_TRUE(line.options.Flag("json"));
  EXPECT_EQ(Parse({"audit", "r", "-k=7"}).options.Integer("k", 0), 7);
}

TEST(CommandLine, ListsAppendAndOtherOptionsTakeTheLastValue) {
  const ParsedCommandLine line = Parse({"audit", "r", "--quasi", "a", "--quasi", "b,c", "-k", "2", "-k", "3"});
  EXPECT_EQ(line.options.List("quasi"), (Words{"a", "b", "c"}));
  EXPECT_EQ(line.options.Integer("k", 0), 3);
}

TEST(CommandLine, AnEmptyListIsEmptyButAnEmptySpellingOfMissingIsOne) {
  const ParsedCommandLine line = Parse({"audit", "r", "--keep", "", "--missing", ""});
  EXPECT_TRUE(line.options.Has("keep"));
  EXPECT_TRUE(line.options.List("keep").empty());
  EXPECT_EQ(line.options.List("missing"), Words{""});
}

TEST(CommandLine, ADashIsAnOperandAndTwoDashesEndTheOptions) {
  EXPECT_EQ(Parse({"audit", "-"}).operands, Words{"-"});
  EXPECT_EQ(Parse({"audit", "--", "--quasi"}).operands, Words{"--quasi"});
  EXPECT_EQ(Parse({"audit", "r", "--original", "-"}).options.Text("original"), "-");
}

TEST(CommandLine, LettersOfFlagsMayStandTogether) {
  const ParsedCommandLine line = Parse({"inspect", "in.csv", "-qf"});
  EXPECT_TRUE(line.options.Flag("quiet"));
  EXPECT_TRUE(line.options.Flag("force"));
}

TEST(CommandLine, HelpAndVersionWorkWhateverElseIsWrong) {
  EXPECT_EQ(Parse({"--help"}).ask, ParsedCommandLine::Ask::kShowHelp);
  EXPECT_EQ(Parse({"--version"}).ask, ParsedCommandLine::Ask::kShowVersion);
  const ParsedCommandLine line = Parse({"audit", "--nonsense", "--help"});
  EXPECT_EQ(line.ask, ParsedCommandLine::Ask::kShowHelp);
  EXPECT_EQ(line.command->name, "audit");
  EXPECT_EQ(Parse({"audit", "-h"}).ask, ParsedCommandLine::Ask::kShowHelp);
}

TEST(CommandLine, UnknownWordsAreNamedWithTheNearestKnownOnes) {
  EXPECT_EQ(ErrorOf({"audti"}).message, "Unknown command: audti");
  EXPECT_EQ(ErrorOf({"audti"}).hint, "Did you mean 'tada audit'?");
  EXPECT_EQ(ErrorOf({"zzzzzzzzz"}).hint, "'tada --help' lists the commands.");
  EXPECT_EQ(ErrorOf({"audit", "r", "--qasi", "a"}).message, "Unknown option of 'tada audit': --qasi");
  EXPECT_EQ(ErrorOf({"audit", "r", "--qasi", "a"}).hint, "Did you mean --quasi?");
  EXPECT_EQ(ErrorOf({"audit", "r", "--qasi=a"}).hint, "Did you mean --quasi?");
  EXPECT_EQ(ErrorOf({"audit", "r", "-x"}).message, "Unknown option of 'tada audit': -x");
  EXPECT_EQ(ErrorOf({"audit", "r", "-quasi", "a"}).hint, "Did you mean --quasi?");
  EXPECT_EQ(ErrorOf({"inspect", "r", "--original", "a"}).message, "--original is not an option of 'tada inspect'");
  EXPECT_EQ(ErrorOf({"inspect", "r", "--original", "a"}).hint, "It is one of: audit, attack, compare.");
}

TEST(CommandLine, WhatIsMissingOrTooMuchIsNamed) {
  EXPECT_EQ(ErrorOf({}).message, "No command is given");
  EXPECT_EQ(ErrorOf({"--quiet", "audit"}).message, "The command comes before its options: --quiet");
  EXPECT_EQ(ErrorOf({"audit"}).message, "'tada audit' lacks an argument");
  EXPECT_EQ(ErrorOf({"attack", "a", "b"}).message, "'tada attack' does not know what to do with another argument: b");
  EXPECT_EQ(ErrorOf({"audit", "r", "--quasi"}).message, "--quasi needs a value: <columns>");
  EXPECT_EQ(ErrorOf({"audit", "r", "--quasi", "--json"}).message, "--quasi needs a value: <columns>");
  EXPECT_EQ(ErrorOf({"audit", "r", "-k"}).message, "--k needs a value: <rows>");
  EXPECT_EQ(ErrorOf({"audit", "r", "-k", "0"}).message, "--k must be at least 1, not 0");
  EXPECT_EQ(ErrorOf({"audit", "r", "-k", "-3"}).message, "--k must be at least 1, not -3");
  EXPECT_EQ(ErrorOf({"audit", "r", "--quasi", "\"a"}).message, "--quasi: A quote is not closed: \"a");
  EXPECT_EQ(ErrorOf({"completion", "tcsh"}).message, "'tada completion' takes one of bash, zsh, fish, not 'tcsh'");
}

TEST(CommandLine, GivesAPlan) {
  const Result<Plan> plan =
      PlanFromCommandLine(Parse({"audit", "r", "--quasi", "age", "-k", "7", "--method", "mondrian"}));
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_EQ(plan->requirement.k, 7);
  EXPECT_FALSE(PlanFromCommandLine(Parse({"audit", "r"})).ok());
  EXPECT_TRUE(DraftFromCommandLine(Parse({"audit", "r"})).ok());
  EXPECT_FALSE(PlanFromCommandLine(Parse({"audit", "r", "--plan", "no/such.toml"})).ok());
}

}  // namespace
}  // namespace tada
