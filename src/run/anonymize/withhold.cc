#include "run/anonymize/withhold.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fault.h"
#include "base/option_mark.h"
#include "base/words.h"
#include "partition/registry.h"
#include "run/anonymize/stopwatch.h"
#include "run/bind/canonical_rows.h"
#include "run/inspect/people.h"
#include "score/scorecard.h"
#include "table/change_values.h"

namespace tada {
namespace {

constexpr int kLevelRounds = 3;  // hierarchies made from the data change when people leave, and others stand apart then
constexpr int kGroupRounds = 2;  // with half of the people gone, other groups are the widest

// How far each row is from the middle of the table, summed over the quasi-identifiers: numbers by their distance from the median, in
// parts of the column's span; names by how rare they are.
class FarRows {
 public:
  FarRows(const Table& table, const Roles& roles) {
    for (const ColumnId id : roles.quasi) {
      const Column& column = table.column(id);
      std::vector<uint64_t> counts(column.num_codes(), 0);
      column.codes().Visit([&](auto codes) {
        for (const auto code : codes) ++counts[code];
      });
      columns_.push_back(&column);
      far_.push_back(FarCodes(column, counts));
    }
  }
  double of(RowId row) const {
    double sum = 0;
    for (size_t i = 0; i < columns_.size(); ++i) sum += far_[i][columns_[i]->codes()[row]];
    return sum;
  }

 private:
  static std::vector<double> FarCodes(const Column& column, const std::vector<uint64_t>& counts) {
    std::vector<double> far(counts.size(), 0.0);
    const auto rows = static_cast<double>(column.num_rows());
    for (Code code = 0; code < counts.size(); ++code) far[code] = 1.0 - static_cast<double>(counts[code]) / rows;
    if (!column.is_numeric() || column.num_missing() == counts.size()) return far;
    const Code first = column.num_missing(), last = column.num_codes() - 1;
    uint64_t present = 0, seen = 0;
    for (Code code = first; code <= last; ++code) present += counts[code];
    Code middle = first;
    while (seen + counts[middle] <= present / 2 && middle < last) seen += counts[middle++];
    const double span = column.number(last) - column.number(first);
    for (Code code = first; code <= last; ++code)
      far[code] = span > 0 ? std::abs(column.number(code) - column.number(middle)) / span : 0.0;
    return far;
  }

  std::vector<const Column*> columns_;
  std::vector<std::vector<double>> far_;  // by column and code
};

}  // namespace

LeavingPeople::LeavingPeople(std::vector<uint32_t> person_of, std::span<const std::vector<RowId>> parts,
                             size_t num_rows, double percent)
    : person_of_(std::move(person_of)), used_(parts.size(), 0) {
  const uint32_t count =
      person_of_.empty() ? static_cast<uint32_t>(num_rows) : *std::ranges::max_element(person_of_) + 1;
  parts_of_.resize(count);
  gone_.assign(count, 0);
  for (uint32_t part = 0; part < parts.size(); ++part) {
    uint64_t people = 0;
    for (const RowId row : parts[part]) {
      std::vector<uint32_t>& of_person = parts_of_[person(row)];
      if (!of_person.empty() && of_person.back() == part) continue;
      of_person.push_back(part);
      ++people;
    }
    people_of_part_.push_back(people);
  }
  num_people_ = count;
  Limit(percent);
}

void LeavingPeople::Limit(double percent) {
  const auto share = [&](uint64_t people) {
    return static_cast<uint64_t>(percent / 100.0 * static_cast<double>(people) + 1e-9);
  };
  allowed_.clear();
  for (const uint64_t people : people_of_part_) allowed_.push_back(share(people));
  num_allowed_ = share(num_people_);
}

double LeavingPeople::PercentLeft() const {
  if (num_gone_ >= num_allowed_ || num_gone_ >= num_people_) return 0;
  return 100.0 * static_cast<double>(num_allowed_ - num_gone_) / static_cast<double>(num_people_ - num_gone_);
}

void LeavingPeople::Take(RowId row) {
  const uint32_t who = person(row);
  const auto is_full = [&](uint32_t part) { return full(part); };
  if (gone_[who] != 0 || num_gone_ >= num_allowed_ || std::ranges::any_of(parts_of_[who], is_full)) return;
  gone_[who] = 1;
  ++num_gone_;
  for (const uint32_t part : parts_of_[who]) ++used_[part];
}

void TakeByTrial(const Trial& trial, const Roles& roles, std::span<const RowId> kept,
                 std::span<const std::vector<RowId>> parts, std::span<const RowId> rank, LeavingPeople& people) {
  const Release& release = trial.release;
  const std::vector<double> losses = GroupLosses(release);
  const FarRows far(*release.table, roles);
  std::vector<uint32_t> place(rank.size(), UINT32_MAX);  // of a row of the table in the trial
  std::vector<RowId> first(release.num_groups, UINT32_MAX);
  for (uint32_t i = 0; i < kept.size(); ++i) {
    place[kept[i]] = i;
    RowId& of_group = first[release.group_of_row[i]];
    of_group = std::min(of_group, rank[kept[i]]);
  }
  const auto group_of = [&](RowId row) { return release.group_of_row[place[row]]; };
  for (size_t part = 0; part < parts.size(); ++part) {
    std::vector<RowId> rows;
    for (const RowId row : parts[part]) {
      if (place[row] != UINT32_MAX) rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end(), [&](RowId a, RowId b) {  // those apart first, then the widest groups
      const GroupId x = group_of(a), y = group_of(b);
      if (x == y) return rank[a] < rank[b];
      const bool x_apart = trial.groups.is_masked(x), y_apart = trial.groups.is_masked(y);
      if (x_apart != y_apart) return x_apart;
      return losses[x] != losses[y] ? losses[x] > losses[y] : first[x] < first[y];
    });
    for (size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
      const GroupId group = group_of(rows[begin]);
      while (end < rows.size() && group_of(rows[end]) == group) ++end;
      const bool apart = trial.groups.is_masked(group);
      people.Limit(apart ? trial.percent : trial.percent_of_widest);
      if (people.full(part) || (!apart && (trial.by_levels || losses[group] <= 0))) break;
      const std::span<const RowId> members = std::span(rows).subspan(begin, end - begin);
      std::vector<std::pair<double, RowId>> order;
      for (const RowId row : members) order.emplace_back(far.of(place[row]), row);
      std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.first > b.first; });
      for (const auto& [distance, row] : order) people.Take(row);
    }
  }
}

namespace {

// A trial shows cells as narrow as they can be, and no order.
Plan TrialPlan(const Plan& plan) {
  Plan trial = plan;
  trial.withhold = 0;
  trial.keep_order = true;
  trial.range_cut = false;
  trial.domains.clear();
  trial.min_member = 0;
  trial.recode = "cells";
  return trial;
}

std::vector<RowId> RowsStaying(size_t num_rows, const LeavingPeople& people) {
  std::vector<RowId> rows;
  for (RowId row = 0; row < num_rows; ++row) {
    if (!people.gone(row)) rows.push_back(row);
  }
  return rows;
}

// The rows of those who stay.
Result<std::vector<RowId>> ChooseStaying(const Table& table, const Plan& plan, const BoundPlan& bound,
                                         const Workers& workers, Progress& progress) {
  const Plan trial_plan = TrialPlan(plan);
  const bool by_levels = FindMethod(bound.method)->by_levels;
  std::vector<RowId> rank(table.num_rows()), kept(table.num_rows());
  const std::vector<RowId> order = CanonicalRows(table, bound, plan.seed, plan.safe > 0);
  for (RowId i = 0; i < order.size(); ++i) rank[order[i]] = i;
  std::iota(kept.begin(), kept.end(), RowId{0});
  std::vector<std::vector<RowId>> parts;
  std::optional<LeavingPeople> people;
  const int rounds = by_levels ? kLevelRounds : kGroupRounds;
  for (int round = 0; round < rounds; ++round) {
    std::optional<NarrowTable> narrow;
    if (round > 0) narrow = NarrowRows(table, kept);
    const double percent = round == 0 ? plan.withhold : people->PercentLeft();
    if (percent <= 0) break;
    TADA_TRY(made, AnonymizeEverybody(narrow ? narrow->table : table, trial_plan, percent, workers, progress));
    if (round == 0) {
      for (const Controller& controller : made.controllers) parts.push_back(controller.rows);
      std::vector<uint32_t> person_of;
      if (!bound.person.empty()) person_of = FindPeople(table, bound.person).of_row;
      people.emplace(std::move(person_of), parts, table.num_rows(), plan.withhold);
    }
    const uint64_t before = people->num_gone();
    const Trial trial{made.release, made.groups, by_levels, plan.withhold, plan.withhold * (round + 1) / rounds};
    TakeByTrial(trial, bound.roles, kept, parts, rank, *people);
    people->Limit(plan.withhold);
    if (people->num_gone() == before && by_levels) break;
    kept = RowsStaying(table.num_rows(), *people);
  }
  return kept;
}

// Says everything of `made`, a release of the rows `kept`, in rows and codes of the whole table.
void Widen(const Table& table, std::span<const RowId> kept, const NarrowTable& narrow, Anonymized& made) {
  Release& release = made.release;
  release.table = &table;
  std::vector<GroupId> group_of_row(table.num_rows(), UINT32_MAX);
  for (size_t i = 0; i < kept.size(); ++i) group_of_row[kept[i]] = release.group_of_row[i];
  release.group_of_row = std::move(group_of_row);
  for (RowId& row : release.row_order) row = kept[row];
  for (ReleasedColumn& column : release.columns) {
    if (column.bounds != nullptr) continue;  // it has codes of its own
    const std::vector<Code>& old_code = narrow.old_code[column.source];
    for (std::vector<Code>& set : column.sets) {
      for (Code& code : set) code = old_code[code];
    }
    for (Cell& cell : column.cells) {
      if (cell.form == Cell::Form::kMask) continue;
      cell.low = old_code[cell.low];
      cell.high = old_code[cell.high];
    }
  }
  made.groups.RenameRows(kept);
  made.groups.set_boxes({});  // in codes of the rows that stay
  for (Controller& controller : made.controllers) {
    for (RowId& row : controller.rows) row = kept[row];
  }
  for (const ColumnId id : made.bound.roles.quasi) made.hierarchy_codes.push_back(narrow.old_code[id]);
  size_t next = 0;
  for (RowId row = 0; row < table.num_rows(); ++row) {
    if (next < kept.size() && kept[next] == row) {
      ++next;
    } else {
      made.withheld.push_back(row);
    }
  }
  if (TADA_FAULT("withhold-names") && !made.withheld.empty()) made.withheld.pop_back();
}

std::string WithholdWords(const Plan& plan, bool by_levels) {
  std::string words = fmt::format("At most {:g}% of the people are left out, with all their rows: ", plan.withhold);
  words += by_levels ? "those who fall short of the requirement at the levels that lose least, each person left out "
                       "counted as lost."
                     : "those whose groups were widest in a trial with everybody, people in no dense place first where "
                       "the method clusters by density.";
  if (plan.safe > 0) words += " Only the quasi-identifiers had a say in it.";
  return words;
}

Result<Anonymized> WithEverybody(const Table& table, const Plan& plan, std::string warning, const Workers& workers,
                                 Progress& progress) {
  TADA_TRY(made, AnonymizeEverybody(table, plan, 0, workers, progress));
  if (!warning.empty()) made.notes.warnings.push_back(std::move(warning));
  return made;
}

}  // namespace

Result<Anonymized> Anonymize(const Table& table, const Plan& plan, const Workers& workers, Progress& progress,
                             bool save_cuts) {
  if (plan.withhold <= 0 || save_cuts)
    return AnonymizeEverybody(table, plan, 0, workers, progress, save_cuts);  // or refuses
  StageSeconds seconds;
  TADA_TRY(bound, BindPlan(plan, table));
  std::vector<RowId> kept;
  {
    const TimeStage timer(seconds, "withhold");
    TADA_TRY(staying, ChooseStaying(table, plan, bound, workers, progress));
    kept = std::move(staying);
  }
  if (kept.size() == table.num_rows()) return WithEverybody(table, plan, "", workers, progress);
  const NarrowTable narrow = NarrowRows(table, kept);
  Result<Anonymized> made = AnonymizeEverybody(narrow.table, plan, 0, workers, progress);
  if (!made.ok()) {
    // With --safe there is no second try: it would tell that the first did not hold.
    if (made.error().code != ErrorCode::kInfeasible || plan.safe > 0) return made;
    return WithEverybody(
        table, plan, TADA_OPTION("withhold") ": nobody is left out, since the others could not meet the requirement",
        workers, progress);
  }
  Widen(table, kept, narrow, *made);
  made->seconds.insert(made->seconds.begin(), seconds.begin(), seconds.end());
  made->notes.about.emplace(made->notes.about.begin(), "withhold",
                            WithholdWords(plan, FindMethod(bound.method)->by_levels));
  return made;
}

}  // namespace tada
