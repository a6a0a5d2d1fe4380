#include "evaluate/auto_method.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/random.h"
#include "draw/html_text.h"
#include "run/methods.h"
#include "score/scorecard.h"
#include "table/select_rows.h"

namespace tada {
namespace {

constexpr size_t kMostRows = 20'000;
constexpr uint32_t kSplits = 3;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// In the order in which they are tried: the quickest and likeliest first, so that a limit of time cuts off the others.
std::vector<std::string> Portfolio(Task task) {
  switch (task) {
    case Task::kClassification:
      return {"mondrian", "ta_da:split=binary", "ta_da:split=multiway", "infogain", "target_weighted", "dop",
              "compact"};
    case Task::kRegression:
      return {"mondrian", "ta_da", "regression", "dop", "compact"};
    case Task::kClustering:
      return {"mondrian", "ta_da", "dop", "compact"};
    case Task::kNone:
      return {"mondrian", "dop", "compact"};
  }
  return {};
}

Table SampleRows(const Table& table, uint64_t seed) {
  std::vector<RowId> rows(table.num_rows());
  std::iota(rows.begin(), rows.end(), RowId{0});
  if (rows.size() > kMostRows) {
    Random random(MixSeed(seed, 0xa070));
    random.Shuffle(std::span(rows));
    rows.resize(kMostRows);
    std::sort(rows.begin(), rows.end());
  }
  return SelectRows(table, rows);
}

class Chooser {
 public:
  Chooser(const Table& table, const Plan& plan, Task task, const Workers& workers)
      : sample_(SampleRows(table, plan.seed)), plan_(plan), task_(task), workers_(workers) {
    options_.k = {plan.requirement.k};
    options_.l = {plan.requirement.l};
    options_.seeds = kSplits;
    if (task == Task::kRegression) options_.learners = {Learner::kRidge};
  }

  std::vector<AutoTrial> Run(Progress& progress) {
    std::vector<AutoTrial> trials;
    for (const std::string& text : Portfolio(task_)) {
      const auto method = ParseGridMethod(text);
      if (method.ok() && Serves(*method)) trials.push_back({text});
    }
    const double limit = plan_.method_options.Real("auto-seconds", 0);
    const auto start = std::chrono::steady_clock::now();
    progress.Begin("auto", trials.size());
    for (AutoTrial& trial : trials) {
      const auto begun = std::chrono::steady_clock::now();
      const double spent = std::chrono::duration<double>(begun - start).count();
      if (limit > 0 && spent >= limit && &trial != &trials.front()) break;
      workers_.Poll();
      trial.tried = true;
      task_ == Task::kNone ? TryLoss(trial) : TryUtility(trial);
      trial.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
      progress.Advance(1);
    }
    return trials;
  }

 private:
  bool Serves(const GridMethod& method) const {
    Plan own = plan_;
    own.method = method.name;
    own.method_options = method.options;
    own.task = task_;
    return CheckMethod(own).ok();
  }

  void TryUtility(AutoTrial& trial) {
    EvaluateOptions options = options_;
    options.methods = {ParseGridMethod(trial.method).value()};
    const std::vector<GridUnit> units = GridUnits(plan_, options);
    std::vector<std::vector<EvaluateRow>> found(units.size());
    std::vector<std::string> problems(units.size());
    workers_.For(units.size(), [&](size_t i) {
      Result<std::vector<EvaluateRow>> rows = EvaluateUnit(sample_, plan_, options, units[i], nullptr);
      if (!rows.ok()) problems[i] = rows.error().message;
      if (rows.ok()) found[i] = std::move(rows).value();
    });
    double sum = 0, loss = 0, count = 0;
    for (size_t i = 0; i < units.size(); ++i) {
      if (!problems[i].empty()) trial.problem = problems[i];
      for (const EvaluateRow& row : found[i]) {
        if (!row.problem.empty()) trial.problem = row.problem;
        sum += row.metric(MainMetric(task_));
        loss += row.ncp;
        count += 1;
      }
    }
    trial.utility = count > 0 && trial.problem.empty() ? sum / count : kNaN;
    trial.ncp = count > 0 ? loss / count : kNaN;
  }

  void TryLoss(AutoTrial& trial) {
    const GridMethod method = ParseGridMethod(trial.method).value();
    Plan own = plan_;
    own.method = method.name;
    own.method_options = method.options;
    NoProgress progress;
    Result<Anonymized> made = Anonymize(sample_, own, workers_, progress);
    trial.utility = kNaN;
    trial.ncp = made.ok() ? Score(made->release, workers_).ncp : kNaN;
    if (!made.ok()) trial.problem = made.error().message;
  }

  Table sample_;
  const Plan& plan_;
  Task task_;
  const Workers& workers_;
  EvaluateOptions options_;
};

// Whether a is the better choice.
bool Better(const AutoTrial& a, const AutoTrial& b, bool by_utility) {
  if (!b.tried || !b.problem.empty()) return a.tried && a.problem.empty();
  if (!a.tried || !a.problem.empty()) return false;
  if (by_utility && std::abs(a.utility - b.utility) > 1e-12) return a.utility > b.utility;
  return a.ncp < b.ncp;
}

StageNotes::Section Describe(const std::vector<AutoTrial>& trials, Task task, size_t rows) {
  const std::string metric(MetricName(MainMetric(task)));
  StageNotes::Section section;
  section.key = "auto";
  section.title = "How the method was chosen";
  HtmlTable table{
      {"method", task == Task::kNone ? "" : metric, "NCP", "seconds", ""}, {}, {false, true, true, true, false}};
  nlohmann::ordered_json json = {{"looked_at_the_data", true},
                                 {"rows_tried", std::min(rows, kMostRows)},
                                 {"splits", task == Task::kNone ? 0u : kSplits},
                                 {"metric", task == Task::kNone ? "ncp" : metric},
                                 {"trials", nlohmann::ordered_json::array()}};
  for (const AutoTrial& trial : trials) {
    const bool has_result = trial.tried && trial.problem.empty();
    const auto number = [&](double value) {
      return has_result && !std::isnan(value) ? fmt::format("{:.4f}", value) : "";
    };
    const std::string remark = trial.chosen ? "chosen" : !trial.tried ? "not tried: the time was over" : trial.problem;
    table.rows.push_back({trial.method, number(trial.utility), number(trial.ncp),
                          trial.tried ? fmt::format("{:.2f}", trial.seconds) : "", remark});
    section.text += fmt::format("{:24} {} {:>8}  NCP {:>8}  {}\n", trial.method, metric, number(trial.utility),
                                number(trial.ncp), remark);
    json["trials"].push_back(
        {{"method", trial.method},
         {"tried", trial.tried},
         {"chosen", trial.chosen},
         {"utility", has_result && !std::isnan(trial.utility) ? nlohmann::ordered_json(trial.utility)
                                                              : nlohmann::ordered_json(nullptr)},
         {"ncp", has_result ? nlohmann::ordered_json(trial.ncp) : nlohmann::ordered_json(nullptr)},
         {"problem", trial.problem}});
  }
  section.html =
      "<p>The choice itself looked at the data: each method released training rows of this table, and models that "
      "learned from them were tested on the rest. Which method was best is a fact about the table that the release "
      "now tells.</p>" +
      ToHtml(table);
  section.json = json.dump();
  return section;
}

}  // namespace

Result<AutoChoice> ChooseMethod(const Table& table, const Plan& plan, const Workers& workers, Progress& progress) {
  Plan any = plan;
  any.method = "mondrian";
  any.method_options = {};
  TADA_TRY(bound, BindPlan(any, table));
  // More labels than one, or a label to predict that is none: nothing to validate by.
  const Task task = bound.task != Task::kClustering && bound.roles.label.size() != 1 ? Task::kNone : bound.task;
  AutoChoice choice;
  choice.trials = Chooser(table, plan, task, workers).Run(progress);
  const auto best =
      std::min_element(choice.trials.begin(), choice.trials.end(),
                       [&](const AutoTrial& a, const AutoTrial& b) { return Better(a, b, task != Task::kNone); });
  if (best == choice.trials.end() || !best->tried || !best->problem.empty()) {
    return Infeasible("No method can meet the requirement on this table: {}",
                      best == choice.trials.end() ? "none serves the task" : best->problem);
  }
  best->chosen = true;
  const GridMethod method = ParseGridMethod(best->method).value();
  choice.plan = plan;
  choice.plan.method = method.name;
  choice.plan.method_options = method.options;
  choice.section = Describe(choice.trials, task, table.num_rows());
  return choice;
}

Result<Anonymized> AnonymizeOrChoose(const Table& table, Plan& plan, const Workers& workers, Progress& progress) {
  if (plan.method != "auto") return Anonymize(table, plan, workers, progress);
  const auto start = std::chrono::steady_clock::now();
  TADA_TRY(choice, ChooseMethod(table, plan, workers, progress));
  const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  plan = std::move(choice.plan);
  TADA_TRY(made, Anonymize(table, plan, workers, progress));
  made.seconds.insert(made.seconds.begin(), {"auto", spent});
  made.notes.sections.insert(made.notes.sections.begin(), std::move(choice.section));
  return made;
}

}  // namespace tada
