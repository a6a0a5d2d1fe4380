#include "privacy/checker.h"

#include <algorithm>

#include "privacy/k_anonymity.h"
#include "privacy/l_diversity.h"

namespace tada {
namespace {

// Every model the requirement asks for. A new model joins here.
std::vector<std::unique_ptr<PrivacyModel>> MakeModels(const Requirement& requirement) {
  std::vector<std::unique_ptr<PrivacyModel>> models;
  models.push_back(std::make_unique<KAnonymity>(static_cast<uint64_t>(requirement.k)));
  if (requirement.l > 1) models.push_back(MakeLDiversity(requirement));
  return models;
}

}  // namespace

Checker::Checker(const Requirement& requirement, const Table& table, const std::vector<ColumnId>& sensitive)
    : table_(&table), requirement_(requirement), models_(MakeModels(requirement)) {
  bool small_domains = true;
  for (const ColumnId id : sensitive) {
    const Column& column = table.column(id);
    Sensitive bound{id, column.num_values(), std::vector<Code>(column.num_codes())};
    for (Code code = 0; code < column.num_codes(); ++code) bound.value_of_code[code] = column.value_id(code);
    small_domains &= bound.num_values <= 64;
    sensitive_.push_back(std::move(bound));
  }
  for (const auto& model : models_) {
    smallest_group_ = std::max(smallest_group_, model->SmallestGroup());
    needs_values_ |= model->NeedsValues();
  }
  if (needs_values_ && small_domains && requirement.diversity == Diversity::kDistinct && models_.size() == 2) {
    distinct_l_ = static_cast<uint32_t>(requirement.l);
  }
}

Tally Checker::EmptyTally() const {
  Tally tally;
  for (const Sensitive& sensitive : sensitive_) tally.columns.emplace_back(sensitive.num_values);
  return tally;
}

void Checker::Add(RowId row, Tally& tally) const {
  ++tally.rows;
  for (size_t s = 0; s < sensitive_.size(); ++s) {
    const Sensitive& sensitive = sensitive_[s];
    tally.columns[s].Add(sensitive.value_of_code[table_->column(sensitive.column).codes()[row]]);
  }
}

Tally Checker::Count(std::span<const RowId> rows) const {
  Tally tally = EmptyTally();
  for (const RowId row : rows) Add(row, tally);
  return tally;
}

bool Checker::Holds(const Tally& tally) const {
  return std::all_of(models_.begin(), models_.end(), [&](const auto& model) { return model->Holds(tally); });
}

bool Checker::KeptByMerging() const {
  return std::all_of(models_.begin(), models_.end(), [](const auto& model) { return model->KeptByMerging(); });
}

Status Checker::Feasible(const Tally& tally) const {
  if (Holds(tally)) return Ok();
  std::string largest;
  for (const auto& model : models_) {
    largest += fmt::format("{}{}={}", largest.empty() ? "" : ", ", model->parameter(), model->Reaches(tally));
  }
  std::string asked = fmt::format("k={}", requirement_.k);
  if (requirement_.l > 1) asked += fmt::format(", l={} ({})", requirement_.l, DiversityName(requirement_));
  return Infeasible(
             "Requirement cannot be met, even with all rows in one group: asked {}, {} rows, largest possible {}",
             asked, tally.rows, largest)
      .WithHint(tally.rows == 0 ? std::string("The table has no rows.")
                : tally.rows < static_cast<uint64_t>(requirement_.k)
                    ? fmt::format("Lower k to at most {}, or add rows.", tally.rows)
                    : std::string("Lower l to at most the value named, or choose another sensitive column."));
}

}  // namespace tada
