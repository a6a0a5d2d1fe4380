#include "evaluate/auto_method.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "testing/tables.h"

namespace tada {
namespace {

// The label follows one of four columns.
Table Noisy(size_t rows) {
  Random random(3);
  std::string text = "a b c d label\n";
  for (size_t i = 0; i < rows; ++i) {
    const auto d = random.Below(8);
    text += fmt::format("{} {} {} {} {}\n", random.Below(100), random.Below(100), random.Below(100), d,
                        d < 2 ? "yes" : "no");
  }
  return testing::MakeTable(text);
}

Plan AutoPlan(int64_t k) {
  Plan plan;
  plan.quasi = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"}};
  plan.label = {{.name = "label"}};
  plan.method = "auto";
  plan.requirement.k = k;
  return plan;
}

TEST(AutoMethod, TakesTheMethodThatModelsLearnMostFrom) {
  const Table table = Noisy(1000);
  NoProgress progress;
  const AutoChoice choice = ChooseMethod(table, AutoPlan(50), Workers(2), progress).value();
  const auto chosen =
      std::find_if(choice.trials.begin(), choice.trials.end(), [](const AutoTrial& t) { return t.chosen; });
  ASSERT_NE(chosen, choice.trials.end());
  for (const AutoTrial& trial : choice.trials) {
    EXPECT_TRUE(trial.tried);
    double ahead = 0;  // of the chosen one on the splits that this one had
    for (size_t split = 0; split < trial.by_split.size(); ++split)
      ahead += chosen->by_split[split] - trial.by_split[split];
    EXPECT_GE(ahead, 0) << trial.method;
  }
  EXPECT_NE(choice.plan.method, "auto");
  EXPECT_NE(choice.section.facts.Find("looked_at_the_data"), nullptr);
}

// On four fifths of the rows no method can meet what all rows can.
TEST(AutoMethod, ReleasesWhatOnlyAllRowsTogetherMeet) {
  const Table table = Noisy(10);
  Plan plan = AutoPlan(10);
  NoProgress progress;
  const auto made = AnonymizeOrChoose(table, plan, Workers(1), progress);
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_EQ(made->groups.num_groups(), 1u);
  plan = AutoPlan(11);
  const auto refused = AnonymizeOrChoose(table, plan, Workers(1), progress);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kInfeasible);
}

AutoTrial Trial(std::vector<double> by_split, double ncp) {
  AutoTrial trial;
  trial.tried = true;
  for (const double utility : by_split) trial.utility += utility / static_cast<double>(by_split.size());
  trial.by_split = std::move(by_split);
  trial.ncp = ncp;
  return trial;
}

size_t Best(const std::vector<AutoTrial>& trials, bool by_utility) { return Ranked(trials, by_utility).front(); }

TEST(AutoMethod, NoOtherMethodIsBetterInUtilityAndLoss) {
  const AutoTrial first = Trial({0.758, 0.730, 0.763}, 0.5);
  EXPECT_EQ(Best({first, Trial({0.750, 0.730, 0.763}, 0.1)}, true), 0u);
  EXPECT_EQ(Best({first, Trial({0.758, 0.731, 0.763}, 0.1)}, true), 1u);
  EXPECT_EQ(Best({first, first}, true), 0u);
  EXPECT_EQ(Best({first, Trial({0.9, 0.9, 0.9}, 0.3), Trial({0.9, 0.9, 0.9}, 0.2)}, true),
            2u);  // equals: less loss
  AutoTrial stopped = Trial({0.9}, 0.1), failed = Trial({0.9, 0.9, 0.9}, 0.1);
  stopped.stopped = true;
  failed.problem = "too few rows";
  EXPECT_EQ(Best({first, stopped, failed}, true), 0u);
  EXPECT_EQ(Best({failed, Trial({0.5, 0.4, 0.6}, 0.3)}, true), 1u);
  EXPECT_EQ(Best({first, Trial({0.1}, 0.2)}, false), 1u);  // without a task: least loss
}

TEST(AutoMethod, AMethodFarBehindGetsNoMoreSplits) {
  const Table table = Noisy(2000);
  NoProgress progress;
  const AutoChoice choice = ChooseMethod(table, AutoPlan(200), Workers(2), progress).value();
  size_t stopped = 0;
  for (const AutoTrial& trial : choice.trials) {
    EXPECT_FALSE(trial.stopped && trial.chosen);
    EXPECT_TRUE(trial.stopped || trial.by_split.size() == 3u) << trial.method;
    stopped += trial.by_split.size() == 1 ? 1 : 0;
  }
  EXPECT_GT(stopped, 0u);
}

TEST(AutoMethod, TheChoiceIsTheSameAtAnyNumberOfThreads) {
  const Table table = Noisy(200);
  NoProgress progress;
  const AutoChoice one = ChooseMethod(table, AutoPlan(20), Workers(1), progress).value();
  const AutoChoice three = ChooseMethod(table, AutoPlan(20), Workers(3), progress).value();
  ASSERT_EQ(one.trials.size(), three.trials.size());
  for (size_t i = 0; i < one.trials.size(); ++i) EXPECT_EQ(one.trials[i].utility, three.trials[i].utility);
}

TEST(AutoMethod, WithoutATaskItTakesTheLeastLoss) {
  const Table table = Noisy(200);
  Plan plan = AutoPlan(10);
  plan.label.clear();
  NoProgress progress;
  const AutoChoice choice = ChooseMethod(table, plan, Workers(2), progress).value();
  double least = 2, chosen = 3;
  for (const AutoTrial& trial : choice.trials) {
    least = std::min(least, trial.ncp);
    if (trial.chosen) chosen = trial.ncp;
  }
  EXPECT_EQ(chosen, least);
}

TEST(AutoMethod, ALimitOfTrialsLeavesMethodsOutAndSaysSo) {
  const Table table = Noisy(200);
  Plan plan = AutoPlan(10);
  for (const int limit : {1, 7}) {  // each method takes three
    plan.method_options.Set("auto-trials", {fmt::to_string(limit)});
    NoProgress progress;
    const AutoChoice choice = ChooseMethod(table, plan, Workers(2), progress).value();
    const auto tried = std::ranges::count_if(choice.trials, &AutoTrial::tried);
    EXPECT_EQ(tried, limit == 1 ? 1 : 2);
    EXPECT_TRUE(choice.trials.front().tried);
    EXPECT_NE(choice.section.text.find("not tried"), std::string::npos);
  }
}

// With one value of the label among the rows that are left out, R2 has no value: that is said, and no method is taken by a NaN.
TEST(AutoMethod, WithoutAFigureTheLossDecides) {
  std::string text = "a b c d label:numeric\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("{} {} {} {} 7\n", i, i * 7 % 13, i % 5, i % 3);
  const Table table = testing::MakeTable(text);
  Plan plan = AutoPlan(5);
  plan.task = Task::kRegression;
  NoProgress progress;
  const AutoChoice choice = ChooseMethod(table, plan, Workers(2), progress).value();
  EXPECT_EQ(choice.section.text.find("nan"), std::string::npos) << choice.section.text;
  const auto made = AnonymizeOrChoose(table, plan, Workers(2), progress);
  ASSERT_TRUE(made.ok()) << made.error().message;
}

TEST(AutoMethod, TheReleaseIsThatOfTheMethodChosen) {
  const Table table = Noisy(200);
  Plan plan = AutoPlan(10);
  NoProgress progress;
  const Anonymized made = AnonymizeOrChoose(table, plan, Workers(2), progress).value();
  EXPECT_EQ(made.bound.method, plan.method);
  EXPECT_EQ(made.notes.sections.front().key, "auto");
  for (GroupId group = 0; group < made.groups.num_groups(); ++group) EXPECT_GE(made.groups.rows(group).size(), 10u);
}

}  // namespace
}  // namespace tada
