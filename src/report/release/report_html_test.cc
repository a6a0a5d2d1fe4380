#include "report/release/report_html.h"

#include <gtest/gtest.h>

#include "plan/shell_command.h"
#include "report/draw/html_text.h"
#include "report/release/outcome_for_tests.h"

namespace tada {
namespace {

bool Has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(ReportHtml, SaysWhatWasAskedReachedAndHowToRepeatIt) {
  const Outcome outcome = testing::SampleOutcome();
  const std::string html = ReportHtml(outcome);
  EXPECT_TRUE(Has(html, "Audit passed"));
  EXPECT_TRUE(Has(html, "Each of the 4,000 released rows"));
  EXPECT_TRUE(Has(html, "at least 3 different values of diagnosis"));
  EXPECT_TRUE(Has(html, "41.3%"));  // the loss of zip
  EXPECT_TRUE(Has(html, outcome.release_sha256));
  EXPECT_FALSE(Has(html, outcome.input_sha256));
  EXPECT_TRUE(Has(html, Escape(PlanToToml(outcome.plan))));
  EXPECT_TRUE(Has(html, "tada anonymize hospital/people.csv --plan tada.toml -o hospital/people.anon.csv"));
  EXPECT_TRUE(Has(html, "does not protect against"));
}

TEST(ReportHtml, LoadsAndRunsNothing) {
  std::string html = ReportHtml(testing::SampleOutcome());
  const std::string font = "src:url(data:font/woff2;base64,";  // the one that it brings along
  if (const size_t at = html.find(font); at != std::string::npos) html.erase(at, font.size());
  for (const char* word : {"http://", "https://", "<script", "<link", "<img", "@import", "url("})
    EXPECT_FALSE(Has(html, word)) << word;
}

TEST(ReportHtml, EscapesMarkupWhereverDataMayPutIt) {
  const std::string evil = "<b onclick='x'>\"&";
  Outcome outcome = testing::SampleOutcome();
  outcome.method = outcome.input_path = outcome.output_path = outcome.input_sha256 = outcome.release_sha256 =
      outcome.created = outcome.command = evil;
  outcome.stages = {evil};
  outcome.warnings = outcome.dropped_columns = outcome.verdict.notes = {evil};
  outcome.plan.quasi = {{.name = evil}};
  outcome.plan.sensitive = {{.name = evil}};
  outcome.plan.label = {{.name = evil}};
  outcome.sample = {{evil}, {evil}};
  outcome.raw_sample = {{evil}};
  outcome.report_raw = true;
  outcome.columns = {{evil, evil, evil, 1, 1, evil, evil}};
  outcome.score.per_column = {{evil, 0.5}};
  outcome.seconds = {{evil, 1.0}};
  const std::string html = ReportHtml(outcome);
  EXPECT_FALSE(Has(html, "<b onclick"));
  EXPECT_FALSE(Has(html, "onclick='"));
  EXPECT_TRUE(Has(html, Escape(evil)));
}

TEST(ReportHtml, HoldsNoRawValueUnlessAskedToAndThenSaysItIsConfidential) {
  Outcome outcome = testing::SampleOutcome();
  outcome.sections.push_back({.key = "tree", .title = "Tree", .blocks = {{"raw-threshold"}}, .raw = true});
  EXPECT_FALSE(Has(ReportHtml(outcome), "raw-"));
  EXPECT_FALSE(Has(ReportHtml(outcome), "onfidential"));
  outcome.report_raw = true;
  const std::string html = ReportHtml(outcome);
  for (const char* raw : {"raw-smallest", "raw-largest", "raw-id", "raw-threshold"}) EXPECT_TRUE(Has(html, raw)) << raw;
  EXPECT_LT(html.find("Confidential: this report holds raw values"), html.find("Anonymization report</h1>"));
}

TEST(ReportHtml, ShowsTheSectionsThatStagesAdd) {
  Outcome outcome = testing::SampleOutcome();
  outcome.sections.push_back({.key = "curve", .title = "Distances & knee", .blocks = {{"drawn <here>"}}});
  EXPECT_TRUE(Has(ReportHtml(outcome), "<h2>Distances &amp; knee</h2><p>drawn &lt;here&gt;</p>"));
}

TEST(ReportHtml, SaysLoudlyThatAnAuditFailed) {
  Outcome outcome = testing::SampleOutcome();
  outcome.verdict.passed = false;
  outcome.verdict.k = 1;
  outcome.verdict.breaking_rows = 7;
  const std::string html = ReportHtml(outcome);
  EXPECT_TRUE(Has(html, "Audit failed"));
  EXPECT_TRUE(Has(html, "7 of 4,000 rows"));
  EXPECT_TRUE(Has(html, "not met"));
}

TEST(ReportHtml, WarnsOfWhatThePlanLeavesOpen) {
  Outcome outcome = testing::SampleOutcome();
  EXPECT_TRUE(Has(ReportHtml(outcome), "Likely guesses."));
  outcome.plan.requirement.l = 1;
  EXPECT_TRUE(Has(ReportHtml(outcome), "l is 1, so all people of a group may have the same diagnosis"));
  outcome.plan.sensitive.clear();
  EXPECT_TRUE(Has(ReportHtml(outcome), "No column was named as sensitive"));
  EXPECT_FALSE(Has(ReportHtml(outcome), "Several controllers."));
  outcome.plan.controllers = 2;
  EXPECT_TRUE(Has(ReportHtml(outcome), "Several controllers."));
}

TEST(ShellCommand, QuotesOnlyWhatAShellWouldTakeApart) {
  EXPECT_EQ(ShellQuote("people.csv"), "people.csv");
  EXPECT_EQ(ShellQuote("my people.csv"), "'my people.csv'");
  EXPECT_EQ(ShellQuote("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellQuote(""), "''");
}

TEST(ShellCommand, WritesTheAuditOfAPlan) {
  const Outcome outcome = testing::SampleOutcome();
  EXPECT_EQ(AuditCommand(outcome.plan, outcome.plan.requirement, "in.csv", "out.csv"),
            "tada audit out.csv --original in.csv --quasi age,sex,zip,education,job,hours --sensitive diagnosis "
            "--label readmitted -k 10 -l 3");
}

TEST(ShellCommand, WritesWhatChangesHowCellsAreRead) {
  Plan plan;
  plan.quasi = {{.name = "a b", .hierarchy = "count:2"}, {.name = "c"}};
  plan.missing = {"", "n/a"};
  plan.delimiter = ';';
  plan.hierarchies = "my folder";
  EXPECT_EQ(ReadingOptions(plan),
            " --missing '\"\",n/a' --delimiter ';' --hierarchies 'my folder' --hierarchy 'a b=count:2'");
  plan = {};
  plan.delimiter = '\t';
  plan.method = "optimal";
  EXPECT_EQ(ReadingOptions(plan), " --delimiter tab --method optimal");
  EXPECT_EQ(AuditCommand(plan, {.k = 3}, "-", "out.csv").find("--original"), std::string::npos);
}

TEST(ShellCommand, QuotesColumnNamesThatALineWouldTakeApart) {
  Plan plan;
  plan.quasi = {{.name = "a,b"}, {.name = "say \"hi\""}, {.name = "plain", .kind = Kind::kOrdinal}};
  EXPECT_EQ(RequirementOptions(plan), "--quasi '\"a,b\",\"say \"\"hi\"\"\",plain:ordinal' -k 5");
}

}  // namespace
}  // namespace tada
