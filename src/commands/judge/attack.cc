#include "commands/judge/attack.h"

#include <optional>

#include "commands/context/report_file.h"
#include "commands/judge/minimality.h"
#include "plan/plan_columns.h"
#include "report/attack_report.h"
#include "report/draw/report_page.h"
#include "run/read_options.h"
#include "run/read_release.h"

namespace tada {
namespace {

Result<Table> ReadPopulation(Source& source, const Plan& plan, const Workers& workers, Progress& progress) {
  Plan quasi_only = plan;
  quasi_only.sensitive.clear();
  TADA_TRY(header, source.Header(PlannedLayout(plan)));
  TADA_CHECK_OK(CheckPlannedColumns(quasi_only, header, source.name()));
  TADA_TRY(file, source.Read(PlannedReadOptions(quasi_only), workers, progress));
  return std::move(file.table);
}

Status CheckHasRows(const Table& table, const std::string& name) {
  if (table.num_rows() > 0) return Ok();
  return DataError("No rows below the header: {}", name).WithHint("Is it the right file?");
}

std::string AttackPage(const AttackResult& result, const std::string& release) {
  return ToHtml(ReportPage{"What the release gives away", release, "Not for publication: it says whom an attack finds.",
                           "", AttackSections(result)});
}

}  // namespace

Result<AttackRequest> AttackRequestFrom(const PlanFile& file, const OptionValues& options) {
  AttackRequest request;
  TADA_TRY(plan, PlanFromFile(file, options));
  request.plan = std::move(plan);
  request.plan.controller_column.clear();  // says how a release was made
  request.options.knows_method = options.Flag("knows-method");
  if (!request.options.knows_method) request.plan.label.clear();
  request.plan.keep.clear();
  for (const PlannedColumn& column : request.plan.quasi) request.options.quasi.push_back(column.name);
  for (const PlannedColumn& column : request.plan.sensitive) request.options.sensitive.push_back(column.name);
  for (const PlannedColumn& column : request.plan.person) request.options.person.push_back(column.name);
  request.options.subset_size =
      static_cast<size_t>(options.Integer("subsets", static_cast<int64_t>(request.options.subset_size)));
  request.options.max_people =
      static_cast<uint64_t>(options.Integer("people", static_cast<int64_t>(request.options.max_people)));
  request.options.seed = request.plan.seed;
  request.options.exact_values = request.plan.requirement.exact_values;
  request.report = options.Text("report");
  request.force = options.Flag("force");
  return request;
}

Result<AttackResult> Attack(const AttackRequest& request, Source& release, Source& original, Source* population,
                            Context& context) {
  TADA_CHECK_OK(CheckReportFile(request.report, request.force));
  const Workers workers(request.plan.threads, &context.cancel);
  TADA_TRY(released, ReadRelease(release, request.plan, workers, context.progress));
  TADA_CHECK_OK(CheckHasRows(released, release.name()));
  TADA_TRY(before, ReadOriginal(original, request.plan, released, workers, context.progress));
  TADA_CHECK_OK(CheckHasRows(before, original.name()));
  AttackOptions options = request.options;
  std::optional<Table> everybody;
  if (population != nullptr) {
    TADA_TRY(table, ReadPopulation(*population, request.plan, workers, context.progress));
    TADA_CHECK_OK(CheckHasRows(table, population->name()));
    everybody = std::move(table);
    options.population = &*everybody;
  }
  TADA_TRY(result, Attack(released, before, options, workers, context.progress));
  if (options.knows_method && !options.sensitive.empty()) {
    TADA_CHECK_OK(MeasureMinimality(before, request.plan, {}, workers, result));
  }
  context.progress.Clear();
  TADA_CHECK_OK(WriteReportFile(
      request.report, request.force, [&] { return AttackJson(result); },
      [&] { return AttackPage(result, release.name()); }));
  return result;
}

}  // namespace tada
