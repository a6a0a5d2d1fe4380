#include "evaluate/auto_method.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "base/random.h"
#include "base/words.h"
#include "evaluate/paired.h"
#include "plan/methods.h"
#include "run/bind/canonical_rows.h"
#include "score/scorecard.h"
#include "table/select_rows.h"

namespace tada {
namespace {

constexpr size_t kMostRows = 20'000;
constexpr uint32_t kSplits = 3;
constexpr double kTestShare = 0.2;

constexpr std::string_view kDecoded = "decoded", kCells = "cells";

struct Candidate {
  std::string_view method, reading;
};

// In the order in which they are tried: the quickest and likeliest first, so that a limit on the trials cuts off the others. Releases that
// were made for a label are read decoded, too; those that were not lose by it (docs/learning-from-a-release.md).
std::vector<Candidate> Portfolio(Task task) {
  switch (task) {
    case Task::kClassification:
      // Not infogain: with one label it cuts as binary splits do.
      return {{"ta_da:split=binary", kDecoded},
              {"ta_da:split=conditional", kDecoded},
              {"ta_da:split=binary", kCells},
              {"mondrian", kCells},
              {"target_weighted", kDecoded},
              {"ta_da:split=multiway", kDecoded},
              {"ta_da:split=multiway", kCells},
              {"target_weighted", kCells},
              {"dop", kCells},
              {"compact", kCells}};
    case Task::kRegression:
      return {{"ta_da", kDecoded},    {"ta_da", kCells}, {"mondrian", kCells}, {"regression", kDecoded},
              {"regression", kCells}, {"dop", kCells},   {"compact", kCells}};
    case Task::kClustering:
      return {{"ta_da", kCells},
              {"ta_da:polish=clusters", kCells},
              {"mondrian", kCells},
              {"dop", kCells},
              {"compact", kCells}};
    case Task::kNone:
      return {{"mondrian", kCells}, {"dop", kCells}, {"compact", kCells}};
  }
  return {};
}

// Rows in canonical order, so that the choice does not depend on the order of the input.
Table SampleRows(const Table& table, const BoundPlan& bound, size_t most, uint64_t seed) {
  std::vector<RowId> rows = CanonicalRows(table, bound, seed);
  if (rows.size() > most) {
    Random random(MixSeed(seed, 0xa070));
    random.Shuffle(std::span(rows));
    rows.resize(most);
  }
  return SelectRows(table, rows);
}

// One method on one split.
struct SplitResult {
  bool ran = false;
  std::string problem;
  double utility = 0, ncp = 0, seconds = 0;  // utility: the mean over the learners
};

class Chooser {
 public:
  Chooser(const Table& table, const Plan& plan, const BoundPlan& bound, Task task, size_t most_rows,
          const Workers& workers)
      : sample_(SampleRows(table, bound, most_rows, plan.seed)),
        plan_(plan),
        task_(task),
        workers_(workers),
        splits_(task == Task::kNone ? 1 : kSplits),
        limit_(static_cast<size_t>(plan.method_options.Integer("auto-trials", 0))) {
    options_.k = {plan.requirement.k};
    options_.l = {plan.requirement.l};
    options_.seeds = splits_;
    options_.test_share = kTestShare;
    options_.clusters = static_cast<uint32_t>(std::min<size_t>(options_.clusters, sample_.num_rows()));
    if (task == Task::kRegression) options_.learners = {Learner::kTree, Learner::kRidge};
    for (const auto& [text, reading] : Portfolio(task_)) {
      const auto method = ParseGridMethod(text);
      if (method.ok() && Serves(*method)) trials_.push_back({std::string(text), std::string(reading)});
    }
    results_.resize(trials_.size() * splits_);
  }

  std::vector<AutoTrial> Run(Progress& progress) {
    progress.Begin("auto", results_.size());
    for (size_t split = 0; split < splits_; ++split) {
      std::vector<size_t> places;
      for (size_t trial = 0; trial < trials_.size(); ++trial) {
        if (!trials_[trial].stopped && MayStart(trial)) places.push_back(trial * splits_ + split);
      }
      RunAll(places, progress);
      if (split + 1 < splits_) StopHopeless(split + 1, progress);
    }
    for (size_t trial = 0; trial < trials_.size(); ++trial) SumUp(trial);
    return std::move(trials_);
  }

 private:
  bool Serves(const GridMethod& method) const {
    Plan own = plan_;
    own.method = method.name;
    own.method_options = method.options;
    own.task = task_;
    return CheckMethod(own).ok();
  }

  // As many as can have every split; the first one whatever the limit, so that there is one to take. That does not depend on how fast
  // any of them is.
  bool MayStart(size_t trial) const { return trial == 0 || limit_ == 0 || trial < limit_ / splits_; }

  void RunAll(const std::vector<size_t>& places, Progress& progress) {
    std::mutex mutex;
    const auto one = [&](size_t i) {
      workers_.Poll();
      const size_t trial = places[i] / splits_;
      const auto begun = std::chrono::steady_clock::now();
      SplitResult result = task_ == Task::kNone ? TryLoss(trial) : TryUtility(trial, places[i] % splits_);
      result.ran = true;
      result.seconds = SecondsSince(begun);
      results_[places[i]] = std::move(result);
      std::lock_guard lock(mutex);
      progress.Advance(1);
    };
    if (task_ == Task::kNone) {  // a release takes all threads itself
      for (size_t i = 0; i < places.size(); ++i) one(i);
    } else {
      workers_.For(places.size(), one);
    }
  }

  SplitResult TryUtility(size_t trial, size_t split) const {
    EvaluateOptions options = options_;
    options.methods = {ParseGridMethod(trials_[trial].method).value()};
    if (trials_[trial].reading == kDecoded) options.encoding = Encoding::kDraw;
    const GridUnit unit{0, plan_.requirement.k, plan_.requirement.l, plan_.seed + split};
    const Result<std::vector<EvaluateRow>> rows = EvaluateUnit(sample_, plan_, options, unit, workers_);
    SplitResult result;
    if (!rows.ok()) result.problem = rows.error().message;
    if (!rows.ok()) return result;
    for (const EvaluateRow& row : *rows) {
      if (!row.problem.empty()) result.problem = row.problem;
      result.utility += row.metric(MainMetric(task_)) / static_cast<double>(rows->size());
      result.ncp = row.ncp;
    }
    // Nothing to go by, as when all rows that were left out have one number for a label.
    if (result.problem.empty() && !std::isfinite(result.utility)) result.problem = "the models have no figure";
    return result;
  }

  SplitResult TryLoss(size_t trial) const {
    const GridMethod method = ParseGridMethod(trials_[trial].method).value();
    Plan own = plan_;
    own.method = method.name;
    own.method_options = method.options;
    NoProgress progress;
    const Result<Anonymized> made = Anonymize(sample_, own, workers_, progress);
    SplitResult result;
    result.utility = kNaN;
    result.ncp = made.ok() ? Score(made->release, workers_).ncp : kNaN;
    if (!made.ok()) result.problem = made.error().message;
    return result;
  }

  double MeanUtility(size_t trial, size_t splits) const {
    double sum = 0;
    for (size_t split = 0; split < splits; ++split) sum += results_[trial * splits_ + split].utility;
    return sum / static_cast<double>(splits);
  }

  // A method that is behind the best by more than two standard errors of a share gets no other split. Differences between methods
  // vary by about one from split to split.
  void StopHopeless(size_t splits, Progress& progress) {
    const double margin = 1 / std::sqrt(std::max(1.0, kTestShare * static_cast<double>(sample_.num_rows())));
    const auto at = [&](size_t trial) -> const SplitResult& { return results_[trial * splits_ + splits - 1]; };
    double best = -std::numeric_limits<double>::infinity();
    for (size_t trial = 0; trial < trials_.size(); ++trial) {
      if (at(trial).ran && at(trial).problem.empty()) best = std::max(best, MeanUtility(trial, splits));
    }
    for (size_t trial = 1; trial < trials_.size(); ++trial) {
      if (!at(trial).ran || (at(trial).problem.empty() && MeanUtility(trial, splits) >= best - margin)) continue;
      trials_[trial].stopped = true;
      progress.Advance(splits_ - splits);
    }
  }

  void SumUp(size_t trial) {
    AutoTrial& one = trials_[trial];
    double count = 0;
    for (size_t split = 0; split < splits_; ++split) {
      const SplitResult& result = results_[trial * splits_ + split];
      if (!result.ran) continue;
      if (!result.problem.empty()) one.problem = result.problem;
      one.utility += result.utility;
      one.by_split.push_back(result.utility);
      one.ahead += result.utility - results_[split].utility;
      one.ncp += result.ncp;
      one.seconds += result.seconds;
      count += 1;
    }
    one.tried = one.stopped || count == splits_;
    one.utility = count > 0 && one.problem.empty() ? one.utility / count : kNaN;
    one.ahead = one.problem.empty() && trials_.front().problem.empty() ? one.ahead / count : kNaN;
    one.ncp = count > 0 && one.problem.empty() ? one.ncp / count : kNaN;
  }

  Table sample_;
  const Plan& plan_;
  Task task_;
  const Workers& workers_;
  uint32_t splits_;
  size_t limit_;
  EvaluateOptions options_;
  std::vector<AutoTrial> trials_;
  std::vector<SplitResult> results_;  // split by split of each trial
};

bool MayBeTaken(const AutoTrial& trial) { return trial.tried && !trial.stopped && trial.problem.empty(); }

// Whether a is the better choice.
bool Better(const AutoTrial& a, const AutoTrial& b, bool by_utility) {
  if (!MayBeTaken(a) || !MayBeTaken(b)) return MayBeTaken(a) && !MayBeTaken(b);
  if (by_utility && std::abs(a.utility - b.utility) > 1e-12) return a.utility > b.utility;
  return a.ncp < b.ncp;
}

std::string Remark(const AutoTrial& trial) {
  if (trial.chosen) return "chosen";
  if (!trial.tried) return "not tried to the end: the budget of trials was used up";
  if (!trial.problem.empty()) return trial.problem;
  return trial.stopped ? "too far behind for more splits" : "";
}

NoteSection Describe(const std::vector<AutoTrial>& trials, Task task, size_t rows) {
  const bool by_utility = task != Task::kNone;
  const std::string metric(MetricName(MainMetric(task)));
  NoteSection section{.key = "auto", .title = "How the method was chosen", .raw = true};
  DataTable table{{"method", by_utility ? "read as" : "", by_utility ? metric : "",
                   by_utility ? "ahead of the first" : "", "splits", "NCP", "seconds", ""},
                  {},
                  {false, false, true, true, true, true, true, false}};
  Fact::List facts;
  for (const AutoTrial& trial : trials) {
    const auto known = [&](double value) { return trial.tried && trial.problem.empty() && !std::isnan(value); };
    const auto number = [&](double value) { return known(value) ? fmt::format("{:.4f}", value) : ""; };
    const auto fact = [&](double value) { return known(value) ? Fact(value) : Fact(); };
    const std::string remark = Remark(trial);
    const size_t splits = trial.by_split.size();
    table.rows.push_back({trial.method, by_utility ? trial.reading : "", number(trial.utility), number(trial.ahead),
                          fmt::format("{}", splits), number(trial.ncp),
                          trial.tried ? fmt::format("{:.2f}", trial.seconds) : "", remark});
    section.text +=
        fmt::format("{:24} {:8} {} {:>8}  ahead {:>8} on {}  NCP {:>8}  {}\n", trial.method, trial.reading, metric,
                    number(trial.utility), number(trial.ahead), Plural(splits, "split"), number(trial.ncp), remark);
    facts.push_back(FactMap()
                        .Add("method", trial.method)
                        .Add("reading", trial.reading)
                        .Add("tried", trial.tried)
                        .Add("chosen", trial.chosen)
                        .Add("stopped", trial.stopped)
                        .Add("splits", splits)
                        .Add("utility", fact(trial.utility))
                        .Add("ahead_of_first", fact(trial.ahead))
                        .Add("ncp", fact(trial.ncp))
                        .Add("problem", trial.problem));
  }
  section.facts = FactMap()
                      .Add("looked_at_the_data", true)
                      .Add("rows_tried", rows)
                      .Add("splits", by_utility ? kSplits : 0u)
                      .Add("metric", by_utility ? metric : "ncp")
                      .Add("trials", std::move(facts));
  section.blocks = {{by_utility ? "The choice itself looked at the data: each method released training rows of this "
                                  "table, and models that learned from them were tested on the rest. Which method was "
                                  "best is a fact about the table that the release now tells."
                                : "The choice itself looked at the data: each method released a sample of this table, "
                                  "and the one that lost least was taken. Which method was best is a fact about the "
                                  "table that the release now tells."},
                    {std::move(table)}};
  return section;
}

}  // namespace

std::vector<size_t> Ranked(const std::vector<AutoTrial>& trials, bool by_utility) {
  std::vector<size_t> ranked(trials.size());
  std::iota(ranked.begin(), ranked.end(), size_t{0});
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](size_t a, size_t b) { return Better(trials[a], trials[b], by_utility); });
  return ranked;
}

Result<AutoChoice> ChooseMethod(const Table& table, const Plan& plan, const Workers& workers, Progress& progress) {
  Plan any = plan;
  any.method = "mondrian";
  any.method_options = {};
  TADA_TRY(bound, BindPlan(any, table));
  Plan everybody = plan;  // who leaves is decided when it is known how groups are formed
  everybody.withhold = 0;
  // More labels than one, or a label to predict that is none: nothing to validate by.
  Task task = bound.task != Task::kClustering && bound.roles.label.size() != 1 ? Task::kNone : bound.task;
  AutoChoice choice;
  size_t tried = std::min(table.num_rows(), kMostRows);
  choice.trials = Chooser(table, everybody, bound, task, tried, workers).Run(progress);
  if (std::none_of(choice.trials.begin(), choice.trials.end(), MayBeTaken)) {
    // Rows held back for tests, and those beside a sample, are missing: what the others cannot meet, all rows may.
    task = Task::kNone;
    tried = table.num_rows();
    choice.trials = Chooser(table, everybody, bound, task, tried, workers).Run(progress);
  }
  if (choice.trials.empty()) return Infeasible("No method serves the task on this table");
  choice.task = task;
  choice.rows = tried;
  choice.ranked = Ranked(choice.trials, task != Task::kNone);
  Take(plan, choice.ranked.front(), choice);
  return choice;
}

void Take(const Plan& plan, size_t taken, AutoChoice& choice) {
  for (size_t trial = 0; trial < choice.trials.size(); ++trial) choice.trials[trial].chosen = trial == taken;
  const GridMethod method = ParseGridMethod(choice.trials[taken].method).value();
  choice.plan = plan;
  choice.plan.method = method.name;
  choice.plan.method_options = method.options;
  choice.section = Describe(choice.trials, choice.task, choice.rows);
}

Result<Anonymized> AnonymizeOrChoose(const Table& table, Plan& plan, const Workers& workers, Progress& progress,
                                     bool save_cuts) {
  if (plan.method != "auto") return Anonymize(table, plan, workers, progress, save_cuts);
  const auto start = std::chrono::steady_clock::now();
  TADA_TRY(choice, ChooseMethod(table, plan, workers, progress));
  const double spent = SecondsSince(start);
  // What a sample could meet all rows may not, and the other way round: the next best has its turn.
  const Plan asked = plan;
  std::optional<Error> refused;
  for (const size_t trial : choice.ranked) {
    Take(asked, trial, choice);
    Result<Anonymized> made = Anonymize(table, choice.plan, workers, progress, save_cuts);
    if (!made.ok() && made.error().code != ErrorCode::kInfeasible) return made;
    if (!made.ok() && !refused) refused = made.error();
    if (!made.ok()) continue;
    plan = std::move(choice.plan);
    made->seconds.insert(made->seconds.begin(), {"auto", spent});
    made->notes.sections.insert(made->notes.sections.begin(), std::move(choice.section));
    return made;
  }
  return *refused;
}

}  // namespace tada
