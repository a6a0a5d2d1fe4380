#include "run/read_release.h"

#include <algorithm>

#include "base/option_mark.h"
#include "plan/plan_columns.h"
#include "plan/weights_column.h"
#include "run/inspect/guard_people.h"
#include "run/protect/clip.h"
#include "run/protect/input_notes.h"
#include "run/read_options.h"

namespace tada {
namespace {

// The controller column says how a release was made; neither table need have it.
Plan WithoutController(Plan plan) {
  plan.controller_column.clear();
  return plan;
}

// Ranges and arrays of a database are cells of a release; a table of people has none.
Status RefuseCells(const TableFile& file, const std::string& name) {
  if (file.format != "postgresql" || file.typed_cells.empty()) return Ok();
  const auto& [column, kind] = *file.typed_cells.begin();
  return DataError("{}: column '{}' holds {}, not values of people", name, column,
                   kind == Kind::kNumeric ? "ranges" : "arrays")
      .WithHint("Leave it out, or turn it into a text or a number: " TADA_OPTION("query") " \"select ...\".");
}

}  // namespace

Result<TableFile> ReadReleaseFile(Source& source, const Plan& plan, const Workers& workers, Progress& progress) {
  // A release of tada is UTF-8, whatever its input was: --charset is for those that are not.
  ReadOptions options = ReleaseReadOptions(plan);
  options.charset.clear();
  Result<TableFile> read = source.Read(options, workers, progress);
  if (!read.ok() && read.error().code == ErrorCode::kData && !plan.charset.empty()) {
    options.charset = plan.charset;
    read = source.Read(options, workers, progress);
  }
  TADA_TRY(file, std::move(read));
  TADA_CHECK_OK(CheckPlannedColumns(WithoutController(plan), file.all_columns, source.name()));
  return file;
}

Result<Table> ReadRelease(Source& source, const Plan& plan, const Workers& workers, Progress& progress) {
  TADA_TRY(file, ReadReleaseFile(source, plan, workers, progress));
  return std::move(file.table);
}

Result<Table> ReadOriginal(Source& source, const Plan& plan, const Table& release, const Workers& workers,
                           Progress& progress) {
  TADA_TRY(header, source.Header(PlannedLayout(plan)));
  TADA_CHECK_OK(CheckPlannedColumns(WithoutController(plan), header, source.name()));
  TADA_CHECK_OK(CheckPersonColumns(plan, header, source.name()));
  ReadOptions options = OriginalReadOptions(plan);
  options.columns.emplace();
  const std::vector<std::string> weighted = WeightsColumns(plan);
  for (const std::string& name : header) {
    const bool person = std::ranges::find(plan.person, name, &PlannedColumn::name) != plan.person.end();
    const bool own_k = name == plan.requirement.k_column;
    const bool weights = std::ranges::find(weighted, name) != weighted.end();
    const bool apart =
        !plan.person.empty() && name == plan.controller_column;  // its values keep people together, each its own
    if (release.Find(name) || person || own_k || weights || apart) options.columns->push_back(name);
  }
  TADA_TRY(file, source.Read(options, workers, progress));
  TADA_CHECK_OK(CheckDecided(file.table, plan));
  TADA_CHECK_OK(ClipTable(plan, file.table));
  return std::move(file.table);
}

Status CheckHasRows(const Table& table, const std::string& name) {
  if (table.num_rows() > 0) return Ok();
  return DataError("No rows below the header: {}", name).WithHint("Is it the right file?");
}

Result<TableFile> ReadPlanned(Source& source, const Plan& plan, const Workers& workers, Progress& progress) {
  ReadOptions options = PlannedReadOptions(plan);
  if (source.has_header()) {
    TADA_TRY(header, source.Header(PlannedLayout(plan)));
    TADA_CHECK_OK(CheckInputColumns(plan, header, source.name()));
    for (const std::string& name : ColumnsToGuard(plan, header)) {
      const ColumnOptions as{.kind = Kind::kCategorical, .missing = plan.missing};
      if (options.by_name.try_emplace(name, as).second) options.columns->push_back(name);
    }
  } else if (!plan.rows_are_people && plan.person.empty()) {
    options.also = &NamesPeople;  // what ColumnsToGuard() would name
  }
  TADA_TRY(file, source.Read(options, workers, progress));
  TADA_CHECK_OK(CheckInputColumns(plan, file.all_columns, source.name()));
  TADA_CHECK_OK(RefuseCells(file, source.name()));
  TADA_CHECK_OK(CheckDecided(file.table, plan));
  TADA_CHECK_OK(GuardPeople(file.table, ColumnsToGuard(plan, file.all_columns)));
  TADA_CHECK_OK(ClipTable(plan, file.table));
  return file;
}

}  // namespace tada
