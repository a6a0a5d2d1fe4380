#include "commands/judge/compare.h"

#include <algorithm>

#include "base/option_mark.h"
#include "commands/context/report_file.h"
#include "report/compare_report.h"
#include "run/read_release.h"

namespace tada {
namespace {

// The last part of a path where that tells the files apart, else the whole path.
std::vector<std::string> ShortNames(std::span<Source* const> sources) {
  std::vector<std::string> names;
  for (const Source* source : sources) names.push_back(source->name().substr(source->name().find_last_of('/') + 1));
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) == sorted.end()) return names;
  for (size_t i = 0; i < sources.size(); ++i) names[i] = sources[i]->name();
  return names;
}

// A table that has the columns of all releases, so that the original is read once.
Table AllColumns(const std::vector<Table>& tables) {
  std::vector<Column> columns;
  for (const Table& table : tables) {
    for (const Column& column : table.columns()) {
      if (std::ranges::find(columns, column.name(), &Column::name) == columns.end()) {
        columns.push_back(column.Select({}));
      }
    }
  }
  return Table(std::move(columns));
}

}  // namespace

Result<CompareRequest> CompareRequestFrom(const PlanFile& file, const OptionValues& options) {
  CompareRequest request;
  TADA_TRY(plan, PlanForAudit(file, options));
  if (plan.recode == "mean") {
    return InvalidArgument("compare reads what cells cover, and means (" TADA_OPTION("recode=mean") ") cover nobody")
        .WithHint("Leave it out of the plan; 'tada audit --original' says what means lose.");
  }
  request.plan = std::move(plan);
  request.options.queries =
      static_cast<uint64_t>(options.Integer("queries", static_cast<int64_t>(request.options.queries)));
  request.options.max_people =
      static_cast<uint64_t>(options.Integer("people", static_cast<int64_t>(request.options.max_people)));
  if (options.Has("workload")) {
    TADA_TRY(workload, ReadWorkload(options.Text("workload")));
    request.options.workload = std::move(workload);
  }
  request.report = options.Text("report");
  request.force = options.Flag("force");
  return request;
}

Result<Comparison> Compare(const CompareRequest& request, std::span<Source* const> releases, Source& original,
                           Context& context) {
  TADA_CHECK_OK(CheckReportFile(request.report, request.force));
  const Workers workers(request.plan.threads, &context.cancel);
  std::vector<Table> tables;
  for (Source* source : releases) {
    TADA_TRY(table, ReadRelease(*source, request.plan, workers, context.progress));
    TADA_CHECK_OK(CheckHasRows(table, source->name()));
    tables.push_back(std::move(table));
  }
  TADA_TRY(before, ReadOriginal(original, request.plan, AllColumns(tables), workers, context.progress));
  TADA_CHECK_OK(CheckHasRows(before, original.name()));
  const std::vector<std::string> names = ShortNames(releases);
  std::vector<NamedRelease> named;
  for (size_t i = 0; i < tables.size(); ++i) named.push_back({names[i], &tables[i]});
  const std::string original_name = original.name().substr(original.name().find_last_of('/') + 1);
  context.progress.Begin("compare", 0);
  TADA_TRY(comparison,
           Compare(named, {original_name, &before}, request.plan, request.options, workers, context.progress));
  context.progress.Clear();
  TADA_CHECK_OK(WriteReportFile(
      request.report, request.force, [&] { return CompareJson(comparison); }, [&] { return CompareHtml(comparison); }));
  return comparison;
}

}  // namespace tada
