#include "commands/judge/compose.h"

#include "base/option_mark.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"
#include "run/read_options.h"

namespace tada {

OptionSpecs ComposeCommandOptions() {
  return Join({Only(RoleOptions(), {"quasi", "sensitive"}),
               Only(RequirementOptionSpecs(), {"k", "l", "closeness", "likeness", "disclosure", "alpha", "spread",
                                               "exact-values", "missing-counts"}),
               InputOptions(),
               {{.name = "overlap-key",
                 .type = OptionType::kText,
                 .value_name = "column",
                 .section = "Input",
                 .help = "Name the column that identifies a person in every release. Without it all classes that may "
                         "share a person are compared."}},
               Only(OutputOptions(), {"json"}),
               Without(RunOptions(), {"seed", "memory"})});
}

Result<ComposeRequest> ComposeRequestFrom(const PlanFile& file, const OptionValues& options) {
  ComposeRequest request;
  TADA_TRY(plan, PlanFromFile(file, options));
  if (plan.recode == "mean") {
    return InvalidArgument("compose reads what cells cover, and means (" TADA_OPTION("recode=mean") ") cover nobody")
        .WithHint("Compose releases of intervals and sets.");
  }
  request.plan = std::move(plan);
  for (const PlannedColumn& column : request.plan.quasi) request.options.quasi.push_back(column.name);
  for (const PlannedColumn& column : request.plan.sensitive) request.options.sensitive.push_back(column.name);
  request.options.key = options.Text("overlap-key");
  request.options.requirement = request.plan.requirement;
  std::erase_if(request.options.requirement.more, [](const Demand& demand) { return demand.name == "max-risk"; });
  for (const PlannedColumn& column : request.plan.sensitive) request.options.orders.push_back(column.order);
  for (const Demand& demand : request.plan.requirement.more) {
    if (demand.kind != "hierarchy") continue;
    return InvalidArgument("compose does not compare by a hierarchy: " TADA_OPTION("closeness={}"), DemandText(demand))
        .WithHint("Ask for 'equal' or 'ordered'.");
  }
  request.options.missing = request.plan.missing;
  return request;
}

Result<Composition> Compose(const ComposeRequest& request, std::span<Source* const> releases, Context& context) {
  const Workers workers(request.plan.threads, &context.cancel);
  std::vector<Table> tables;
  for (Source* source : releases) {
    TADA_TRY(file, source->Read(ReleaseReadOptions(request.plan), workers, context.progress));
    tables.push_back(std::move(file.table));
  }
  std::vector<ComposedRelease> composed;
  for (size_t i = 0; i < tables.size(); ++i) composed.push_back({releases[i]->name(), &tables[i]});
  context.progress.Begin("compose", 0);
  TADA_TRY(composition, Compose(composed, request.options, workers));
  context.progress.Clear();
  return composition;
}

}  // namespace tada
