#include "run/inspect/population.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/decimal.h"
#include "base/option_mark.h"
#include "privacy/models/max_risk.h"
#include "risk/individual_risk.h"
#include "run/inspect/inspect.h"
#include "run/inspect/people.h"
#include "run/inspect/weights.h"

namespace tada {
namespace {

// The classes of a table's rows, with the members of each and what these weigh.
struct WeighedClasses {
  std::vector<uint32_t> of_row;
  std::vector<WeightedClass> classes;
};

std::vector<ColumnId> ColumnsWith(ColumnRole role, const Profile& profile) {
  std::vector<ColumnId> columns;
  for (ColumnId id = 0; id < profile.columns.size(); ++id) {
    if (profile.columns[id].role == role) columns.push_back(id);
  }
  return columns;
}

void CountMembers(const Table& table, const Profile& profile, WeighedClasses& found) {
  if (profile.people == 0) {
    for (const uint32_t index : found.of_row) ++found.classes[index].members;
    return;
  }
  const std::vector<uint32_t> person = FindPeople(table, ColumnsWith(ColumnRole::kPerson, profile)).of_row;
  std::vector<std::pair<uint32_t, uint32_t>> members;
  for (size_t row = 0; row < person.size(); ++row) members.emplace_back(found.of_row[row], person[row]);
  std::ranges::sort(members);
  const auto repeated = std::ranges::unique(members);
  members.erase(repeated.begin(), repeated.end());
  for (const auto& [index, who] : members) ++found.classes[index].members;
}

Result<WeighedClasses> Weigh(const Table& table, const Plan& plan, const Profile& profile) {
  WeighedClasses found;
  size_t num_classes = 0;
  found.of_row = ClassOfRows(table, profile.columns, num_classes);
  found.classes.resize(num_classes);
  CountMembers(table, profile, found);
  const Demand* demand = RiskDemand(plan.requirement);
  if (demand == nullptr || (demand->column.empty() && demand->kind.empty())) return found;
  if (!demand->column.empty()) {
    const Column& column = table.column(table.Find(demand->column).value());
    TADA_TRY(weights, WeightOfCodes(column));
    for (RowId row = 0; row < table.num_rows(); ++row)
      found.classes[found.of_row[row]].people += weights[column.codes()[row]];
    return found;
  }
  uint64_t members = 0;
  for (const WeightedClass& one : found.classes) members += one.members;
  SampledFrom from;
  if (demand->kind == "population") from.population = std::stoull(demand->values.front());
  if (demand->kind == "sampling") from.sampling = ParseDecimal(demand->values.front())->value();
  const double each = members == 0 ? 1 : from.People(members) / static_cast<double>(members);
  for (WeightedClass& one : found.classes) one.people = each * static_cast<double>(one.members);
  return found;
}

}  // namespace

Result<ProfileRisk> MeasureProfileRisk(const Table& table, const Plan& plan, const Profile& profile,
                                       const RiskQuestions& questions, const Workers& workers) {
  ProfileRisk risk{.counts_people = profile.people > 0};
  const Demand* demand = RiskDemand(plan.requirement);
  if (demand == nullptr && questions.suda == 0 && !questions.rows) return risk;
  if (demand != nullptr && !demand->column.empty() && risk.counts_people) {
    return InvalidArgument(
               TADA_OPTION("weights") " does not go with people who have several rows: a weight is of a row")
        .WithHint(
            "Say " TADA_OPTION("sampling") " instead, or " TADA_OPTION("rows-are-people") " if every row is a person.");
  }
  TADA_TRY(weighed, Weigh(table, plan, profile));
  uint64_t members = 0;
  for (const WeightedClass& one : weighed.classes) members += one.members;
  const bool in_one_class = !risk.counts_people || members == profile.people;  // else people are counted several times
  const bool told = !weighed.classes.empty() && weighed.classes.front().people > 0 && in_one_class;
  if (told) risk.population = MeasurePopulation(weighed.classes, static_cast<uint64_t>(plan.requirement.k));
  const std::vector<ColumnId> quasi = ColumnsWith(ColumnRole::kQuasi, profile);
  for (const ColumnId id : quasi) risk.suda_columns.push_back(table.column(id).name());
  if (questions.suda > 0 && table.num_rows() > 0) {
    if (quasi.size() > 64)
      return InvalidArgument(TADA_OPTION("suda") " takes at most 64 quasi-identifiers, not {}", quasi.size());
    std::vector<std::vector<Code>> codes(quasi.size());
    for (size_t i = 0; i < quasi.size(); ++i) {
      const Column& column = table.column(quasi[i]);
      for (RowId row = 0; row < table.num_rows(); ++row) codes[i].push_back(column.value_id(column.codes()[row]));
    }
    risk.suda = Suda(codes, questions.suda, workers);
  }
  if (!questions.rows) return risk;
  for (const uint32_t index : weighed.of_row) {
    const WeightedClass& one = weighed.classes[index];
    const double chance = static_cast<double>(IndividualRisk(one.members, told ? one.people : 0));
    risk.rows.push_back({one.members, one.people, chance});
  }
  return risk;
}

std::string RowRisksCsv(const ProfileRisk& risk) {
  std::string csv = "row,members,people,risk";
  if (risk.suda) csv += ",suda,suda_columns";
  csv += '\n';
  for (size_t row = 0; row < risk.rows.size(); ++row) {
    const ProfileRisk::Row& one = risk.rows[row];
    fmt::format_to(std::back_inserter(csv), "{},{},{},{:.9g}", row + 1, one.members,
                   one.people > 0 ? fmt::format("{:.9g}", one.people) : "", one.risk);
    if (risk.suda)
      fmt::format_to(std::back_inserter(csv), ",{:.9g},{}", risk.suda->of_row[row], risk.suda->smallest[row]);
    csv += '\n';
  }
  return csv;
}

}  // namespace tada
