#include "spread/shared.h"

#include <algorithm>
#include <numeric>

#include "base/option_mark.h"
#include "partition/engine/domain_of.h"
#include "partition/registry.h"
#include "plan/plan_columns.h"
#include "privacy/check/requirements.h"
#include "run/audit/audit_release.h"
#include "run/bind/canonical_rows.h"
#include "run/inspect/people.h"
#include "run/protect/guard_published.h"
#include "run/protect/input_notes.h"
#include "spread/part_problem.h"
#include "spread/refusals.h"

namespace tada {
namespace {

// Whether the method may decide by position. What the label is like is not known yet, and makes no difference here.
bool ByPosition(const Plan& plan) {
  const Task task = plan.task.value_or(plan.label.empty() ? Task::kNone : Task::kClassification);
  const MethodEntry* method = FindMethod(plan.method.empty() ? DefaultMethod(task) : plan.method);
  if (method == nullptr || method->row_order == nullptr) return false;
  return method->row_order({task, plan.method_options, ComparesDistributions(plan)}) != RowOrder::kIgnored;
}

// Where a code stands in a survey's column: any row that has it.
std::vector<RowId> RowsOfCodes(const Column& column) {
  std::vector<RowId> rows(column.num_codes());
  for (RowId row = 0; row < column.num_rows(); ++row) rows[column.codes()[row]] = row;
  return rows;
}

// The key of a value among those of its column; a missing value and an empty text are two things.
std::string KeyOf(const Column& column, Code code) {
  return (column.is_missing(code) ? "m" : "v") + std::string(column.text(code));
}

}  // namespace

std::vector<std::string> SpreadNames(const Plan& plan) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const auto* list : {&plan.quasi, &plan.sensitive, &plan.label}) {
    for (const PlannedColumn& column : *list) add(column.name);
  }
  if (ByPosition(plan)) {
    for (const PlannedColumn& column : plan.keep) add(column.name);
  }
  if (!plan.controller_column.empty()) add(plan.controller_column);
  return names;
}

Result<std::unique_ptr<Shared>> Shared::Make(Plan plan, std::vector<ColumnSurvey> survey) {
  TADA_CHECK_OK(CheckSpreadPlan(plan));
  std::unique_ptr<Shared> shared(new Shared);
  shared->plan_ = std::move(plan);
  TADA_CHECK_OK(shared->Bind(std::move(survey)));
  return shared;
}

Status Shared::Bind(std::vector<ColumnSurvey> survey) {
  names_ = SpreadNames(plan_);
  TADA_ASSERT(survey.size() == names_.size());
  std::vector<Column> empty;
  for (size_t c = 0; c < names_.size(); ++c) {
    dictionaries_.push_back(survey[c].values.table.column(0));
    stored_.push_back(std::move(survey[c].values.stored[0]));
    const Column& dictionary = dictionaries_.back();
    row_of_code_.push_back(RowsOfCodes(dictionary));
    auto& codes = code_of_.emplace_back();
    for (Code code = 0; code < dictionary.num_codes(); ++code) codes.emplace(KeyOf(dictionary, code), code);
    empty.push_back(dictionary.Select({}));
    if (names_[c] == plan_.controller_column) controller_column_ = c;
  }
  empty_ = Table(std::move(empty));
  Plan decided = plan_;  // kept columns that decide nothing stay where they are
  std::erase_if(decided.keep, [&](const PlannedColumn& column) { return !empty_.Find(column.name); });
  TADA_TRY(bound, BindPlan(decided, empty_));
  bound_ = std::move(bound);
  TADA_CHECK_OK(CheckDecided(empty_, plan_));
  for (const PlannedColumn& label : plan_.label) weights_.push_back(label.weight);
  const MethodEntry& method = *FindMethod(bound_.method);
  TADA_CHECK_OK(CheckSpreadMethod(method, {bound_.task, plan_.method_options, ComparesDistributions(plan_)}));
  TADA_TRY(stages, method.make({bound_.task, plan_.method_options, ComparesDistributions(plan_)}));
  stages_ = std::move(stages);
  TADA_TRY(hierarchies, LoadHierarchies(plan_, empty_, bound_.roles, false));
  hierarchies_ = std::move(hierarchies);
  TADA_CHECK_OK(CheckLevels(method));
  TADA_TRY(compared, LoadSensitiveHierarchies(plan_, empty_, bound_.roles.sensitive));
  sensitive_hierarchies_ = std::move(compared);
  TADA_CHECK_OK(FindControllersOf(survey));
  CountSurvey(survey);
  TADA_CHECK_OK(CheckStages());
  return CheckFeasible();
}

Status Shared::FindControllersOf(const std::vector<ColumnSurvey>& survey) {
  TADA_ASSERT(!survey.empty());
  std::vector<RowId> first(controller_column_ == SIZE_MAX ? 1 : dictionaries_[controller_column_].num_codes(), 0);
  std::vector<Column> one_per_controller;
  for (size_t c = 0; c < names_.size(); ++c) {
    one_per_controller.push_back(dictionaries_[c].Select(c == controller_column_ ? row_of_code_[c] : first));
  }
  TADA_TRY(controllers, FindControllers(plan_, bound_, Table(std::move(one_per_controller))));
  for (Controller& controller : controllers) {
    const auto counted = CountedFor(empty_, controller.requirement);
    TADA_TRY(resolved, ResolveDemands(controller.requirement, counted));
    OfController& known = controllers_.emplace_back();
    known.name = std::move(controller.name);
    known.requirement = std::move(resolved);
  }
  return Ok();
}

// A column's default hierarchy is made from rows.
Status Shared::CheckLevels(const MethodEntry& method) const {
  for (size_t i = 0; method.by_levels && i < hierarchies_.size(); ++i) {
    if (hierarchies_.of(i)) continue;
    return InvalidArgument(
               TADA_OPTION(
                   "method={}") " does not work on Spark without a hierarchy for every quasi-identifier: {} has none",
               method.name, plan_.quasi[i].name)
        .WithHint(
            "Use a rule (width:10, prefix:5/3/1, dates, ...), or write a file with 'tada hierarchy' and give that.");
  }
  return Ok();
}

std::vector<CountedColumn> Shared::CountedFor(const Table& table, const Requirement& requirement) const {
  Workplace place = Workplace::OfRows(table, CountedColumns(table, bound_.roles.sensitive, requirement), {});
  place.SetLevels(sensitive_hierarchies_);
  return place.counted();
}

void Shared::AddRows(const Checker& checker, size_t controller, Tally& tally) const {
  tally.rows += root_rows_[controller];
  for (size_t s = 0; s < checker.sensitive().size(); ++s) {
    const std::vector<uint64_t>& counts = controllers_[controller].sensitive_counts[s];
    for (Code code = 0; code < counts.size(); ++code) {
      if (counts[code] == 0) continue;
      checker.AddMark(s, checker.sensitive()[s].mark_of_code[code], tally, static_cast<uint32_t>(counts[code]));
    }
  }
}

Tally Shared::ReferenceOf(const Checker& checker, uint32_t controller) const {
  Tally tally = checker.EmptyTally();
  if (checker.requirement().reference == ReferenceRows::kController) {
    AddRows(checker, controller, tally);
  } else {
    for (size_t i = 0; i < controllers_.size(); ++i) AddRows(checker, i, tally);
  }
  return tally;
}

void Shared::CountSurvey(const std::vector<ColumnSurvey>& survey) {
  // Rows by controller, column and code.
  std::vector<std::vector<std::vector<uint64_t>>> counts(controllers_.size());
  for (auto& of_controller : counts) {
    for (const Column& dictionary : dictionaries_) of_controller.emplace_back(dictionary.num_codes(), 0);
  }
  for (size_t c = 0; c < names_.size(); ++c) {
    const Column* of = survey[c].controllers ? &survey[c].controllers->table.column(0) : nullptr;
    for (RowId row = 0; row < survey[c].rows.size(); ++row) {
      const size_t controller = of == nullptr ? 0 : code_of_[controller_column_].at(KeyOf(*of, of->codes()[row]));
      counts[controller][c][dictionaries_[c].codes()[row]] += survey[c].rows[row];
    }
  }
  missing_rows_.assign(names_.size(), 0);
  for (size_t c = 0; c < names_.size(); ++c) {
    for (const auto& of_controller : counts) {
      for (Code code = 0; code < dictionaries_[c].num_missing(); ++code) missing_rows_[c] += of_controller[c][code];
    }
  }
  for (size_t i = 0; i < controllers_.size(); ++i) {
    root_rows_.push_back(std::accumulate(counts[i][0].begin(), counts[i][0].end(), uint64_t{0}));
    for (const ColumnId id : bound_.roles.quasi) {
      std::vector<uint8_t> present(counts[i][id].size());
      for (size_t code = 0; code < present.size(); ++code) present[code] = counts[i][id][code] > 0 ? 1 : 0;
      controllers_[i].domains.push_back(DomainOf(dictionaries_[id], present));
    }
    for (const ColumnId id : bound_.roles.label) {
      std::vector<uint64_t> by_value(dictionaries_[id].num_values(), 0);
      for (Code code = 0; code < counts[i][id].size(); ++code)
        by_value[dictionaries_[id].value_id(code)] += counts[i][id][code];
      controllers_[i].whole.labels.push_back(std::move(by_value));
    }
    controllers_[i].whole.rows = root_rows_[i];
    for (const ColumnId id : bound_.roles.sensitive) controllers_[i].sensitive_counts.push_back(counts[i][id]);
  }
}

Status Shared::CheckStages() {
  if (num_rows() > UINT32_MAX - 1) {
    return InvalidArgument("A table of {} rows is too large: at most {} can be counted", num_rows(), UINT32_MAX - 1);
  }
  if (root_rows_.empty()) return DataError("The table has no rows");
  for (const auto& stage : stages_) spread_stages_.push_back(dynamic_cast<const SpreadStage*>(stage.get()));
  for (uint32_t i = 0; i < controllers_.size(); ++i) {
    const PartProblem asked(*this, empty_, i);
    TADA_CHECK_OK(CheckMerging(asked.checker, stages_, bound_.method));
    controllers_[i].needs_all_rows = std::ranges::any_of(spread_stages_, [&](const SpreadStage* stage) {
      return stage == nullptr || stage->SpreadChooser(asked.problem, controllers_[i].whole) == nullptr;
    });
  }
  return Ok();
}

Status Shared::CheckLocal(uint64_t local_rows) const {
  for (size_t i = 0; i < controllers_.size(); ++i) {
    if (controllers_[i].needs_all_rows && root_rows_[i] > local_rows) {
      return TooManyRows(bound_.method, ComparesDistributions(plan_), controllers_[i].name, root_rows_[i], local_rows);
    }
  }
  return Ok();
}

Status Shared::CheckFeasible() const {
  for (uint32_t i = 0; i < controllers_.size(); ++i) {
    const PartProblem asked(*this, empty_, i);
    Tally tally = asked.checker.EmptyTally();
    AddRows(asked.checker, i, tally);
    Status feasible = asked.checker.Feasible(tally);
    if (feasible.ok()) continue;
    Error error = std::move(feasible).error();
    const std::string& name = controllers_[i].name;
    if (!name.empty()) error.message = fmt::format("Controller {}: {}", name, error.message);
    return error;
  }
  return Ok();
}

std::vector<std::string> Shared::stage_names() const {
  std::vector<std::string> names;
  for (const auto& stage : stages_) names.emplace_back(stage->name());
  return names;
}

uint64_t Shared::num_rows() const { return std::accumulate(root_rows_.begin(), root_rows_.end(), uint64_t{0}); }

Requirement Shared::WeakestRequirement() const {
  Requirement weakest = controllers_.front().requirement;
  for (const OfController& controller : controllers_) weakest = Weaker(weakest, controller.requirement);
  return weakest;
}

uint64_t Shared::MissingRows(size_t column) const { return missing_rows_[column]; }

std::vector<std::pair<std::string, std::string>> Shared::AboutStages() const {
  const PartProblem asked(*this, empty_, 0);
  std::vector<std::pair<std::string, std::string>> about;
  for (const auto& stage : stages_) about.emplace_back(stage->name(), stage->About(asked.problem));
  return about;
}

Result<std::vector<std::string>> Shared::Guard(const Table& some_rows) const {
  std::vector<bool> has;
  for (size_t i = 0; i < hierarchies_.size(); ++i) has.push_back(hierarchies_.of(i).has_value());
  TADA_CHECK_OK(GuardPublished(some_rows, plan_, &has));
  return AllowedWarnings(some_rows, plan_);
}

Result<std::vector<int32_t>> Shared::EncodeColumn(size_t column, const Column& part) const {
  const Column& dictionary = dictionaries_[column];
  const bool one_missing = column < num_quasi();  // of a quasi-identifier all spellings are one
  std::vector<int32_t> code_of(part.num_codes(), 0);
  for (Code code = 0; code < part.num_codes(); ++code) {
    if (one_missing && part.is_missing(code) && dictionary.num_missing() > 0) continue;  // 0
    const auto found = code_of_[column].find(KeyOf(part, code));
    if (found == code_of_[column].end()) {
      return DataError("The table changed while it was read: column {} has values that it did not have before",
                       names_[column])
          .WithHint("Read from a source that stays as it is: a snapshot, or a copy.");
    }
    code_of[code] = static_cast<int32_t>(found->second);
  }
  std::vector<int32_t> codes(part.num_rows());
  part.codes().Visit([&](auto from) {
    for (size_t row = 0; row < codes.size(); ++row) codes[row] = code_of[from[row]];
  });
  return codes;
}

Result<std::vector<std::vector<int32_t>>> Shared::Encode(const Table& part) const {
  std::vector<std::vector<int32_t>> codes;
  for (size_t c = 0; c < names_.size(); ++c) {
    TADA_TRY(of_column, EncodeColumn(c, part.column(part.Find(names_[c]).value())));
    codes.push_back(std::move(of_column));
  }
  return codes;
}

Plan Shared::PlanWithKinds() const {
  Plan plan = plan_;
  for (PlannedColumn& column : plan.sensitive) {
    const Kind kind = empty_.column(empty_.Find(column.name).value()).kind();
    if (!column.kind && kind != Kind::kOrdinal) column.kind = kind;
  }
  return plan;
}

Result<Verdict> Shared::AuditClasses(const Table& part, std::vector<std::vector<uint64_t>> reference,
                                     std::optional<uint32_t> controller) const {
  std::vector<Controller> asked;
  for (uint32_t i = 0; i < controllers_.size(); ++i) {
    if (!controller || *controller == i) asked.push_back({controllers_[i].name, {}, controllers_[i].requirement});
  }
  return AuditPart({part, std::move(reference)}, PlanWithKinds(), asked, &empty_, Workers(1));
}

// The original has the dictionaries of the whole table, which the hierarchies are over.
Result<Verdict> Shared::Cover(const Table& released, const Table& before) const {
  std::vector<Column> columns;
  for (const Column& column : before.columns()) {
    const auto at = std::ranges::find(names_, column.name());
    if (at == names_.end()) {
      columns.push_back(column);
      continue;
    }
    const auto index = static_cast<size_t>(at - names_.begin());
    TADA_TRY(codes, EncodeColumn(index, column));
    columns.push_back(ColumnOf(index, codes));
  }
  const Table original(std::move(columns));
  return AuditCover(released, original, plan_, hierarchies_, Workers(1));
}

std::span<const int32_t> Shared::ControllersOf(const CodeColumns& codes) const {
  return controller_column_ == SIZE_MAX ? std::span<const int32_t>() : codes[controller_column_];
}

std::vector<int32_t> Shared::Route(const SpreadTree& tree, const CodeColumns& codes) const {
  return tree.Route(codes, ControllersOf(codes));
}

Column Shared::ColumnOf(size_t column, std::span<const int32_t> codes) const {
  std::vector<RowId> rows(codes.size());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = row_of_code_[column][static_cast<size_t>(codes[i])];
  return dictionaries_[column].Select(rows);
}

Table Shared::TableOf(const CodeColumns& codes) const {
  std::vector<Column> columns;
  for (size_t c = 0; c < names_.size(); ++c) columns.push_back(ColumnOf(c, codes[c]));
  return Table(std::move(columns));
}

std::vector<std::unique_ptr<const TableChooser>> Shared::Choosers(const PartProblem& asked, uint32_t controller) const {
  std::vector<std::unique_ptr<const TableChooser>> choosers;
  for (const SpreadStage* stage : spread_stages_) {
    choosers.push_back(stage->SpreadChooser(asked.problem, controllers_[controller].whole));
  }
  return choosers;
}

}  // namespace tada
