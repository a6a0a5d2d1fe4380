#include "evaluate/evaluate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <unordered_map>

#include "base/option_mark.h"
#include "base/random.h"
#include "decode/decode.h"
#include "evaluate/auto_method.h"
#include "evaluate/clusters.h"
#include "evaluate/features.h"
#include "learn/metrics.h"
#include "plan/methods.h"
#include "run/anonymize/anonymize.h"
#include "run/audit/audit_release.h"
#include "run/inspect/people.h"
#include "score/scorecard.h"
#include "table/select_rows.h"

namespace tada {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kMetricNames[kNumMetrics] = {
    "accuracy", "f1_macro", "balanced_accuracy", "log_loss", "auc", "r2", "rmse", "ari", "nmi"};

using Clock = std::chrono::steady_clock;
double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct TrainTest {
  std::vector<RowId> train, test;
};

Error TooFewRows(size_t rows, double test_share) {
  const double least = std::ceil(1 / test_share);
  return Infeasible("Too few rows to learn from and to test on: rows={}, at least {:.0f}, better a hundred", rows,
                    least);
}

// The rows of each person who is named by these columns.
std::vector<std::vector<RowId>> RowsOfPeople(const Table& table, const std::vector<ColumnId>& person) {
  const PeopleOfRows people = FindPeople(table, person);
  std::vector<std::vector<RowId>> rows(people.count);
  for (RowId row = 0; row < table.num_rows(); ++row) rows[people.of_row[row]].push_back(row);
  return rows;
}

// Gives every first row all rows of its person.
void AddOtherRows(const std::vector<std::vector<RowId>>& of_person, std::vector<RowId>& rows) {
  std::unordered_map<RowId, size_t> person_of;
  for (size_t i = 0; i < of_person.size(); ++i) person_of.emplace(of_person[i].front(), i);
  std::vector<RowId> all;
  for (const RowId first : rows) {
    const auto& others = of_person[person_of.at(first)];
    all.insert(all.end(), others.begin(), others.end());
  }
  rows = std::move(all);
}

// Splits the rows of every label by themselves, so that both parts have all labels in proportion. People who have several rows are
// split by their first one: a model is not tested on people whom it has learned from.
TrainTest SplitRows(const Table& table, const BoundPlan& bound, bool regression, double test_share, uint64_t seed) {
  const Column& label = table.column(bound.roles.label.front());
  std::vector<std::vector<RowId>> of_person;
  if (!bound.person.empty()) of_person = RowsOfPeople(table, bound.person);
  std::vector<std::vector<RowId>> strata(regression ? 1 : label.num_values());
  const auto deal = [&](RowId row) { strata[regression ? 0 : label.value_id(label.codes()[row])].push_back(row); };
  for (const std::vector<RowId>& rows : of_person) deal(rows.front());
  for (RowId row = 0; row < table.num_rows() && of_person.empty(); ++row) deal(row);
  TrainTest parts;
  Random random(MixSeed(seed, 0x7e57));
  for (std::vector<RowId>& rows : strata) {
    random.Shuffle(std::span(rows));
    // Rounded by a draw, so that labels with few rows are in the test part as often as they should.
    const auto test = static_cast<size_t>(static_cast<double>(rows.size()) * test_share + random.Unit());
    parts.test.insert(parts.test.end(), rows.begin(), rows.begin() + static_cast<ptrdiff_t>(test));
    parts.train.insert(parts.train.end(), rows.begin() + static_cast<ptrdiff_t>(test), rows.end());
  }
  if (!bound.person.empty()) AddOtherRows(of_person, parts.train), AddOtherRows(of_person, parts.test);
  std::sort(parts.train.begin(), parts.train.end());
  std::sort(parts.test.begin(), parts.test.end());
  return parts;
}

// People of the group that has fewest, or rows.
uint64_t ReachedK(const Anonymized& made, const Table& table, uint64_t rows) {
  if (made.bound.person.empty()) return rows;
  const PeopleOfRows people = FindPeople(table, made.bound.person);
  uint64_t least = UINT64_MAX;
  for (GroupId group = 0; group < made.groups.num_groups(); ++group) {
    std::set<uint32_t> members;
    for (const RowId row : made.groups.rows(group)) members.insert(people.of_row[row]);
    least = std::min<uint64_t>(least, members.size());
  }
  return least == UINT64_MAX ? 0 : least;
}

uint64_t ReachedL(const Anonymized& made, const Table& table) {
  std::optional<uint64_t> least;
  for (const CountedColumn& counted : CountedColumns(table, made.bound.roles.sensitive, made.requirement)) {
    const Codes& codes = table.column(counted.column).codes();
    for (GroupId group = 0; group < made.groups.num_groups(); ++group) {
      std::set<Code> values;
      for (const RowId row : made.groups.rows(group)) values.insert(counted.mark_of_code[codes[row]]);
      if (counted.uncounted) values.erase(*counted.uncounted);
      least = std::min<uint64_t>(least.value_or(UINT64_MAX), values.size());
    }
  }
  return least.value_or(0);
}

Plan UnitPlan(const Plan& plan, const EvaluateOptions& options, const GridUnit& unit) {
  Plan own = plan;
  own.method = options.methods[unit.method].name;
  own.method_options = options.methods[unit.method].options;
  own.requirement.k = unit.k;
  own.requirement.l = unit.l;
  own.seed = unit.seed;
  own.threads = 1;
  return own;
}

void Judge(const Predictions& made, const CellTable& test, EvaluateRow& row) {
  const auto set = [&](Metric metric, double value) { row.metrics[static_cast<size_t>(metric)] = value; };
  if (!made.numbers.empty()) {
    set(Metric::kR2, R2(test.targets, made.numbers));
    set(Metric::kRmse, Rmse(test.targets, made.numbers));
    return;
  }
  set(Metric::kAccuracy, Accuracy(test.labels, made.labels));
  set(Metric::kF1Macro, F1Macro(test.labels, made.labels, test.num_labels));
  set(Metric::kBalancedAccuracy, BalancedAccuracy(test.labels, made.labels, test.num_labels));
  if (made.probabilities.empty()) return;
  set(Metric::kLogLoss, LogLoss(test.labels, made.probabilities, test.num_labels));
  set(Metric::kAuc, Auc(test.labels, made.probabilities, test.num_labels));
}

// What is left of a unit that only its release knows.
void DescribeRelease(const Anonymized& made, const Table& table, const Workers& workers, EvaluateRow& row) {
  const Scorecard score = Score(made.release, workers);
  row.ncp = score.ncp;
  row.discernibility = score.discernibility;
  row.reached_k = ReachedK(made, table, score.smallest_group);
  row.groups = score.groups;
  row.reached_l = ReachedL(made, table);
}

// Why a release of others is not compared; no cell stands in it.
std::string AuditProblem(const Verdict& verdict) {
  if (verdict.breaking_classes > 0) {
    return fmt::format("the audit fails: {} of {} classes break the requirement (k={}, l={})", verdict.breaking_classes,
                       verdict.classes, verdict.k, verdict.l);
  }
  std::vector<std::string> false_columns;
  for (const ColumnCover& cover : verdict.cover) {
    if (!cover.covered) false_columns.push_back(cover.column);
  }
  if (false_columns.empty()) return "the audit fails: released rows cannot stand for original ones";
  return fmt::format("the audit fails: cells do not cover the original in {}", fmt::join(false_columns, ", "));
}

struct Judged {
  CellTable train, test;
};

// Rows of a table that are released.
std::vector<RowId> Released(std::vector<RowId> rows, const Anonymized& made) {
  std::erase_if(rows, [&](RowId row) { return std::ranges::binary_search(made.withheld, row); });
  return rows;
}

// The same of cells, perhaps several copies of all rows, one behind the other.
CellTable Released(CellTable cells, const Anonymized& made) {
  if (made.withheld.empty()) return cells;
  std::vector<RowId> rows;
  const size_t of_table = made.release.group_of_row.size();
  for (size_t row = 0; row < cells.num_rows; ++row) {
    if (!std::ranges::binary_search(made.withheld, static_cast<RowId>(row % of_table)))
      rows.push_back(static_cast<RowId>(row));
  }
  return SelectCells(cells, rows);
}

class UnitRunner {
 public:
  UnitRunner(const Table& table, const Plan& plan, const EvaluateOptions& options, const GridUnit& unit,
             const Workers& workers)
      : table_(table),
        options_(options),
        unit_(unit),
        plan_(UnitPlan(plan, options, unit)),
        workers_(workers.Alone()) {}

  Result<std::vector<EvaluateRow>> Run(const BoundPlan& bound) {
    bound_ = &bound;
    row_.method = options_.methods[unit_.method].text;
    row_.k = unit_.k;
    row_.l = unit_.l;
    row_.seed = unit_.seed;
    row_.metrics.fill(kNaN);
    const bool clustering = bound.task == Task::kClustering;
    Result<std::vector<EvaluateRow>> rows = clustering ? RunClusters() : RunModels();
    if (rows.ok() || rows.error().code != ErrorCode::kInfeasible) return rows;
    row_.problem = OnCommandLine(rows.error().message);  // an answer, too
    std::vector<EvaluateRow> failed;
    for (const std::string& judge : Judges(clustering)) {
      failed.push_back(row_);
      failed.back().learner = judge;
    }
    return failed;
  }

 private:
  bool is_raw() const { return row_.method == "raw"; }
  bool regression() const { return bound_->task == Task::kRegression; }

  std::vector<std::string> Judges(bool clustering) const {
    if (clustering) return {"assign", "warm"};
    std::vector<std::string> names;
    for (const Learner learner : options_.learners) names.emplace_back(LearnerName(learner));
    return names;
  }

  Result<Anonymized> Release(const Table& table) {
    const auto start = Clock::now();
    NoProgress progress;
    Plan own = plan_;  // `auto` is replaced by what it chose on these rows
    TADA_TRY(made, AnonymizeOrChoose(table, own, workers_, progress));
    row_.release_seconds = SecondsSince(start);
    DescribeRelease(made, table, workers_, row_);
    return made;
  }

  const ExternalMethod* external() const {
    const auto index = options_.methods[unit_.method].external;
    return index ? &options_.externals[*index] : nullptr;
  }

  // What somebody else's method makes of rows, if it passes the audit that ours pass.
  Result<CellTable> ForeignRelease(const Table& table) {
    const auto start = Clock::now();
    TADA_TRY(released, external()->release(table, plan_, workers_));
    row_.release_seconds = SecondsSince(start);
    for (const auto* list : {&plan_.quasi, &plan_.sensitive, &plan_.label}) {
      for (const PlannedColumn& column : *list) {
        if (!released.Find(column.name)) return Infeasible("the release has no column {}", column.name);
      }
    }
    Plan asked = plan_;
    asked.method.clear();
    asked.withhold = 0;  // how many rows it leaves out is its own affair: they cost
    asked.recode = "cells";
    TADA_TRY(verdict, AuditByPlan(released, &table, asked, workers_));
    row_.reached_k = verdict.k;
    row_.reached_l = verdict.l;
    row_.groups = verdict.classes;
    row_.ncp = verdict.loss ? verdict.loss->ncp_with_withheld : kNaN;
    row_.discernibility = verdict.loss ? verdict.loss->discernibility : kNaN;
    if (!verdict.passed) return Infeasible("{}", AuditProblem(verdict));
    return ForeignCells(released, table_, bound_->roles, regression(), plan_.missing);
  }

  // Rows of a release are in an order of their own, so they are dealt anew.
  Judged Deal(const CellTable& all) const {
    std::vector<uint32_t> rows(all.num_rows);
    for (uint32_t row = 0; row < rows.size(); ++row) rows[row] = row;
    Random(MixSeed(unit_.seed, 0xDEA1)).Shuffle(std::span(rows));
    const auto test = static_cast<ptrdiff_t>(static_cast<double>(rows.size()) * options_.test_share);
    const std::vector<uint32_t> tested(rows.begin(), rows.begin() + test), learned(rows.begin() + test, rows.end());
    return {SelectCells(all, learned), SelectCells(all, tested)};
  }

  Result<CellTable> Cells(const tada::Release& release) const {
    const Roles& roles = bound_->roles;
    if (options_.encoding == Encoding::kExpected) return ExpectedCells(release, roles, regression(), plan_.missing);
    const bool by_model = options_.encoding == Encoding::kModel;
    if (options_.encoding != Encoding::kDraw && !by_model) return ReleasedCells(release, roles, regression());
    const uint32_t copies = DefaultCopies(release.table->num_rows());
    return DrawnCells(release, roles, regression(), {plan_.missing, unit_.seed, copies, workers_, by_model});
  }

  CellTable Raw(std::span<const RowId> rows) const {
    CellTable raw = RawCells(table_, bound_->roles, regression(), rows);
    return options_.encoding == Encoding::kExpected ? ShareCells(raw) : raw;
  }

  Result<Judged> Prepare() {
    const TrainTest split = SplitRows(table_, *bound_, regression(), options_.test_share, unit_.seed);
    if (split.train.empty() || split.test.empty()) return TooFewRows(table_.num_rows(), options_.test_share);
    Judged parts;
    if (is_raw()) {
      parts.train = Raw(split.train);
      parts.test = Raw(split.test);
    } else if (external() != nullptr && options_.protocol == Protocol::kRawTest) {
      TADA_TRY(cells, ForeignRelease(SelectRows(table_, split.train)));
      parts.train = options_.encoding == Encoding::kExpected ? ShareCells(cells) : std::move(cells);
      parts.test = Raw(split.test);
    } else if (external() != nullptr) {
      TADA_TRY(cells, ForeignRelease(table_));
      parts = Deal(cells);
    } else if (options_.protocol == Protocol::kRawTest) {
      const Table training = SelectRows(table_, split.train);
      TADA_TRY(made, Release(training));
      TADA_TRY(cells, Cells(made.release));
      parts.train = Released(std::move(cells), made);
      parts.test = Raw(split.test);
    } else {
      TADA_TRY(made, Release(table_));
      TADA_TRY(all, Cells(made.release));
      parts.train = SelectCells(all, Released(split.train, made));
      parts.test = SelectCells(all, Released(split.test, made));
    }
    if (parts.train.num_rows == 0 || parts.test.num_rows == 0) {
      return Infeasible("Too few rows are released to learn from and to test on: {} and {}", parts.train.num_rows,
                        parts.test.num_rows);
    }
    if (!regression()) return parts;
    parts = {RowsWithTarget(std::move(parts.train)), RowsWithTarget(std::move(parts.test))};
    if (parts.train.num_rows == 0 || parts.test.num_rows == 0) {
      return Infeasible(
          "Too few rows have a label to learn from and to test on: rows={}, for training {}, for testing {}",
          table_.num_rows(), parts.train.num_rows, parts.test.num_rows);
    }
    return parts;
  }

  Result<Predictions> Predict(Learner learner, const Judged& parts) const {
    if (!IsOutside(learner)) return LearnAndPredict(learner, options_.encoding, parts.train, parts.test, workers_);
    return LearnOutside(options_.outside, learner, options_.encoding, parts.train, parts.test, unit_.seed);
  }

  Result<std::vector<EvaluateRow>> RunModels() {
    TADA_TRY(parts, Prepare());
    std::vector<EvaluateRow> rows;
    for (const Learner learner : options_.learners) {
      workers_.Poll();
      EvaluateRow row = row_;
      const auto start = Clock::now();
      TADA_TRY(made, Predict(learner, parts));
      row.learner = LearnerName(learner);
      Judge(made, parts.test, row);
      row.learn_seconds = SecondsSince(start);
      rows.push_back(std::move(row));
    }
    return rows;
  }

  Result<std::vector<EvaluateRow>> RunClusters() {
    std::vector<RowId> all(table_.num_rows());
    for (RowId row = 0; row < all.size(); ++row) all[row] = row;
    Roles features = bound_->roles;
    features.sensitive.clear();  // clusters are those of the quasi-identifiers and other columns
    CellTable raw = RawCells(table_, features, false, all);
    CellTable released = raw;
    if (!is_raw()) {
      TADA_TRY(made, Release(table_));
      released = Released(ReleasedCells(made.release, features, false), made);
      raw = Released(std::move(raw), made);
    }
    const auto start = Clock::now();
    const ClusterAgreement found = CompareClusters(raw, released, options_.clusters, workers_);
    std::vector<EvaluateRow> rows(2, row_);
    for (size_t i = 0; i < 2; ++i) {
      rows[i].learner = i == 0 ? "assign" : "warm";
      rows[i].metrics[static_cast<size_t>(Metric::kAri)] = i == 0 ? found.assign_ari : found.warm_ari;
      rows[i].metrics[static_cast<size_t>(Metric::kNmi)] = i == 0 ? found.assign_nmi : found.warm_nmi;
      rows[i].learn_seconds = SecondsSince(start) / 2;
    }
    return rows;
  }

  const Table& table_;
  const EvaluateOptions& options_;
  const GridUnit& unit_;
  Plan plan_;
  Workers workers_;
  const BoundPlan* bound_ = nullptr;
  EvaluateRow row_;
};

// Roles and task do not depend on the method.
Result<BoundPlan> BindRoles(const Plan& plan, const Table& table) {
  Plan any = plan;
  any.method = "mondrian";
  any.method_options = {};
  return BindPlan(any, table);
}

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

}  // namespace

Result<GridMethod> ParseGridMethod(std::string_view text) {
  GridMethod method;
  method.text = text;
  size_t colon = text.find(':');
  method.name = text.substr(0, colon);
  while (colon != std::string_view::npos) {
    const size_t next = text.find(':', colon + 1);
    const std::string_view option = text.substr(colon + 1, next == std::string_view::npos ? next : next - colon - 1);
    const size_t equals = option.find('=');
    const std::string value(equals == std::string_view::npos ? "true" : option.substr(equals + 1));
    method.options.Set(option.substr(0, equals), {value});
    colon = next;
  }
  if (method.name == "raw") return method;
  Plan plan;
  plan.method = method.name;
  plan.method_options = method.options;
  const std::vector<std::string> known = MethodNames();
  if (std::find(known.begin(), known.end(), method.name) == known.end()) {
    const auto nearest = NearestName(method.name, known);
    return InvalidArgument(TADA_OPTION("methods") " names a method that does not exist: {}", method.name)
        .WithHint(nearest ? fmt::format("Did you mean {}?", *nearest)
                          : fmt::format("Methods are: raw, {}.", fmt::join(known, ", ")));
  }
  return method;
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
  TADA_TRY(bound, BindRoles(plan, table));
  if (bound.task == Task::kNone) {
    return InvalidArgument(TADA_OPTION("label") " is missing: what will a model predict?")
        .WithHint("Name a column with " TADA_OPTION("label") ", or use " TADA_OPTION("task=clustering") ".");
  }
  if (bound.task != Task::kClustering) {
    if (bound.roles.label.size() != 1) {
      return InvalidArgument("evaluate judges one label, not {}", bound.roles.label.size());
    }
    for (const Learner learner : options.learners) TADA_CHECK_OK(CheckLearner(learner, bound.task, options));
  }
  if (bound.task != Task::kClustering && static_cast<double>(table.num_rows()) * options.test_share < 1) {
    return TooFewRows(table.num_rows(), options.test_share);
  }
  if (bound.task == Task::kClustering && table.num_rows() < options.clusters) {
    return Infeasible("Fewer rows than clusters to compare: rows={}, " TADA_OPTION("raw-clusters={}"), table.num_rows(),
                      options.clusters)
        .WithHint(fmt::format("Give " TADA_OPTION("raw-clusters") " of at most {}.", table.num_rows()));
  }
  for (const GridMethod& method : options.methods) {
    if (method.name == "raw") continue;
    if (method.external) {
      TADA_CHECK_OK(CheckExternal(options.externals[*method.external], bound.task, options));
      continue;
    }
    Plan own = plan;
    own.method = method.name;
    own.method_options = method.options;
    own.requirement.l = 1;
    own.task = bound.task;
    TADA_CHECK_OK(CheckMethod(own));
  }
  return Ok();
}

Result<std::vector<EvaluateRow>> EvaluateUnit(const Table& table, const Plan& plan, const EvaluateOptions& options,
                                              const GridUnit& unit, const Workers& workers) {
  TADA_TRY(bound, BindRoles(plan, table));
  return UnitRunner(table, plan, options, unit, workers).Run(bound);
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
  workers.For(units.size(), [&](size_t i) {
    {
      std::lock_guard lock(mutex);
      if (!first.ok()) return;
    }
    Result<std::vector<EvaluateRow>> rows = EvaluateUnit(table, plan, options, units[i], workers);
    std::lock_guard lock(mutex);
    if (!first.ok()) return;
    first = rows.ok() ? done(units[i], *rows) : Status(std::move(rows).error());
    progress.Advance(1);
  });
  return first;
}

}  // namespace tada
