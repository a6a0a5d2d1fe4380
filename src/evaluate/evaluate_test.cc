#include "evaluate/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "evaluate/judged_before.h"
#include "evaluate/results.h"
#include "testing/tables.h"

namespace tada {
namespace {

// The label follows age and job; `ill` is sensitive.
Table People(size_t rows) {
  Random random(5);
  std::string text = "age job ill label\n";
  const char* jobs[] = {"cook", "nurse", "smith"};
  for (size_t i = 0; i < rows; ++i) {
    const auto age = 20 + random.Below(50);
    const auto job = random.Below(3);
    const bool yes = (age > 45) != (job == 1) ? random.Below(10) != 0 : random.Below(10) == 0;
    text += fmt::format("{} {} {} {}\n", age, jobs[job], random.Below(2) == 0 ? "flu" : "cold", yes ? "yes" : "no");
  }
  return testing::MakeTable(text);
}

Plan PeoplePlan() {
  Plan plan;
  plan.quasi = {{.name = "age"}, {.name = "job"}};
  plan.sensitive = {{.name = "ill"}};
  plan.label = {{.name = "label"}};
  plan.threads = 2;
  return plan;
}

EvaluateOptions Options(const std::vector<std::string>& methods) {
  EvaluateOptions options;
  options.methods.clear();
  for (const std::string& text : methods) options.methods.push_back(ParseGridMethod(text).value());
  options.seeds = 3;
  return options;
}

std::vector<EvaluateRow> RunAll(const Table& table, const Plan& plan, const EvaluateOptions& options) {
  std::vector<EvaluateRow> rows;
  NoProgress progress;
  const Status status = RunGrid(table, plan, options, GridUnits(plan, options), nullptr, progress,
                                [&](const GridUnit&, const std::vector<EvaluateRow>& more) {
                                  rows.insert(rows.end(), more.begin(), more.end());
                                  return Ok();
                                });
  if (!status.ok()) throw std::runtime_error(status.error().message);
  return rows;
}

TEST(Evaluate, AGridHasEveryMethodAtEveryKAndLAndRawOnce) {
  EvaluateOptions options = Options({"raw", "mondrian", "ta_da:split=binary"});
  options.k = {2, 5};
  options.l = {1, 2};
  EXPECT_EQ(GridUnits(PeoplePlan(), options).size(), 3u * (1 + 2 * 4));
}

TEST(Evaluate, ModelsLearnLessFromWiderReleases) {
  const Table table = People(600);
  EvaluateOptions options = Options({"raw", "mondrian"});
  options.k = {2, 200};
  for (const Protocol protocol : {Protocol::kRawTest, Protocol::kReleasedTest}) {
    options.protocol = protocol;
    const auto rows = RunAll(table, PeoplePlan(), options);
    const auto summaries = Summarize(rows, options, Task::kClassification, "mondrian");
    ASSERT_EQ(summaries.size(), 6u);  // two learners: raw, k=2, k=200
    EXPECT_EQ(summaries[0].method, "raw");
    EXPECT_GT(summaries[0].value.mean, 0.85);  // the tree
    EXPECT_DOUBLE_EQ(summaries[0].ratio, 1);
    EXPECT_GT(summaries[1].value.mean, summaries[2].value.mean);
    EXPECT_GE(summaries[2].reached_k, 200u);
    EXPECT_LT(summaries[1].ncp, summaries[2].ncp);
  }
}

TEST(Evaluate, TheEncodingsAllLearn) {
  const Table table = People(600);
  EvaluateOptions options = Options({"mondrian"});
  options.learners = {Learner::kTree, Learner::kBayes, Learner::kLogistic};
  for (const Encoding encoding : kEncodings) {
    options.encoding = encoding;
    for (const EvaluateRow& row : RunAll(table, PeoplePlan(), options)) {
      EXPECT_GT(row.metric(Metric::kAccuracy), row.learner == "tree" ? 0.75 : 0.5) << EncodingName(encoding);
    }
  }
}

TEST(Evaluate, ANumericLabelIsJudgedByATreeAndByRidge) {
  std::string text = "age job pay\n";
  Random random(8);
  for (int i = 0; i < 500; ++i) {
    const auto age = 20 + random.Below(50);
    const bool cook = random.Below(2) == 0;
    text += fmt::format("{} {} {}\n", age, cook ? "cook" : "smith", (cook ? 900 : 500) + 10 * age + random.Below(60));
  }
  Plan plan = PeoplePlan();
  plan.sensitive.clear();
  plan.label = {{.name = "pay"}};
  EvaluateOptions options = Options({"raw", "mondrian"});
  options.learners = {Learner::kTree, Learner::kRidge};
  ASSERT_TRUE(CheckGrid(testing::MakeTable(text), plan, options).ok());
  for (const EvaluateRow& row : RunAll(testing::MakeTable(text), plan, options)) {
    EXPECT_GT(row.metric(Metric::kR2), row.method == "raw" ? 0.85 : 0.5) << row.method << " " << row.learner;
    EXPECT_TRUE(std::isnan(row.metric(Metric::kF1Macro)));
  }
  options.learners = {Learner::kBayes};
  EXPECT_FALSE(CheckGrid(testing::MakeTable(text), plan, options).ok());
}

TEST(Evaluate, IntervalsEndWhereTheMetricDoes) {
  std::vector<EvaluateRow> rows(2);
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].method = "mondrian";
    rows[i].learner = "tree";
    rows[i].k = rows[i].l = 1;
    rows[i].seed = i + 1;
    rows[i].metrics.fill(i == 0 ? 0.1 : 1.0);
  }
  EvaluateOptions options;
  options.methods = {ParseGridMethod("mondrian").value()};
  options.learners = {Learner::kTree};
  options.k = options.l = {1};
  const Summary classified = Summarize(rows, options, Task::kClassification, "raw").front();
  EXPECT_EQ(classified.value.high, 1);
  EXPECT_EQ(classified.value.low, 0);
  const Summary regression = Summarize(rows, options, Task::kRegression, "raw").front();
  EXPECT_EQ(regression.value.high, 1);
  EXPECT_LT(regression.value.low, 0);
}

TEST(Evaluate, ResultsAreTheSameAtAnyNumberOfThreads) {
  const Table table = People(300);
  const EvaluateOptions options = Options({"raw", "mondrian"});
  Plan plan = PeoplePlan();
  plan.threads = 1;
  const auto one = Summarize(RunAll(table, plan, options), options, Task::kClassification, "raw");
  plan.threads = 3;
  const auto three = Summarize(RunAll(table, plan, options), options, Task::kClassification, "raw");
  for (size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].value.mean, three[i].value.mean);
}

// A release is told by what its rows show, not by how its cells are numbered.
TEST(Evaluate, TheSameReleaseIsJudgedOnce) {
  const CellTable one{{NumberColumn({1, 2, 3}, {0, 1, 2, 1}, false)}, {0, 1, 0, 1}, 2, {}, 4};
  const CellTable renumbered{{NumberColumn({3, 2, 1}, {2, 1, 0, 1}, false)}, {0, 1, 0, 1}, 2, {}, 4};
  EXPECT_EQ(DigestOf(one), DigestOf(renumbered));
  CellTable other = one;
  other.columns[0].of_row[3] = 0;
  EXPECT_NE(DigestOf(one), DigestOf(other));
  other = one;
  other.labels[3] = 0;
  EXPECT_NE(DigestOf(one), DigestOf(other));

  const Table table = People(300);
  const EvaluateOptions options = Options({"mondrian"});
  const GridUnit unit{0, 5, 1, 1};
  JudgedBefore before;
  const auto fresh = EvaluateUnit(table, PeoplePlan(), options, unit, Workers(1), &before).value();
  const auto again = EvaluateUnit(table, PeoplePlan(), options, unit, Workers(1), &before).value();
  const auto alone = EvaluateUnit(table, PeoplePlan(), options, unit, Workers(1)).value();
  ASSERT_EQ(fresh.size(), again.size());
  for (size_t i = 0; i < fresh.size(); ++i) {
    EXPECT_EQ(fresh[i].metric(Metric::kLogLoss), again[i].metric(Metric::kLogLoss));
    EXPECT_EQ(fresh[i].metric(Metric::kLogLoss), alone[i].metric(Metric::kLogLoss));
    EXPECT_EQ(fresh[i].ncp, again[i].ncp);
  }
}

TEST(Evaluate, ARequirementThatCannotBeMetIsAResultToo) {
  EvaluateOptions options = Options({"mondrian"});
  options.l = {3};
  const auto rows = RunAll(People(100), PeoplePlan(), options);
  EXPECT_FALSE(rows.front().problem.empty());
  EXPECT_TRUE(std::isnan(rows.front().metric(Metric::kF1Macro)));
  EXPECT_EQ(Summarize(rows, options, Task::kClassification, "mondrian").front().seeds, 0u);
}

TEST(Evaluate, ClustersOfTheRawTableAgreeWithThemselves) {
  EvaluateOptions options = Options({"raw", "mondrian"});
  options.seeds = 1;
  options.k = {20};
  Plan plan = PeoplePlan();
  plan.label.clear();
  plan.task = Task::kClustering;
  const auto rows = RunAll(People(300), plan, options);
  ASSERT_EQ(rows.size(), 4u);
  for (const EvaluateRow& row : rows) {
    if (row.method == "raw") {
      EXPECT_DOUBLE_EQ(row.metric(Metric::kAri), 1);
    } else {
      EXPECT_LT(row.metric(Metric::kAri), 1);
    }
  }
}

TEST(Evaluate, FinishedUnitsAreNotRunAgain) {
  const EvaluateOptions options = Options({"raw", "mondrian"});
  const Plan plan = PeoplePlan();
  const auto rows = RunAll(People(200), plan, options);
  std::string csv = ResultsHeader();
  for (const EvaluateRow& row : rows) csv += ResultsLine("here", options, row);
  const auto units = GridUnits(plan, options);
  const auto all = ReadResults(csv, "here", "x").value().rows;
  ASSERT_EQ(all.size(), rows.size());
  EXPECT_EQ(all[1].metrics[0], rows[1].metrics[0]);
  EXPECT_TRUE(UnitsLeft(units, options, Task::kClassification, all).empty());
  EXPECT_TRUE(ReadResults(csv, "here", "x").value().others.empty());
  const auto elsewhere = ReadResults(csv, "elsewhere", "x").value();  // rows of another grid are kept as they are
  EXPECT_TRUE(elsewhere.rows.empty());
  EXPECT_EQ(ResultsHeader() + elsewhere.others, csv);
  const auto cut = ReadResults(csv.substr(0, csv.size() - 9), "here", "x").value().rows;  // the last line is broken
  EXPECT_EQ(UnitsLeft(units, options, Task::kClassification, cut).size(), 1u);
  EXPECT_FALSE(ReadResults("age,zip\n", "here", "x").ok());
}

TEST(Evaluate, WhatDoesNotFitIsRefusedBeforeAnythingRuns) {
  EXPECT_FALSE(ParseGridMethod("mondriaan").ok());
  EvaluateOptions options = Options({"mondrian"});
  options.learners = {Learner::kRidge};
  EXPECT_FALSE(CheckGrid(People(50), PeoplePlan(), options).ok());
  Plan nothing = PeoplePlan();
  nothing.label.clear();
  EXPECT_FALSE(CheckGrid(People(50), nothing, Options({"mondrian"})).ok());
}

}  // namespace
}  // namespace tada
