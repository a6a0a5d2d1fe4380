#include "run/audit/describe_run.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <set>
#include <string>
#include <string_view>

#include "recode/rare_values.h"
#include "run/audit/check_rows.h"
#include "run/audit/released_columns.h"
#include "run/protect/clip.h"

namespace tada {
namespace {

constexpr size_t kSampleRows = 12;

// The first rows of a table in an order, header first.
template <class RowAt>
std::vector<std::vector<std::string>> FirstRows(const Table& table, size_t rows, const RowAt& row_at) {
  std::vector<std::vector<std::string>> texts(1);
  for (const Column& column : table.columns()) texts[0].push_back(column.name());
  for (size_t i = 0; i < std::min(kSampleRows, rows); ++i) {
    texts.emplace_back();
    for (const Column& column : table.columns()) texts.back().emplace_back(column.text(column.codes()[row_at(i)]));
  }
  return texts;
}

// The ends of numeric columns.
void AddExtremes(const Table& table, std::vector<Outcome::Column>& columns) {
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    const Column& column = table.column(id);
    if (!column.is_numeric() || column.num_codes() == column.num_missing()) continue;
    columns[id].smallest = column.text(column.num_missing());
    columns[id].largest = column.text(column.num_codes() - 1);
  }
}

// The codes of a released column that a cell names one by one.
std::span<const Code> NamedBy(const ReleasedColumn& released, const Cell& cell) {
  if (cell.form == Cell::Form::kValue) return {&cell.low, 1};
  if (cell.form == Cell::Form::kSet) return released.sets[cell.index];
  return {};
}

// How many values cells name that fewer than k rows have.
uint64_t RareMembers(const Release& release, uint64_t k) {
  uint64_t count = 0;
  for (const ReleasedColumn& released : release.columns) {
    if (!released.recoded || released.bounds != nullptr) continue;  // cells of saved cuts name what their release named
    const Column& column = release.table->column(released.source);
    const bool all = release.row_order.size() == column.num_rows();
    const RareValues rare = all ? RareValues(column, k) : RareValues(column.Select(release.row_order), k);
    std::set<Code> named;
    for (const Cell& cell : released.cells) {
      for (const Code code : NamedBy(released, cell)) {
        if (rare.Has(code)) named.insert(code);
      }
    }
    count += named.size();
  }
  return count;
}

bool Contains(const std::vector<ColumnId>& ids, ColumnId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::string RoleOf(const Plan& plan, const BoundPlan& bound, const std::string& name, ColumnId id) {
  const Roles& roles = bound.roles;
  if (IsPseudonym(plan, name)) return "pseudonym";
  if (IsShifted(plan, name)) return "shifted dates";
  if (Contains(roles.quasi, id)) return "quasi-identifier";
  if (Contains(roles.sensitive, id)) return "sensitive";
  if (Contains(roles.label, id)) return "label";
  if (Contains(roles.keep, id)) return "kept";
  if (Contains(bound.person, id)) return "person";
  return bound.controller_column == id ? "controller" : "none";
}

uint64_t CountMissing(const Column& column) {
  uint64_t missing = 0;
  if (column.num_missing() == 0) return missing;
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) missing += column.is_missing(code) ? 1 : 0;
  });
  return missing;
}

std::vector<Outcome::Column> DescribeColumns(const Table& table, const Plan& plan, const BoundPlan& bound) {
  std::vector<Outcome::Column> columns;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    const Column& column = table.column(id);
    std::string role = RoleOf(plan, bound, column.name(), id);
    const bool released = role != "none" && role != "person" && role != "controller";
    columns.push_back({.name = column.name(),
                       .role = std::move(role),
                       .kind = std::string(KindName(column.kind())),
                       .distinct = column.num_values(),
                       .missing = CountMissing(column),
                       .released = released});
  }
  return columns;
}

// Whether "missing" stands beside values in a cell: it shows in a set, and masks a number.
bool MixesMissing(const Column& column, const ReleasedColumn& released, const Cell& cell) {
  if (cell.form == Cell::Form::kMask) return column.is_numeric();
  if (cell.form != Cell::Form::kSet || released.sets[cell.index].empty()) return false;
  const auto& set = released.sets[cell.index];
  return column.is_missing(set.front()) && !column.is_missing(set.back());
}

// "Missing" is a value of its own: counts the groups that have it beside others.
uint64_t CountMixedMissing(const Release& release) {
  std::vector<bool> mixed(release.num_groups, false);
  for (const ReleasedColumn& released : release.columns) {
    if (!released.recoded) continue;
    const Column& column = released.shown(release.table->column(released.source));
    std::vector<bool> mixes;
    for (const Cell& cell : released.cells) mixes.push_back(MixesMissing(column, released, cell));
    for (GroupId group = 0; group < released.cell_of_group.size(); ++group) {
      if (mixes[released.cell_of_group[group]]) mixed[group] = true;
    }
  }
  return static_cast<uint64_t>(std::count(mixed.begin(), mixed.end(), true));
}

// By the kernel's own line, because what getrusage says of a process begins with the memory of whoever started it.
double PeakMemoryMb() {
  constexpr std::string_view kPeak = "VmHWM:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(kPeak)) return std::strtod(line.c_str() + kPeak.size(), nullptr) / 1024.0;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// What the run was: its input, its method, its plan with all that follows from it.
void DescribePlan(const Table& original, const Plan& plan, const Anonymized& made, Outcome& outcome) {
  outcome.method = made.bound.method;
  outcome.stages = made.stages;
  outcome.plan = plan;
  outcome.plan.method = made.bound.method;
  outcome.plan.task = made.bound.task;
  outcome.input_rows = original.num_rows();
  outcome.withheld_rows = made.withheld.size();
  if (!made.bound.person.empty()) outcome.withheld_people = CountPeople(original, made.bound.person, made.withheld);
}

void DescribeNotes(const Plan& plan, const StageNotes& notes, Outcome& outcome) {
  outcome.warnings = notes.warnings;
  outcome.raw_warnings = notes.raw_warnings;
  outcome.sections = notes.sections;
  outcome.about = notes.about;
  if (!plan.clip.empty()) outcome.about.emplace(outcome.about.begin(), "clip", ClipWords(plan));
}

}  // namespace

std::vector<std::vector<std::string>> Sample(const Table& released) {
  return FirstRows(released, released.num_rows(), [](size_t i) { return static_cast<RowId>(i); });
}

void DescribeRun(const Table& original, const std::vector<std::string>& all_columns, const Plan& plan,
                 const Anonymized& made, const Workers& workers, Outcome& outcome) {
  outcome.score = Score(made.release, workers, SpansOf::kReleased);
  outcome.input_score = Score(made.release, workers, SpansOf::kInput);
  outcome.rare_members = RareMembers(made.release, static_cast<uint64_t>(made.requirement.k));
  DescribePlan(original, plan, made, outcome);
  outcome.input_columns = all_columns.size();
  outcome.mixed_missing = CountMixedMissing(made.release);
  outcome.columns = DescribeColumns(original, plan, made.bound);
  for (const std::string& name : all_columns) {
    const auto column = std::ranges::find(outcome.columns, name, &Outcome::Column::name);
    if (column != outcome.columns.end() && column->role != "none") continue;
    outcome.dropped_columns.push_back(name.empty() ? "(without a name)" : name);
  }
  DescribeNotes(plan, made.notes, outcome);
  outcome.peak_memory_mb = PeakMemoryMb();
}

void DescribeRawValues(const Table& original, const Release& release, Outcome& outcome) {
  outcome.report_raw = true;
  AddExtremes(original, outcome.columns);
  outcome.raw_sample =  // of the people of Sample(), as they were
      FirstRows(original, release.row_order.size(), [&](size_t i) { return release.row_order[i]; });
}

}  // namespace tada
