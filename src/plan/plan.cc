#include "plan/plan.h"

#include <algorithm>

#include "base/option_mark.h"
#include "plan/check_plan.h"
#include "plan/methods.h"
#include "plan/option_groups.h"
#include "plan/read_plan.h"
#include "privacy/check/requirements.h"

namespace tada {
namespace {

Result<char> ReadDelimiter(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  const bool usable = text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x80 && text[0] != '"' &&
                      text[0] != '\n' && text[0] != '\r' && text[0] != '\0';
  if (!usable) {
    return InvalidArgument(TADA_OPTION("delimiter") " takes one character, no quote and no line end, not '{}'", text)
        .WithHint("For example: " TADA_OPTION("delimiter=';'") " or " TADA_OPTION("delimiter=tab"));
  }
  return text[0];
}

/// dop's --column-weights was called --weights, which takes a column now: its three words still mean what they did.
OptionValues WithNewNames(const OptionValues& given) {
  const std::string word = given.Text("weights");
  if (word != "uniform" && word != "cardinality" && word != "inverse") return given;
  OptionValues values;
  for (const auto& [name, texts] : given.all()) values.Set(name == "weights" ? "column-weights" : name, texts);
  return values;
}

/// The file's values under the stronger ones. Controllers come from a number or from a column: naming one of them on the
/// command line replaces whichever the file named.
OptionValues Overridden(const PlanFile& file, const OptionValues& stronger) {
  OptionValues values;
  for (const auto& [name, given] : file.values.all()) {
    const bool replaced = (name == "controllers" && stronger.Has("controller-column")) ||
                          (name == "controller-column" && stronger.Has("controllers"));
    if (!replaced) values.Set(name, given);
  }
  values.Override(WithNewNames(stronger));
  return values;
}

/// Checks what a plan is made of, options of methods among it; the rest is the command's.
Status ValidatePlanned(const OptionValues& values) {
  const OptionSpecs specs = Join({PlanOptions(), AllMethodOptions()});
  OptionValues planned;
  for (const auto& [name, given] : values.all()) {
    if (FindOption(specs, name) != nullptr) planned.Set(name, given);
  }
  return ValidateValues(specs, planned);
}

std::optional<Task> TaskOf(std::string_view word) {
  for (const Task task : {Task::kNone, Task::kClassification, Task::kRegression, Task::kClustering}) {
    if (word == TaskName(task)) return task;
  }
  return std::nullopt;
}

void ReadMethodOptions(const PlanFile& file, const OptionValues& values, Plan& plan) {
  const auto of_file = file.methods.find(ChosenMethod(plan));
  if (of_file != file.methods.end()) plan.method_options = of_file->second;
  for (const auto& [name, given] : values.all()) {
    if (!MethodsTaking(name).empty()) plan.method_options.Set(name, given);
  }
}

Status ReadRoles(const PlanFile& file, const OptionValues& values, Plan& plan) {
  for (const auto& [role, list] : {std::pair{"quasi", &Plan::quasi}, std::pair{"sensitive", &Plan::sensitive},
                                   std::pair{"label", &Plan::label}, std::pair{"keep", &Plan::keep}}) {
    TADA_TRY(columns, ReadRole(file, values, role));
    plan.*list = std::move(columns);
  }
  for (const auto& [name, column] : file.columns) plan.described.push_back(name);
  return Ok();
}

/// What is required, of whom, and what a policy adds to it.
Status ReadRequirements(const PlanFile& file, const OptionValues& values, Plan& plan) {
  TADA_CHECK_OK(ReadRequirement(values, plan.requirement));
  TADA_CHECK_OK(ReadPseudonyms(values, plan));
  TADA_CHECK_OK(ReadPeople(values, plan));
  TADA_TRY(policy, ReadPolicy(values.Text("profile")));
  TADA_CHECK_OK(FollowPolicy(policy, values, plan));
  TADA_CHECK_OK(ReadControllers(file, values, plan));
  for (const auto& [name, own] : plan.controller_requirements) {
    if (own.k >= policy.k && own.l >= policy.l) continue;
    return InvalidArgument("[controllers.{}] asks for less than " TADA_OPTION("profile={}") ": k={}, l={}", name,
                           policy.name, policy.k, policy.l);
  }
  plan.profile = values.Text("profile");
  return Ok();
}

/// How the input is read.
Status ReadReading(const OptionValues& values, Plan& plan) {
  plan.show_values = values.Flag("show-values");
  if (values.Has("missing")) plan.missing = values.List("missing");
  if (values.Has("delimiter")) {
    TADA_TRY(delimiter, ReadDelimiter(values.Text("delimiter")));
    plan.delimiter = delimiter;
  }
  plan.charset = values.Text("charset");
  plan.sheet = values.Text("sheet");
  return Ok();
}

/// How it is worked on.
void ReadWorking(const OptionValues& values, Plan& plan) {
  plan.seed = static_cast<uint64_t>(values.Integer("seed", 1));
  plan.threads = static_cast<int>(values.Integer("threads", 0));
  plan.keep_order = values.Flag("keep-order");
  plan.guard_formulas = values.Flag("guard-formulas");
  plan.safe = values.Integer("safe", 0);
}

/// A sensitive column is released as it is: a hierarchy of it only tells how far its values are apart.
Status CheckSensitiveHierarchies(const Plan& plan) {
  std::vector<const Requirement*> asked{&plan.requirement};
  for (const auto& [name, requirement] : plan.controller_requirements) asked.push_back(&requirement);
  for (const PlannedColumn& column : plan.sensitive) {
    const bool used = std::ranges::any_of(asked, [&](const Requirement* requirement) {
      return std::ranges::any_of(requirement->more, [&](const Demand& demand) {
        return demand.kind == "hierarchy" && (demand.column.empty() || demand.column == column.name);
      });
    });
    if (column.hierarchy.empty() || used) continue;
    return InvalidArgument("Column '{}' is sensitive, and is released as it is: its hierarchy has no use", column.name)
        .WithHint(fmt::format("Leave it out, or ask for " TADA_OPTION("closeness={}=<t>:hierarchy") ".", column.name));
  }
  return Ok();
}

Status CheckControllers(const Plan& plan) {
  for (const auto& [name, requirement] : plan.controller_requirements) {
    if (plan.controller_column.empty()) {
      return InvalidArgument("[controllers.{}] of the plan needs controller-column", name)
          .WithHint("Name the column whose values are the controllers: controller-column = \"hospital\".");
    }
    TADA_CHECK_OK(CheckRequirement(requirement, !plan.sensitive.empty()));
  }
  return Ok();
}

/// Numbers have an order, and need no other.
Status CheckOrders(const Plan& plan) {
  for (const auto* columns : {&plan.person, &plan.quasi, &plan.sensitive, &plan.label, &plan.keep, &plan.pseudonym}) {
    for (const PlannedColumn& column : *columns) {
      if (column.kind != Kind::kNumeric || (column.order.empty() && !column.order_of_appearance)) continue;
      return InvalidArgument("Column '{}' is numeric, so its order is that of its numbers: kind = \"numeric\", order",
                             column.name)
          .WithHint("Leave the order out of the plan, or make the column ordinal.");
    }
  }
  return Ok();
}

}  // namespace

Result<Plan> DraftPlan(const PlanFile& file, const OptionValues& stronger) {
  const OptionValues values = Overridden(file, stronger);
  TADA_CHECK_OK(ValidatePlanned(values));
  Plan plan;
  TADA_CHECK_OK(ReadRoles(file, values, plan));
  TADA_CHECK_OK(ReadRequirements(file, values, plan));
  if (values.Has("task")) plan.task = TaskOf(values.Text("task"));
  plan.method = values.Text("method");
  if (values.Has("method") && plan.method.empty()) return InvalidArgument(TADA_OPTION("method") " has no name");
  TADA_CHECK_OK(ReadReading(values, plan));
  ReadWorking(values, plan);
  TADA_CHECK_OK(ReadCells(values, plan));
  TADA_CHECK_OK(ReadHierarchies(values, plan));
  plan.about = file.about;
  ReadMethodOptions(file, values, plan);
  return plan;
}

Status CheckPlan(const Plan& plan) {
  TADA_CHECK_OK(CheckRoles(plan));
  TADA_CHECK_OK(CheckAllowed(plan));
  TADA_CHECK_OK(CheckPeople(plan));
  TADA_CHECK_OK(CheckCells(plan));
  TADA_CHECK_OK(CheckOutliers(plan));
  TADA_CHECK_OK(CheckPseudonyms(plan));
  if (plan.quasi.empty()) {
    return InvalidArgument("No quasi-identifier is given: " TADA_OPTION(
                               "quasi") " names the columns that somebody could look a person up by")
        .WithHint("'tada inspect <input>' proposes roles, and --write-plan drafts a plan from them.");
  }
  TADA_CHECK_OK(CheckRequirement(plan.requirement, !plan.sensitive.empty()));
  TADA_CHECK_OK(CheckSensitiveHierarchies(plan));
  TADA_CHECK_OK(CheckControllers(plan));
  const bool predicts = plan.task == Task::kClassification || plan.task == Task::kRegression;
  if (predicts && plan.label.empty()) {
    return InvalidArgument(TADA_OPTION("task={}") " needs " TADA_OPTION("label") ", the column to predict",
                           TaskName(*plan.task));
  }
  TADA_CHECK_OK(CheckOrders(plan));
  return CheckMethod(plan);
}

Result<Plan> PlanFromFile(const PlanFile& file, const OptionValues& stronger) {
  TADA_TRY(plan, DraftPlan(file, stronger));
  TADA_CHECK_OK(CheckPlan(plan));
  return plan;
}

Result<Plan> PlanForAudit(const PlanFile& file, const OptionValues& stronger) {
  TADA_TRY(plan, PlanFromFile(file, stronger));
  if (AsksForRequirement(stronger)) plan.controller_requirements.clear();
  return plan;
}

Result<Plan> PlanFromValues(const OptionValues& values) { return PlanFromFile({}, values); }

}  // namespace tada
