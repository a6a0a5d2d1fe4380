#include "evaluate/evaluate.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/option_mark.h"
#include "base/random.h"
#include "decode/decode.h"
#include "evaluate/auto_method.h"
#include "evaluate/clusters.h"
#include "evaluate/describe_unit.h"
#include "evaluate/features.h"
#include "evaluate/judged_before.h"
#include "evaluate/paired.h"
#include "evaluate/split_rows.h"
#include "run/audit/audit_release.h"
#include "table/select_rows.h"

namespace tada {
namespace {

using Clock = std::chrono::steady_clock;

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
             const Workers& workers, JudgedBefore* before)
      : table_(table),
        options_(options),
        unit_(unit),
        plan_(UnitPlan(plan, options, unit)),
        workers_(workers.Alone()),
        before_(before) {}

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
    DescribeVerdict(verdict, row_);
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

  // Models learn from a release of the training rows, and are tested on raw ones.
  Result<Judged> AgainstRaw(const TrainTest& split) {
    const Table training = SelectRows(table_, split.train);
    if (external() != nullptr) {
      TADA_TRY(cells, ForeignRelease(training));
      return Judged{options_.encoding == Encoding::kExpected ? ShareCells(cells) : std::move(cells), Raw(split.test)};
    }
    TADA_TRY(made, Release(training));
    TADA_TRY(cells, Cells(made.release));
    return Judged{Released(std::move(cells), made), Raw(split.test)};
  }

  // Both parts are of one release.
  Result<Judged> AmongReleased(const TrainTest& split) {
    if (external() != nullptr) {
      TADA_TRY(cells, ForeignRelease(table_));
      return Deal(cells);
    }
    TADA_TRY(made, Release(table_));
    TADA_TRY(all, Cells(made.release));
    return Judged{SelectCells(all, Released(split.train, made)), SelectCells(all, Released(split.test, made))};
  }

  Result<Judged> Prepare() {
    const TrainTest split = SplitRows(table_, *bound_, regression(), options_.test_share, unit_.seed);
    if (split.train.empty() || split.test.empty()) return TooFewRows(table_.num_rows(), options_.test_share);
    if (is_raw()) return WithTargets({Raw(split.train), Raw(split.test)});
    TADA_TRY(parts, options_.protocol == Protocol::kRawTest ? AgainstRaw(split) : AmongReleased(split));
    return WithTargets(std::move(parts));
  }

  // Rows that have a label to learn and to be tested by.
  Result<Judged> WithTargets(Judged parts) const {
    if (parts.train.num_rows == 0 || parts.test.num_rows == 0) {
      return Infeasible("Too few rows are released to learn from and to test on: {} and {}", parts.train.num_rows,
                        parts.test.num_rows);
    }
    if (!regression()) return parts;
    parts = {RowsWithTarget(std::move(parts.train)), RowsWithTarget(std::move(parts.test))};
    if (parts.train.num_rows > 0 && parts.test.num_rows > 0) return parts;
    return Infeasible(
        "Too few rows have a label to learn from and to test on: rows={}, for training {}, for testing {}",
        table_.num_rows(), parts.train.num_rows, parts.test.num_rows);
  }

  Result<Predictions> Predict(Learner learner, const Judged& parts) const {
    if (!IsOutside(learner)) return LearnAndPredict(learner, options_.encoding, parts.train, parts.test, workers_);
    return LearnOutside(options_.outside, learner, options_.encoding, parts.train, parts.test, unit_.seed);
  }

  Result<std::vector<EvaluateRow>> RunModels() {
    TADA_TRY(parts, Prepare());
    JudgedBefore::Key key{{}, {}, {}, unit_.seed};
    if (before_ != nullptr) key.train = DigestOf(parts.train), key.test = DigestOf(parts.test);
    std::vector<EvaluateRow> rows;
    for (const Learner learner : options_.learners) {
      workers_.Poll();
      EvaluateRow row = row_;
      const auto start = Clock::now();
      row.learner = LearnerName(learner);
      key.learner = learner;
      if (const auto known = before_ != nullptr ? before_->Find(key) : std::nullopt) {
        row.metrics = *known;
      } else {
        TADA_TRY(made, Predict(learner, parts));
        Judge(made, parts.test, row);
        if (before_ != nullptr) before_->Keep(key, row.metrics);
      }
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
  JudgedBefore* before_;
  const BoundPlan* bound_ = nullptr;
  EvaluateRow row_;
};

}  // namespace

Result<BoundPlan> BindGrid(const Plan& plan, const Table& table) {
  Plan any = plan;
  any.method = "mondrian";
  any.method_options = {};
  return BindPlan(any, table);
}

Result<std::vector<EvaluateRow>> EvaluateUnit(const Table& table, const Plan& plan, const EvaluateOptions& options,
                                              const GridUnit& unit, const Workers& workers, JudgedBefore* before) {
  TADA_TRY(bound, BindGrid(plan, table));
  return UnitRunner(table, plan, options, unit, workers, before).Run(bound);
}

}  // namespace tada
