#include "commands/judge/attack.h"

#include <map>
#include <optional>

#include "audit/classes/classes.h"
#include "base/option_mark.h"
#include "commands/context/report_file.h"
#include "commands/judge/minimality.h"
#include "plan/plan_columns.h"
#include "privacy/models/max_risk.h"
#include "report/attack_report.h"
#include "report/draw/report_page.h"
#include "report/verdict/population_text.h"
#include "run/inspect/weights.h"
#include "run/protect/clip.h"
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
  TADA_CHECK_OK(ClipTable(plan, file.table));
  return std::move(file.table);
}

// What the classes of a table tell about the population.
Result<std::optional<PopulationRisk>> MeasureTable(const Table& table, const Plan& plan, const Workers& workers) {
  const Demand* demand = RiskDemand(plan.requirement);
  if (demand == nullptr) return std::optional<PopulationRisk>();
  std::vector<ColumnId> quasi;
  for (const PlannedColumn& column : plan.quasi) quasi.push_back(table.Find(column.name).value());
  const Classes classes = FindClasses(table, quasi, workers);
  const auto k = static_cast<uint64_t>(plan.requirement.k);
  if (!demand->column.empty()) {
    const auto id = table.Find(demand->column);
    if (!id) return std::optional<PopulationRisk>();
    TADA_TRY(weights, WeightOfCodes(table.column(*id)));
    std::vector<WeightedClass> weighted(classes.count());
    for (size_t index = 0; index < classes.count(); ++index) {
      weighted[index].members = classes.size(index);
      for (const RowId row : classes.members(index)) weighted[index].people += weights[table.column(*id).codes()[row]];
    }
    return MeasurePopulation(weighted, k);
  }
  std::map<uint64_t, uint64_t> sizes;
  for (size_t index = 0; index < classes.count(); ++index) ++sizes[classes.size(index)];
  return MeasurePopulation(ClassSizes(sizes.begin(), sizes.end()), SampledFromOf(plan.requirement), k);
}

// The size of a population is a number; anything else is a file with its people.
OptionValues WithoutPopulationFile(const OptionValues& options) {
  if (!PopulationFile(options)) return options;
  OptionValues others;
  for (const auto& [name, values] : options.all()) {
    if (name != "population") others.Set(name, values);
  }
  return others;
}

std::string AttackPage(const AttackResult& result, const std::string& release) {
  return ToHtml(ReportPage{"What the release gives away", release, "Not for publication: it says whom an attack finds.",
                           "", AttackSections(result)});
}

}  // namespace

std::optional<std::string> PopulationFile(const OptionValues& options) {
  std::string text = options.Text("population");
  if (text.empty() || text.find_first_not_of("0123456789") == std::string::npos) return std::nullopt;
  return text;
}

Result<AttackRequest> AttackRequestFrom(const PlanFile& file, const OptionValues& options) {
  AttackRequest request;
  TADA_TRY(plan, PlanFromFile(file, WithoutPopulationFile(options)));
  if (plan.recode == "mean") {
    return InvalidArgument("attack reads what cells cover, and means (" TADA_OPTION("recode=mean") ") cover nobody")
        .WithHint("Attack a release of intervals and sets.");
  }
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
  if (RiskDemand(request.plan.requirement) != nullptr && !request.plan.person.empty()) {
    result.notes.emplace_back(
        "What the tables tell about the population is not estimated where people have several rows: 'tada inspect' "
        "does it for the original.");
  } else {
    TADA_TRY(of_original, MeasureTable(before, request.plan, workers));
    TADA_TRY(of_release, MeasureTable(released, request.plan, workers));
    result.original_population = of_original;
    result.released_population = of_release;
  }
  context.progress.Clear();
  TADA_CHECK_OK(WriteReportFile(
      request.report, request.force, [&] { return AttackJson(result); },
      [&] { return AttackPage(result, release.name()); }));
  return result;
}

}  // namespace tada
