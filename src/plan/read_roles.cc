#include <algorithm>

#include "base/option_mark.h"
#include "plan/read_plan.h"
#include "privacy/check/requirements.h"

namespace tada {
namespace {

// What the file says of a column, where the list that names it does not.
void AddDescription(const PlanFile& file, PlannedColumn& column) {
  const auto found = file.columns.find(column.name);
  if (found == file.columns.end()) return;
  if (!column.kind) {
    column.kind = found->second.kind;
    column.dates = found->second.dates;
    column.format = found->second.format;
  }
  column.order = found->second.order;
  column.order_of_appearance = found->second.order_of_appearance;
  column.hierarchy = found->second.hierarchy;
}

// Takes a suffix off a name, `visit:month`; which one, or nothing.
std::optional<std::string_view> TakeSuffix(std::initializer_list<std::string_view> suffixes, std::string& name) {
  for (const std::string_view suffix : suffixes) {
    if (!name.ends_with(fmt::format(":{}", suffix))) continue;
    name.resize(name.size() - suffix.size() - 1);
    return suffix;
  }
  return std::nullopt;
}

// The column of the plan whose name and equal sign a text begins with; the longest, since names may hold equal signs.
PlannedColumn* ColumnOfText(const std::string& text, Plan& plan) {
  PlannedColumn* longest = nullptr;
  for (std::vector<PlannedColumn>* columns : {&plan.quasi, &plan.sensitive}) {
    for (PlannedColumn& column : *columns) {
      if (text.starts_with(column.name + "=") && (longest == nullptr || column.name.size() > longest->name.size()))
        longest = &column;
    }
  }
  return longest;
}

}  // namespace

Result<std::vector<PlannedColumn>> ReadRole(const PlanFile& file, const OptionValues& values, std::string_view role) {
  std::vector<PlannedColumn> columns;
  for (const std::string& text : values.List(role)) {
    PlannedColumn column = ParsePlannedColumn(text, role == "label");
    if (column.name.empty()) return InvalidArgument(TADA_OPTION("{}") " has a column without a name", role);
    if (std::ranges::find(columns, column.name, &PlannedColumn::name) != columns.end()) {
      return InvalidArgument(TADA_OPTION("{}") " names a column twice: {}", role, column.name);
    }
    AddDescription(file, column);
    TADA_CHECK_OK(Writing::Parse(column.format));
    if (!column.order.empty() && !column.kind) column.kind = Kind::kOrdinal;  // why else would it have an order
    columns.push_back(std::move(column));
  }
  return columns;
}

Status ReadPseudonyms(const OptionValues& values, Plan& plan) {
  for (const std::string& name : values.List("pseudonym")) {
    if (name.empty()) return InvalidArgument(TADA_OPTION("pseudonym") " has a column without a name");
    plan.pseudonym.push_back({.name = name});
  }
  for (std::string name : values.List("shift-dates")) {
    Plan::ShiftedDates dates;
    if (const auto resolution = TakeSuffix({"day", "month", "year"}, name)) dates.resolution = *resolution;
    if (name.empty()) return InvalidArgument(TADA_OPTION("shift-dates") " has a column without a name");
    dates.name = std::move(name);
    plan.shift_dates.push_back(std::move(dates));
  }
  plan.key = values.Text("key");
  plan.domain = values.Text("key-domain");
  return Ok();
}

Status ReadPeople(const OptionValues& values, Plan& plan) {
  std::optional<Persons> mode;
  for (std::string name : values.List("person")) {
    if (const auto suffix = TakeSuffix({PersonsName(Persons::kTogether), PersonsName(Persons::kApart)}, name)) {
      const Persons said = *suffix == PersonsName(Persons::kApart) ? Persons::kApart : Persons::kTogether;
      if (mode && *mode != said) return InvalidArgument(TADA_OPTION("person") " cannot be both together and apart");
      mode = said;
    }
    if (name.empty()) return InvalidArgument(TADA_OPTION("person") " has a column without a name");
    if (std::ranges::find(plan.person, name, &PlannedColumn::name) != plan.person.end()) {
      return InvalidArgument(TADA_OPTION("person") " names a column twice: {}", name);
    }
    plan.person.push_back({.name = std::move(name)});
  }
  if (plan.person.empty() && !plan.pseudonym.empty()) {
    for (const PlannedColumn& column : plan.pseudonym) plan.person.push_back({.name = column.name});
  }
  if (!plan.person.empty()) plan.requirement.persons = mode.value_or(Persons::kTogether);
  plan.rows_are_people = values.Flag("rows-are-people");
  plan.allow = values.List("allow");
  return Ok();
}

Status ReadControllers(const PlanFile& file, const OptionValues& values, Plan& plan) {
  plan.controllers = values.Integer("controllers", 1);
  plan.controller_column = values.Text("controller-column");
  if (values.Has("controllers") && values.Has("controller-column")) {
    return InvalidArgument(TADA_OPTION("controllers") " and " TADA_OPTION("controller-column") " cannot go together")
        .WithHint("The first splits rows at random, the second by a column of the table: leave one out.");
  }
  if (values.Has("controller-column") && plan.controller_column.empty()) {
    return InvalidArgument(TADA_OPTION("controller-column") " has a column without a name");
  }
  if (values.Has("controllers")) return Ok();  // the command line replaced the column that the file's sections speak of
  for (const auto& [name, asked] : file.controllers) {
    Requirement requirement = plan.requirement;
    TADA_CHECK_OK(ReadRequirement(asked, requirement));
    if (requirement.exact_values != plan.requirement.exact_values ||
        requirement.missing_counts != plan.requirement.missing_counts) {
      return InvalidArgument("[controllers.{}]: what counts as one value is the same for all controllers", name)
          .WithHint("Write exact-values and missing-counts at the top of the plan.");
    }
    plan.controller_requirements[name] = requirement;
  }
  return Ok();
}

Status ReadHierarchies(const OptionValues& values, Plan& plan) {
  plan.hierarchies = values.Text("hierarchies");
  for (const std::string& text : values.List("hierarchy")) {
    PlannedColumn* column = ColumnOfText(text, plan);
    if (column == nullptr) {
      return InvalidArgument(TADA_OPTION("hierarchy") " is for a quasi-identifier: {}", text)
          .WithHint("Write <column>=<file> or <column>=<builder> with a column of " TADA_OPTION(
              "quasi") ", as in " TADA_OPTION("hierarchy=age=width:5"));
    }
    column->hierarchy = text.substr(column->name.size() + 1);
    if (column->hierarchy.empty())
      return InvalidArgument(TADA_OPTION("hierarchy") " names no file and no builder: {}", text);
  }
  return Ok();
}

}  // namespace tada
