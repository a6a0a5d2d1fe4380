#include "run/audit_release.h"

#include <sys/resource.h>

#include <algorithm>

#include "table/select_rows.h"

namespace tada {
namespace {

constexpr size_t kSampleRows = 12;

bool Holds(const std::vector<ColumnId>& ids, ColumnId id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

AuditOptions OptionsFor(const Table& released, const Table& original, const Anonymized& made) {
  AuditOptions options;
  options.requirement = made.requirement;
  options.original = &original;
  options.order = made.release.row_order;
  for (ColumnId id = 0; id < released.num_columns(); ++id) {
    const auto source = original.Find(released.column(id).name());
    options.original_column.push_back(source);
    if (source && Holds(made.bound.roles.quasi, *source)) options.quasi.push_back(id);
    if (source && Holds(made.bound.roles.sensitive, *source)) options.sensitive.push_back(id);
  }
  return options;
}

// Small classes of one controller may hide among another's in the union. A failure is one of the whole release.
Status AuditControllers(const Table& released, const Anonymized& made, const AuditOptions& whole,
                        const Workers& workers, Outcome& outcome) {
  if (made.controllers.size() < 2) return Ok();
  std::vector<uint32_t> controller_of(made.release.group_of_row.size());
  for (uint32_t c = 0; c < made.controllers.size(); ++c) {
    for (const RowId row : made.controllers[c].rows) controller_of[row] = c;
  }
  std::vector<std::vector<RowId>> rows(made.controllers.size());
  for (RowId i = 0; i < released.num_rows(); ++i) rows[controller_of[made.release.row_order[i]]].push_back(i);
  for (size_t c = 0; c < rows.size(); ++c) {
    workers.Poll();
    AuditOptions options;
    options.quasi = whole.quasi;
    options.sensitive = whole.sensitive;
    options.requirement = made.controllers[c].requirement;
    TADA_TRY(verdict, Audit(SelectRows(released, rows[c]), options, workers));
    for (const std::string& problem : verdict.problems) {
      outcome.verdict.passed = false;
      outcome.verdict.problems.push_back(fmt::format("Controller {}: {}", made.controllers[c].name, problem));
    }
    outcome.controllers.push_back({made.controllers[c].name, std::move(verdict)});
  }
  return Ok();
}

std::vector<std::vector<std::string>> Sample(const Table& released) {
  std::vector<std::vector<std::string>> rows(1);
  for (const Column& column : released.columns()) rows[0].push_back(column.name());
  for (size_t row = 0; row < std::min(kSampleRows, released.num_rows()); ++row) {
    rows.emplace_back();
    for (const Column& column : released.columns()) rows.back().emplace_back(column.text(column.codes()[row]));
  }
  return rows;
}

// The people of Sample() as they were.
std::vector<std::vector<std::string>> RawSample(const Table& table, const Release& release) {
  std::vector<std::vector<std::string>> rows(1);
  for (const Column& column : table.columns()) rows[0].push_back(column.name());
  for (size_t i = 0; i < std::min(kSampleRows, release.row_order.size()); ++i) {
    rows.emplace_back();
    for (const Column& column : table.columns())
      rows.back().emplace_back(column.text(column.codes()[release.row_order[i]]));
  }
  return rows;
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

std::vector<Outcome::Column> DescribeColumns(const Table& table, const Roles& roles) {
  std::vector<Outcome::Column> columns;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    const Column& column = table.column(id);
    const char* role = Holds(roles.quasi, id)       ? "quasi-identifier"
                       : Holds(roles.sensitive, id) ? "sensitive"
                       : Holds(roles.label, id)     ? "label"
                       : Holds(roles.keep, id)      ? "kept"
                                                    : "controller";
    uint64_t missing = 0;
    if (column.num_missing() > 0) {
      column.codes().Visit([&](auto codes) {
        for (const auto code : codes) missing += column.is_missing(code) ? 1 : 0;
      });
    }
    columns.push_back({column.name(), role, std::string(KindName(column.kind())), column.num_values(), missing});
  }
  return columns;
}

double PeakMemoryMb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace

ColumnOptions ReleasedColumnDefaults() { return {.kind = Kind::kCategorical, .missing = {}}; }

std::map<std::string, ColumnOptions> ReleasedColumnOptions(const Plan& plan) {
  std::map<std::string, ColumnOptions> options;
  for (const PlannedColumn& column : plan.sensitive) {
    options[column.name] = {.kind = column.kind, .missing = plan.missing};
  }
  for (const auto* unchanged : {&plan.label, &plan.keep}) {
    for (const PlannedColumn& column : *unchanged) {
      options[column.name] = {.kind = Kind::kCategorical, .missing = plan.missing};
    }
  }
  return options;
}

Status AuditRelease(const Table& released, const Table& original, const Anonymized& made, const Workers& workers,
                    Outcome& outcome) {
  const AuditOptions options = OptionsFor(released, original, made);
  TADA_TRY(verdict, Audit(released, options, workers));
  outcome.verdict = std::move(verdict);
  TADA_CHECK_OK(AuditControllers(released, made, options, workers, outcome));
  outcome.sample = Sample(released);
  return Ok();
}

void DescribeRun(const Table& original, const std::vector<std::string>& all_columns, const Plan& plan,
                 const Anonymized& made, const Workers& workers, Outcome& outcome) {
  outcome.score = Score(made.release, workers);
  outcome.method = made.bound.method;
  outcome.stages = made.stages;
  outcome.plan = plan;
  outcome.plan.method = made.bound.method;
  outcome.plan.task = made.bound.task;
  outcome.input_rows = original.num_rows();
  outcome.input_columns = all_columns.size();
  outcome.withheld_rows = original.num_rows() - made.release.row_order.size();
  outcome.columns = DescribeColumns(original, made.bound.roles);
  for (const std::string& name : all_columns) {
    if (!original.Find(name)) outcome.dropped_columns.push_back(name);
  }
  outcome.warnings = made.notes.warnings;
  outcome.sections = made.notes.sections;
  outcome.peak_memory_mb = PeakMemoryMb();
}

void DescribeRawValues(const Table& original, const Release& release, Outcome& outcome) {
  outcome.report_raw = true;
  AddExtremes(original, outcome.columns);
  outcome.raw_sample = RawSample(original, release);
}

}  // namespace tada
