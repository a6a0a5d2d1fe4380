#include "commands/judge/inspect.h"

#include "files/write.h"
#include "plan/option_groups.h"
#include "plan/plan_columns.h"
#include "privacy/check/requirements.h"
#include "privacy/models/max_risk.h"
#include "run/protect/input_notes.h"
#include "run/read_options.h"

namespace tada {
namespace {

// A draft need not be complete, but what it says must not contradict itself.
Status CheckDraft(Plan draft) {
  if (draft.quasi.empty()) draft.quasi.push_back({.name = std::string(1, '\0')});  // no column has this name
  if (draft.sensitive.empty()) draft.requirement.l = 1;
  return CheckPlan(draft);
}

}  // namespace

OptionSpecs InspectCommandOptions() {
  const OptionSpecs columns = RoleOptions();
  return Join(
      {Without(columns, {"rows-are-people", "allow", "hierarchies", "hierarchy"}),
       Only(RequirementOptionSpecs(),
            {"k", "l", "weights", "sampling", "population", "exact-values", "missing-counts"}),
       Without(InputOptions(), {"plan"}),
       QueryOption(),
       Only(OutputOptions(), {"force"}),
       {{.name = "write-plan",
         .type = OptionType::kText,
         .value_name = "file.toml",
         .section = "Output",
         .help = "Write a commented draft of a plan from what is proposed, for 'tada anonymize --plan'."}},
       {{.name = "hipaa",
         .type = OptionType::kFlag,
         .section = "Output",
         .help = "Show what the table has of the eighteen classes of identifiers of HIPAA's Safe Harbor rule."}},
       {{.name = "suda",
         .type = OptionType::kInteger,
         .value_name = "columns",
         .minimum = 1,
         .maximum = 64,
         .section = "Output",
         .help = "Look for special uniques: rows that at most this many quasi-identifiers already tell apart. Score "
                 "rows and columns (SUDA)."}},
       {{.name = "row-risks",
         .type = OptionType::kText,
         .value_name = "file.csv",
         .section = "Output",
         .help = "Write the risk of every row: its class, the people it stands for, the chance of finding it and, with "
                 "--suda, its score. Not for publication."}},
       Only(OutputOptions(), {"json"}),
       Without(RunOptions(), {"seed", "memory"}),
       NotListed(Only(columns, {"rows-are-people", "allow"}))});
}

Result<InspectRequest> InspectRequestFrom(const PlanFile& file, const OptionValues& options) {
  TADA_TRY(plan, DraftPlan(file, options));
  TADA_CHECK_OK(CheckDraft(plan));
  InspectRequest request{std::move(plan)};
  request.questions.suda = static_cast<size_t>(options.Integer("suda", 0));
  request.row_risks = options.Text("row-risks");
  request.questions.rows = !request.row_risks.empty();
  request.force = options.Flag("force");
  return request;
}

Result<Profile> Inspect(const InspectRequest& request, Source& source, Context& context) {
  const Workers workers(request.plan.threads, &context.cancel);
  TADA_TRY(file, source.Read(OriginalReadOptions(request.plan), workers, context.progress));
  TADA_CHECK_OK(CheckPlannedColumns(request.plan, file.all_columns, source.name()));
  context.progress.Begin("inspect", 0);
  Profile profile = Inspect(file.table, request.plan);
  profile.notes = InputNotes(file, request.plan);
  AddColumnEffects(file.table, workers, profile);
  TADA_TRY(risk, MeasureProfileRisk(file.table, request.plan, profile, request.questions, workers));
  if (RiskDemand(request.plan.requirement) != nullptr && !risk.population && profile.rows > 0) {
    profile.notes.emplace_back(
        "what the table tells about the population is not estimated, since people have rows in several classes: their "
        "quasi-identifiers differ from row to row");
  }
  profile.risk = std::move(risk);
  context.progress.Clear();
  if (!request.row_risks.empty())
    TADA_CHECK_OK(WriteWhole(request.row_risks, request.force, RowRisksCsv(profile.risk)));
  return profile;
}

}  // namespace tada
