#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "base/option_mark.h"
#include "evaluate/evaluate.h"
#include "evaluate/judged_before.h"
#include "evaluate/split_rows.h"
#include "plan/methods.h"

namespace tada {
namespace {

constexpr std::string_view kMetricNames[kNumMetrics] = {
    "accuracy", "f1_macro", "balanced_accuracy", "log_loss", "auc", "r2", "rmse", "ari", "nmi"};

Status CheckExternal(const ExternalMethod& method, Task task, const EvaluateOptions& options) {
  if (task == Task::kClustering) {
    return InvalidArgument(TADA_OPTION("task=clustering") " compares releases of ours only, not: {}", method.name)
        .WithHint("Clusters are compared row by row, and a release does not say which row is whose.");
  }
  if (options.encoding == Encoding::kDraw || options.encoding == Encoding::kModel) {
    return InvalidArgument(TADA_OPTION("encoding={}") " draws from releases of ours only, not: {}",
                           EncodingName(options.encoding), method.name)
        .WithHint("Use " TADA_OPTION("encoding=direct") ", multi-hot or expected.");
  }
  if (!method.whole_table_only || options.protocol == Protocol::kReleasedTest) return Ok();
  return InvalidArgument(TADA_OPTION("release={}") " is a release of the whole table: no rows are left to test on",
                         method.name)
      .WithHint("Add " TADA_OPTION("protocol=released-test") ".");
}

Status CheckLearner(Learner learner, Task task, const EvaluateOptions& options) {
  if (IsOutside(learner) && !options.outside) {
    return InvalidArgument(TADA_OPTION("learners={}") " is scikit-learn's, which is there in Python only",
                           LearnerName(learner))
        .WithHint("Call tada.evaluate(..., learners=[...]) in Python, with scikit-learn installed.");
  }
  if (task == Task::kRegression ? PredictsNumbers(learner) : PredictsLabels(learner)) return Ok();
  return InvalidArgument(TADA_OPTION("learners={}") " does not serve the task {}", LearnerName(learner), TaskName(task))
      .WithHint(task == Task::kRegression ? "For a numeric label: " TADA_OPTION("learners=tree,ridge") "."
                                          : "There are: tree, bayes, logistic, svm, svm_rbf.");
}

Status CheckMethods(const Plan& plan, Task task, const EvaluateOptions& options) {
  for (const GridMethod& method : options.methods) {
    if (method.name == "raw") continue;
    if (method.external) {
      TADA_CHECK_OK(CheckExternal(options.externals[*method.external], task, options));
      continue;
    }
    Plan own = plan;
    own.method = method.name;
    own.method_options = method.options;
    own.requirement.l = 1;
    own.task = task;
    TADA_CHECK_OK(CheckMethod(own));
  }
  return Ok();
}

// Whether there is something to predict, by these models, and rows enough.
Status CheckModels(const Table& table, const BoundPlan& bound, const EvaluateOptions& options) {
  if (bound.roles.label.size() != 1) {
    return InvalidArgument("evaluate judges one label, not {}", bound.roles.label.size());
  }
  for (const Learner learner : options.learners) TADA_CHECK_OK(CheckLearner(learner, bound.task, options));
  if (static_cast<double>(table.num_rows()) * options.test_share >= 1) return Ok();
  return TooFewRows(table.num_rows(), options.test_share);
}

Status CheckClusters(const Table& table, const EvaluateOptions& options) {
  if (table.num_rows() >= options.clusters) return Ok();
  return Infeasible("Fewer rows than clusters to compare: rows={}, " TADA_OPTION("raw-clusters={}"), table.num_rows(),
                    options.clusters)
      .WithHint(fmt::format("Give " TADA_OPTION("raw-clusters") " of at most {}.", table.num_rows()));
}

// The options behind a method's name: `ta_da:split=binary:prune=0.25`.
void ReadGridOptions(std::string_view text, OptionValues& options) {
  while (true) {
    const std::string_view option = text.substr(0, text.find(':'));
    const size_t equals = option.find('=');
    const std::string value(equals == std::string_view::npos ? "true" : option.substr(equals + 1));
    options.Set(option.substr(0, equals), {value});
    if (option.size() == text.size()) return;
    text.remove_prefix(option.size() + 1);
  }
}

}  // namespace

Result<GridMethod> ParseGridMethod(std::string_view text) {
  GridMethod method;
  method.text = text;
  method.name = text.substr(0, text.find(':'));
  if (method.name.size() < text.size()) ReadGridOptions(text.substr(method.name.size() + 1), method.options);
  if (method.name == "raw") return method;
  const std::vector<std::string> known = MethodNames();
  if (std::ranges::find(known, method.name) != known.end()) return method;
  const auto nearest = NearestName(method.name, known);
  return InvalidArgument(TADA_OPTION("methods") " names a method that does not exist: {}", method.name)
      .WithHint(nearest ? fmt::format("Did you mean {}?", *nearest)
                        : fmt::format("Methods are: raw, {}.", fmt::join(known, ", ")));
}

std::string_view ProtocolName(Protocol protocol) {
  return protocol == Protocol::kRawTest ? "raw-test" : "released-test";
}

std::string_view MetricName(Metric metric) { return kMetricNames[static_cast<size_t>(metric)]; }

std::pair<double, double> MetricRange(Metric metric) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  switch (metric) {
    case Metric::kLogLoss:
    case Metric::kRmse:
      return {0, kInfinite};
    case Metric::kR2:
      return {-kInfinite, 1};
    case Metric::kAri:
      return {-1, 1};
    default:
      return {0, 1};
  }
}

Metric MainMetric(Task task) {
  return task == Task::kClustering ? Metric::kAri : task == Task::kRegression ? Metric::kR2 : Metric::kF1Macro;
}

std::vector<GridUnit> GridUnits(const Plan& plan, const EvaluateOptions& options) {
  std::vector<GridUnit> units;
  for (uint64_t seed = plan.seed; seed < plan.seed + options.seeds; ++seed) {
    for (size_t method = 0; method < options.methods.size(); ++method) {
      if (options.methods[method].name == "raw") {
        units.push_back({method, 0, 0, seed});
        continue;
      }
      for (const int64_t l : options.l) {
        for (const int64_t k : options.k) units.push_back({method, k, l, seed});
      }
    }
  }
  return units;
}

Status CheckGrid(const Table& table, const Plan& plan, const EvaluateOptions& options) {
  TADA_TRY(bound, BindGrid(plan, table));
  if (bound.task == Task::kNone) {
    return InvalidArgument(TADA_OPTION("label") " is missing: what will a model predict?")
        .WithHint("Name a column with " TADA_OPTION("label") ", or use " TADA_OPTION("task=clustering") ".");
  }
  TADA_CHECK_OK(bound.task == Task::kClustering ? CheckClusters(table, options) : CheckModels(table, bound, options));
  return CheckMethods(plan, bound.task, options);
}

Status RunGrid(const Table& table, const Plan& plan, const EvaluateOptions& options, const std::vector<GridUnit>& units,
               const Cancel* cancel, Progress& progress,
               const std::function<Status(const GridUnit&, const std::vector<EvaluateRow>&)>& done) {
  // Cells, features of a linear model and a tree's pieces take about 160 bytes per value.
  const double unit = static_cast<double>(table.num_rows()) * table.num_columns() * 160 + 20e6;
  const Workers threads(plan.threads, cancel);
  const auto fitting = static_cast<int>(std::min(static_cast<double>(options.memory) / unit, 1e6));
  const Workers workers(std::clamp(fitting, 1, threads.threads()), cancel);
  progress.Begin("evaluate", units.size());
  std::mutex mutex;
  Status first;
  JudgedBefore before;
  workers.For(units.size(), [&](size_t i) {
    {
      std::lock_guard lock(mutex);
      if (!first.ok()) return;
    }
    Result<std::vector<EvaluateRow>> rows = EvaluateUnit(table, plan, options, units[i], workers, &before);
    std::lock_guard lock(mutex);
    if (!first.ok()) return;
    first = rows.ok() ? done(units[i], *rows) : Status(std::move(rows).error());
    progress.Advance(1);
  });
  return first;
}

}  // namespace tada
