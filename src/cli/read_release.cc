#include "cli/read_release.h"

#include "job/read_options.h"
#include "plan/plan_columns.h"

namespace tada {
namespace {

// The controller column says how a release was made; neither file need have it.
Plan WithoutController(Plan plan) {
  plan.controller_column.clear();
  return plan;
}

}  // namespace

Result<TableFile> ReadReleaseFile(const std::string& path, const Plan& plan, const Workers& workers,
                                  Progress& progress) {
  TADA_TRY(file, ReadTable(path, ReleaseReadOptions(plan), workers, progress));
  TADA_CHECK_OK(CheckPlannedColumns(WithoutController(plan), file.all_columns, path));
  return file;
}

Result<Table> ReadRelease(const std::string& path, const Plan& plan, const Workers& workers, Progress& progress) {
  TADA_TRY(file, ReadReleaseFile(path, plan, workers, progress));
  return std::move(file.table);
}

Result<Table> ReadOriginal(const std::string& path, const Plan& plan, const Table& release, const Workers& workers,
                           Progress& progress) {
  TADA_TRY(header, ReadHeader(path, plan.delimiter));
  TADA_CHECK_OK(CheckPlannedColumns(WithoutController(plan), header, path));
  ReadOptions options = OriginalReadOptions(plan);
  options.columns.emplace();
  for (const std::string& name : header) {
    if (release.Find(name)) options.columns->push_back(name);
  }
  TADA_TRY(file, ReadTable(path, options, workers, progress));
  return std::move(file.table);
}

}  // namespace tada
