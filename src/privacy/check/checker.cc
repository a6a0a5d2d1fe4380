#include "privacy/check/checker.h"

#include <algorithm>
#include <numeric>

#include "base/fault.h"
#include "base/words.h"
#include "privacy/canonical_value.h"
#include "privacy/check/requirements.h"
#include "privacy/models/max_risk.h"

namespace tada {
namespace {

std::vector<RowId> AllRows(const Table& table) {
  std::vector<RowId> rows(table.num_rows());
  std::iota(rows.begin(), rows.end(), RowId{0});
  return rows;
}

constexpr Code kMaskedValues = 64;  // values that one mask has bits for

}  // namespace

std::vector<CountedColumn> CountedColumns(const Table& table, const std::vector<ColumnId>& columns,
                                          const Requirement& requirement) {
  std::vector<CountedColumn> counted;
  for (const ColumnId id : columns) {
    CountedValues values = CountValues(table.column(id), requirement.exact_values);
    counted.push_back({.column = id,
                       .num_values = values.count,
                       .mark_of_code = std::move(values.value_of_code),
                       .missing = values.missing,
                       .uncounted = requirement.missing_counts ? std::nullopt : values.missing,
                       .source = &table.column(id)});
    counted.back().value_of_code = counted.back().mark_of_code;
  }
  return counted;
}

Checker::Checker(const Requirement& requirement, const Table& table, std::vector<CountedColumn> counted,
                 const CountReference& reference)
    : table_(&table), requirement_(requirement), sensitive_(std::move(counted)) {
  const bool masks_do =
      std::ranges::all_of(sensitive_, [](const auto& column) { return column.num_marks() <= kMaskedValues; });
  const Binding binding(table, sensitive_, [&] { return reference(*this); });
  for (const RequirementEntry& entry : Requirements()) {
    for (auto& model : entry.bind(requirement, binding)) models_.push_back(std::move(model));
  }
  bool needs_counts = false;
  uint64_t distinct = 0;
  for (const auto& model : models_) {
    smallest_group_ = std::max(smallest_group_, model->SmallestGroup());
    needs_values_ |= model->decided_by() != DecidedBy::kRows;
    needs_counts |= model->decided_by() == DecidedBy::kCounts;
    distinct = std::max(distinct, model->LeastDistinct());
  }
  if (needs_values_ && !needs_counts && masks_do) distinct_l_ = static_cast<uint32_t>(distinct);
}

Checker::Checker(const Requirement& requirement, const Table& table, std::vector<CountedColumn> counted,
                 std::span<const RowId> rows)
    : Checker(requirement, table, std::move(counted),
              CountReference([&](const Checker& checker) { return checker.Count(rows); })) {}

Checker::Checker(const Requirement& requirement, const Table& table, const std::vector<ColumnId>& sensitive,
                 std::span<const RowId> rows)
    : Checker(requirement, table, CountedColumns(table, sensitive, requirement), rows) {}

Checker::Checker(const Requirement& requirement, const Table& table, const std::vector<ColumnId>& sensitive)
    : Checker(requirement, table, sensitive, AllRows(table)) {}

Checker Checker::WithSmallestGroup(uint64_t rows) const {
  Checker other = *this;
  other.smallest_group_ = rows;
  for (const auto& model : models_) {
    if (model->decided_by() == DecidedBy::kRows) continue;
    other.smallest_group_ = std::max(other.smallest_group_, model->SmallestGroup());
  }
  return other;
}

Tally Checker::EmptyTally() const {
  Tally tally;
  for (const CountedColumn& sensitive : sensitive_) {  // values of pairs are no values of the column
    tally.columns.emplace_back(sensitive.num_values, sensitive.pairs.empty() ? sensitive.uncounted : std::nullopt);
  }
  return tally;
}

void Checker::Add(RowId row, Tally& tally) const {
  ++tally.rows;
  for (size_t s = 0; s < sensitive_.size(); ++s) {
    AddMark(s, sensitive_[s].mark_of_code[table_->column(sensitive_[s].column).codes()[row]], tally);
  }
}

Tally Checker::Count(std::span<const RowId> rows) const {
  Tally tally = EmptyTally();
  for (const RowId row : rows) Add(row, tally);
  return tally;
}

bool Checker::Holds(const Tally& tally) const {
  if (TADA_FAULT("checker-rows")) return ValuesHold(tally);
  if (TADA_FAULT("checker-values")) return tally.rows >= smallest_group_;
  return tally.rows >= smallest_group_ && ValuesHold(tally);
}

bool Checker::ValuesHold(const Tally& tally) const {
  return std::all_of(models_.begin(), models_.end(),
                     [&](const auto& model) { return model->decided_by() == DecidedBy::kRows || model->Holds(tally); });
}

bool Checker::KeptByMerging() const {
  return std::all_of(models_.begin(), models_.end(), [](const auto& model) { return model->KeptByMerging(); });
}

bool Checker::FailingIsInherited() const {
  return std::all_of(models_.begin(), models_.end(), [](const auto& model) { return model->FailingIsInherited(); });
}

std::vector<Checker::Wanted> Checker::WantedBy(const Tally& tally, size_t column) const {
  std::vector<Wanted> wanted;
  for (const auto& model : models_) {
    if (Wanted wants = model->Wanted(tally, column)) wanted.push_back(std::move(wants));
  }
  return wanted;
}

Status Checker::Feasible(const Tally& tally) const {
  if (Holds(tally)) return Ok();
  std::string largest, smallest, hint;
  for (const auto& model : models_) {
    std::string& possible = model->SmallerIsStricter() ? smallest : largest;
    possible += (possible.empty() ? "" : ", ") + model->Reaches(tally);
    if (hint.empty() && !model->Holds(tally)) hint = model->Hint(tally);
  }
  if (tally.rows == 0) hint = "The table has no rows.";
  std::string asked = fmt::format("k={}", requirement_.k);
  if (requirement_.l > 1) asked += fmt::format(", l={} ({})", requirement_.l, DiversityName(requirement_));
  for (const Demand& demand : requirement_.more) {
    const std::string text = demand.name == kMaxRisk ? demand.limit : DemandText(demand);
    if (!text.empty()) asked += fmt::format(", {} {}", demand.name, text);
  }
  if (!smallest.empty()) largest += ", smallest possible " + smallest;
  const bool people = requirement_.persons == Persons::kTogether;
  return Infeasible("Requirement cannot be met, even with all rows in one group: asked {}, {}, largest possible {}",
                    asked, people ? Plural(tally.rows, "person", "people") : Plural(tally.rows, "row"), largest)
      .WithHint(std::move(hint));
}

}  // namespace tada
