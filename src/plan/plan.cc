#include "plan/plan.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "plan/methods.h"
#include "plan/option_groups.h"
#include "plan/policy.h"
#include "plan/weights_column.h"
#include "privacy/check/requirements.h"
#include "table/number.h"

namespace tada {
namespace {

Result<std::vector<PlannedColumn>> ReadColumns(const PlanFile& file, const OptionValues& values,
                                               std::string_view role) {
  std::vector<PlannedColumn> columns;
  for (const std::string& text : values.List(role)) {
    PlannedColumn column = ParsePlannedColumn(text, role == "label");
    if (column.name.empty()) return InvalidArgument("--{} has a column without a name", role);
    if (std::ranges::find(columns, column.name, &PlannedColumn::name) != columns.end()) {
      return InvalidArgument("--{} names a column twice: {}", role, column.name);
    }
    if (const auto found = file.columns.find(column.name); found != file.columns.end()) {
      if (!column.kind) {
        column.kind = found->second.kind;
        column.dates = found->second.dates;
        column.format = found->second.format;
      }
      column.order = found->second.order;
      column.order_of_appearance = found->second.order_of_appearance;
      column.hierarchy = found->second.hierarchy;
    }
    TADA_CHECK_OK(Writing::Parse(column.format));
    if (!column.order.empty() && !column.kind) column.kind = Kind::kOrdinal;  // why else would it have an order
    columns.push_back(std::move(column));
  }
  return columns;
}

Result<char> ReadDelimiter(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  const bool usable = text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x80 && text[0] != '"' &&
                      text[0] != '\n' && text[0] != '\r' && text[0] != '\0';
  if (!usable) {
    return InvalidArgument("--delimiter takes one character, no quote and no line end, not '{}'", text)
        .WithHint("For example: --delimiter ';' or --delimiter tab");
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

Status ReadControllers(const PlanFile& file, const OptionValues& values, Plan& plan) {
  plan.controllers = values.Integer("controllers", 1);
  plan.controller_column = values.Text("controller-column");
  if (values.Has("controllers") && values.Has("controller-column")) {
    return InvalidArgument("--controllers and --controller-column cannot go together")
        .WithHint("The first splits rows at random, the second by a column of the table: leave one out.");
  }
  if (values.Has("controller-column") && plan.controller_column.empty()) {
    return InvalidArgument("--controller-column has a column without a name");
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

void ReadMethodOptions(const PlanFile& file, const OptionValues& values, Plan& plan) {
  const auto of_file = file.methods.find(ChosenMethod(plan));
  if (of_file != file.methods.end()) plan.method_options = of_file->second;
  for (const auto& [name, given] : values.all()) {
    if (!MethodsTaking(name).empty()) plan.method_options.Set(name, given);
  }
}

/// --hierarchy <column>=<file> or <column>=<builder>; a column's name may hold equal signs, a builder holds none.
Status ReadHierarchies(const OptionValues& values, Plan& plan) {
  plan.hierarchies = values.Text("hierarchies");
  for (const std::string& text : values.List("hierarchy")) {
    PlannedColumn* longest = nullptr;
    for (std::vector<PlannedColumn>* columns : {&plan.quasi, &plan.sensitive}) {
      for (PlannedColumn& column : *columns) {
        if (text.starts_with(column.name + "=") && (longest == nullptr || column.name.size() > longest->name.size()))
          longest = &column;
      }
    }
    if (longest == nullptr) {
      return InvalidArgument("--hierarchy is for a quasi-identifier: {}", text)
          .WithHint(
              "Write <column>=<file> or <column>=<builder> with a column of --quasi, as in --hierarchy age=width:5");
    }
    longest->hierarchy = text.substr(longest->name.size() + 1);
    if (longest->hierarchy.empty()) return InvalidArgument("--hierarchy names no file and no builder: {}", text);
  }
  return Ok();
}

/// --domain COLUMN=LOW..HIGH; a column's name may hold equal signs.
Status ReadDomains(const OptionValues& values, Plan& plan) {
  for (const std::string& text : values.List("domain")) {
    const size_t equals = text.rfind('='), dots = text.find("..", equals == std::string::npos ? 0 : equals);
    if (equals == std::string::npos || equals == 0 || dots == std::string::npos) {
      return InvalidArgument("--domain takes <column>=<lowest>..<highest>, not '{}'", text)
          .WithHint("For example: --domain age=0..120");
    }
    const std::string column = text.substr(0, equals);
    if (std::ranges::find(plan.quasi, column, &PlannedColumn::name) == plan.quasi.end()) {
      return InvalidArgument("--domain is for a quasi-identifier: {}", column)
          .WithHint("Name a column of --quasi, as in --domain age=0..120");
    }
    if (!plan.domains.try_emplace(column, text.substr(equals + 1, dots - equals - 1), text.substr(dots + 2)).second) {
      return InvalidArgument("--domain names a column twice: {}", column);
    }
  }
  return Ok();
}

/// --clip <column>=<lowest>..<highest>, of which one end may be missing; a column's name may hold equal signs.
Status ReadClips(const OptionValues& values, Plan& plan) {
  for (const std::string& text : values.List("clip")) {
    const size_t equals = text.rfind('='), dots = text.find("..", equals == std::string::npos ? 0 : equals);
    if (equals == std::string::npos || equals == 0 || dots == std::string::npos) {
      return InvalidArgument("--clip takes <column>=<lowest>..<highest>, not '{}'", text)
          .WithHint("For example: --clip age=18..90, or --clip income=..200000");
    }
    ColumnClip clip{text.substr(0, equals), text.substr(equals + 1, dots - equals - 1), text.substr(dots + 2)};
    if (clip.low.empty() && clip.high.empty()) {
      return InvalidArgument("--clip says no end: {}", text).WithHint("For example: --clip age=18..90");
    }
    if (std::ranges::find(plan.clip, clip.column, &ColumnClip::column) != plan.clip.end()) {
      return InvalidArgument("--clip names a column twice: {}", clip.column);
    }
    plan.clip.push_back(std::move(clip));
  }
  return Ok();
}

/// --importance <column>=<weight>.
Status ReadImportance(const OptionValues& values, Plan& plan) {
  for (const std::string& text : values.List("importance")) {
    const size_t equals = std::min(text.rfind('='), text.size());
    const auto weight = equals == text.size() ? std::nullopt : ParseNumber(text.substr(equals + 1));
    if (equals == 0 || !weight || !(*weight > 0 && *weight <= 1e6)) {
      return InvalidArgument("--importance takes <column>=<weight>, with a weight above 0 and up to 1000000, not '{}'",
                             text)
          .WithHint("For example: --importance age=2,zip=0.5");
    }
    if (!plan.importance.try_emplace(text.substr(0, equals), *weight).second) {
      return InvalidArgument("--importance names a column twice: {}", text.substr(0, equals));
    }
  }
  return Ok();
}

/// How cells are released.
Status ReadCells(const OptionValues& values, Plan& plan) {
  plan.withhold = values.Real("withhold", 0);
  if (values.Has("recode")) plan.recode = values.Text("recode");
  TADA_CHECK_OK(ReadClips(values, plan));
  TADA_CHECK_OK(ReadImportance(values, plan));
  if (values.Has("cells")) plan.cells = values.Text("cells");
  plan.range_cut = values.Text("range") == "cut";
  plan.min_member = values.Integer("min-member", 0);
  return ReadDomains(values, plan);
}

/// What is weighed and clipped has to be there, and cells of one kind are not those of another.
Status CheckOutliers(const Plan& plan) {
  const auto is_in = [](const std::vector<PlannedColumn>& columns, const std::string& name) {
    return std::ranges::find(columns, name, &PlannedColumn::name) != columns.end();
  };
  for (const ColumnClip& clip : plan.clip) {
    if (is_in(plan.quasi, clip.column) || is_in(plan.sensitive, clip.column) || is_in(plan.label, clip.column) ||
        is_in(plan.keep, clip.column)) {
      continue;
    }
    return InvalidArgument("--clip names a column that is not released: {}", clip.column)
        .WithHint("It is for columns of --quasi, --sensitive, --label and --keep.");
  }
  for (const auto& [column, weight] : plan.importance) {
    if (is_in(plan.quasi, column)) continue;
    return InvalidArgument("--importance is for a quasi-identifier: {}", column)
        .WithHint("Other columns are released as they are, and lose nothing.");
  }
  if (plan.recode == "cells") return Ok();
  if (plan.range_cut) {
    return InvalidArgument("--recode {} shows no intervals, and --range cut says how to show them", plan.recode)
        .WithHint("Leave one of them out.");
  }
  if (plan.recode == "mean" && plan.min_member > 0) {
    return InvalidArgument("--recode mean names no sets, so --min-member has no use").WithHint("Leave it out.");
  }
  return Ok();
}

/// Bounds of boxes are for boxes, and a fixed size of groups has to be large enough.
Status CheckCells(const Plan& plan) {
  if (!plan.domains.empty() && !plan.range_cut) {
    return InvalidArgument("--domain says where boxes of cuts end, and needs --range cut")
        .WithHint("Leave it out, or add --range cut.");
  }
  if (plan.safe > 0 && plan.method == "auto") {
    return InvalidArgument("--safe: method auto looks at more than the quasi-identifiers")
        .WithHint("Name a method: which one was chosen tells about the values that it was chosen by.");
  }
  const auto too_small = [&](const Requirement& requirement) { return plan.safe > 0 && plan.safe < requirement.k; };
  for (const auto& [name, requirement] : plan.controller_requirements) {
    if (too_small(requirement)) {
      return InvalidArgument("--safe {} is below k={} of [controllers.{}]", plan.safe, requirement.k, name);
    }
  }
  if (too_small(plan.requirement)) {
    return InvalidArgument("--safe {} is below k={}", plan.safe, plan.requirement.k)
        .WithHint("Groups of at least that many rows are formed without looking at values: it can't be below k.");
  }
  return Ok();
}

/// --person <column>[:together|apart]: columns that together name a person, and how people are counted.
Status ReadPeople(const OptionValues& values, Plan& plan) {
  std::optional<Persons> mode;
  for (std::string name : values.List("person")) {
    for (const Persons known : {Persons::kTogether, Persons::kApart}) {
      const std::string suffix = fmt::format(":{}", PersonsName(known));
      if (!name.ends_with(suffix)) continue;
      name.resize(name.size() - suffix.size());
      if (mode && *mode != known) return InvalidArgument("--person cannot be both together and apart");
      mode = known;
      break;
    }
    if (name.empty()) return InvalidArgument("--person has a column without a name");
    if (std::ranges::find(plan.person, name, &PlannedColumn::name) != plan.person.end()) {
      return InvalidArgument("--person names a column twice: {}", name);
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

/// --pseudonym, --shift-dates COLUMN[:day|month|year], and the key and domain of both.
Status ReadPseudonyms(const OptionValues& values, Plan& plan) {
  for (const std::string& name : values.List("pseudonym")) {
    if (name.empty()) return InvalidArgument("--pseudonym has a column without a name");
    plan.pseudonym.push_back({.name = name});
  }
  for (std::string name : values.List("shift-dates")) {
    Plan::ShiftedDates dates;
    for (const std::string_view resolution : {"day", "month", "year"}) {
      const std::string suffix = fmt::format(":{}", resolution);
      if (!name.ends_with(suffix)) continue;
      name.resize(name.size() - suffix.size());
      dates.resolution = resolution;
      break;
    }
    if (name.empty()) return InvalidArgument("--shift-dates has a column without a name");
    dates.name = std::move(name);
    plan.shift_dates.push_back(std::move(dates));
  }
  plan.key = values.Text("key");
  plan.domain = values.Text("key-domain");
  return Ok();
}

Status CheckPseudonyms(const Plan& plan) {
  const std::string_view option = plan.pseudonym.empty() ? "--shift-dates" : "--pseudonym";
  if (!LinksRows(plan)) {
    if (plan.domain.empty()) return Ok();  // a key may be there for a manifest
    return InvalidArgument("--key-domain is for --pseudonym and --shift-dates: name a column with one of them");
  }
  if (plan.person.empty()) {
    return InvalidArgument("--shift-dates moves all dates of a person alike: it needs --person")
        .WithHint("Name the column that tells people apart.");
  }
  if (plan.requirement.persons == Persons::kApart) {
    return InvalidArgument("{} makes rows of a person known as such: --person ...:apart cannot go with it", option)
        .WithHint("Use --person ...:together.");
  }
  return Ok();
}

/// What the policy of --profile sets, and that nothing which was asked is weaker.
Status FollowPolicy(const Policy& policy, const OptionValues& values, Plan& plan) {
  if (policy.name.empty()) return Ok();
  if (!values.Has("k")) plan.requirement.k = std::max(plan.requirement.k, policy.k);
  if (!values.Has("l")) plan.requirement.l = std::max(plan.requirement.l, policy.l);
  for (const auto& [name, asked, least] :
       {std::tuple{"k", plan.requirement.k, policy.k}, std::tuple{"l", plan.requirement.l, policy.l}}) {
    if (asked >= least) continue;
    return InvalidArgument("-{} {} is below what --profile {} asks for: {} of at least {}", name, asked, policy.name,
                           name, least)
        .WithHint("Leave it out, or ask for as much.");
  }
  if (policy.no_pseudonyms && LinksRows(plan)) {
    return InvalidArgument("--profile {} does not allow {}", policy.name,
                           plan.pseudonym.empty() ? "--shift-dates" : "--pseudonym")
        .WithHint("A code made from an identifier is one of its classes of identifiers, and a shifted date is a date.");
  }
  if (policy.no_identifiers && !plan.allow.empty()) {
    return InvalidArgument("--profile {} does not allow what --allow releases: {}", policy.name, plan.allow.front())
        .WithHint("Leave the column out.");
  }
  return Ok();
}

Status CheckPeople(const Plan& plan) {
  if (plan.rows_are_people && !plan.person.empty()) {
    return InvalidArgument("--rows-are-people and --person cannot go together: leave one out");
  }
  if (plan.requirement.persons != Persons::kApart) return Ok();
  std::vector<const Requirement*> asked{&plan.requirement};
  for (const auto& [name, requirement] : plan.controller_requirements) asked.push_back(&requirement);
  for (const Requirement* requirement : asked) {
    const bool shares = requirement->l > 1 && requirement->diversity != Diversity::kDistinct;
    if (!shares && requirement->more.empty()) continue;
    return InvalidArgument("--person ...:apart goes with k and distinct l only: {}",
                           shares ? "--diversity " + DiversityName(*requirement) : requirement->more.front().name)
        .WithHint("Shares of values are not kept when people stand in several groups. Use --person ...:together.");
  }
  return Ok();
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
        .WithHint(fmt::format("Leave it out, or ask for --closeness {}=<t>:hierarchy.", column.name));
  }
  return Ok();
}

/// The lists of columns with the options that name them.
std::vector<std::pair<std::string_view, const std::vector<PlannedColumn>*>> RoleLists(const Plan& plan) {
  return {{"--person", &plan.person}, {"--quasi", &plan.quasi}, {"--sensitive", &plan.sensitive},
          {"--label", &plan.label},   {"--keep", &plan.keep},   {"--pseudonym", &plan.pseudonym}};
}

Status CheckRoles(const Plan& plan) {
  std::map<std::string_view, std::string_view> role_of;
  for (const auto& [role, columns] : RoleLists(plan)) {
    for (const PlannedColumn& column : *columns) {
      const auto [found, added] = role_of.emplace(column.name, role);
      if (added || (found->second == "--person" && role == "--pseudonym")) continue;
      if (found->second == "--person") {
        return InvalidArgument("Column '{}' names people (--person), and is never released: {} would release it",
                               column.name, role)
            .WithHint("Whoever can tell a person's rows has the whole list of them to look the person up by.");
      }
      const bool predicted = found->second == "--sensitive" && role == "--label";
      return InvalidArgument("Column '{}' has two roles: {} and {}", column.name, found->second, role)
          .WithHint(predicted ? "Groups that tell a label well are groups of few values, which is what l forbids: take "
                                "it out of one of them."
                              : "A column is in one list only: take it out of one of them.");
    }
  }
  const std::vector<std::string> own_k = OwnKColumns(plan);
  if (own_k.size() > 1) {
    return InvalidArgument("--k-column is one column for all controllers, not {} and {}", own_k[0], own_k[1]);
  }
  for (const std::string& column : own_k) {
    const auto role = role_of.find(column);
    if (role == role_of.end() && column != plan.controller_column) continue;
    return InvalidArgument("Column '{}' has two roles: --k-column and {}", column,
                           role == role_of.end() ? "--controller-column" : role->second)
        .WithHint("The column is not released: asking for more rows is telling.");
  }
  TADA_CHECK_OK(CheckWeights(plan));
  for (const Plan::ShiftedDates& dates : plan.shift_dates) {
    const auto [found, added] = role_of.emplace(dates.name, "--shift-dates");
    if (!added) return InvalidArgument("Column '{}' has two roles: {} and --shift-dates", dates.name, found->second);
  }
  const auto controller = role_of.find(plan.controller_column);
  if (controller != role_of.end() && controller->second != "--keep") {
    return InvalidArgument("Column '{}' has two roles: --controller-column and {}", plan.controller_column,
                           controller->second)
        .WithHint("The controller column is dropped from the release unless --keep names it.");
  }
  return Ok();
}

/// What is allowed has to be released: a name that is misspelled would allow nothing.
Status CheckAllowed(const Plan& plan) {
  for (const std::string& name : plan.allow) {
    bool released = false;
    for (const auto& [role, columns] : RoleLists(plan)) {
      released |= role != "--person" && std::ranges::find(*columns, name, &PlannedColumn::name) != columns->end();
    }
    if (!released) {
      return InvalidArgument("--allow names a column that is not released: {}", name)
          .WithHint(
              "It is for columns of --quasi, --sensitive, --label and --keep that look like something that "
              "identifies.");
    }
  }
  return Ok();
}

}  // namespace

std::vector<std::string> ShiftedItems(const Plan& plan) {
  std::vector<std::string> items;
  for (const Plan::ShiftedDates& dates : plan.shift_dates) {
    items.push_back(dates.resolution == "day" ? dates.name : fmt::format("{}:{}", dates.name, dates.resolution));
  }
  return items;
}

std::vector<std::string> ClipItems(const Plan& plan) {
  std::vector<std::string> items;
  for (const ColumnClip& clip : plan.clip) items.push_back(fmt::format("{}={}..{}", clip.column, clip.low, clip.high));
  return items;
}

std::vector<std::string> ImportanceItems(const Plan& plan) {
  std::vector<std::string> items;
  for (const auto& [column, weight] : plan.importance) items.push_back(fmt::format("{}={}", column, weight));
  return items;
}

std::vector<std::string> PersonItems(const Plan& plan) {
  std::vector<std::string> items;
  for (const PlannedColumn& column : plan.person) {
    const bool said = plan.requirement.persons == Persons::kApart || column.name.ends_with(":together") ||
                      column.name.ends_with(":apart");
    items.push_back(said ? fmt::format("{}:{}", column.name, PersonsName(plan.requirement.persons)) : column.name);
  }
  return items;
}

std::vector<std::string> OwnKColumns(const Plan& plan) {
  std::vector<std::string> columns{plan.requirement.k_column};
  for (const auto& [name, requirement] : plan.controller_requirements) columns.push_back(requirement.k_column);
  std::ranges::sort(columns);
  const auto repeated = std::ranges::unique(columns);
  columns.erase(repeated.begin(), repeated.end());
  std::erase(columns, "");
  return columns;
}

std::string_view TaskName(Task task) {
  switch (task) {
    case Task::kNone:
      return "none";
    case Task::kClassification:
      return "classification";
    case Task::kRegression:
      return "regression";
    case Task::kClustering:
      return "clustering";
  }
  return "";
}

Result<Plan> DraftPlan(const PlanFile& file, const OptionValues& stronger) {
  const OptionValues values = Overridden(file, stronger);
  TADA_CHECK_OK(ValidatePlanned(values));
  Plan plan;
  for (const auto& [role, list] : {std::pair{"quasi", &Plan::quasi}, std::pair{"sensitive", &Plan::sensitive},
                                   std::pair{"label", &Plan::label}, std::pair{"keep", &Plan::keep}}) {
    TADA_TRY(columns, ReadColumns(file, values, role));
    plan.*list = std::move(columns);
  }
  for (const auto& [name, column] : file.columns) plan.described.push_back(name);
  TADA_CHECK_OK(ReadRequirement(values, plan.requirement));
  TADA_CHECK_OK(ReadPseudonyms(values, plan));
  TADA_CHECK_OK(ReadPeople(values, plan));
  TADA_TRY(policy, ReadPolicy(values.Text("profile")));
  TADA_CHECK_OK(FollowPolicy(policy, values, plan));
  TADA_CHECK_OK(ReadControllers(file, values, plan));
  for (const auto& [name, own] : plan.controller_requirements) {
    if (own.k >= policy.k && own.l >= policy.l) continue;
    return InvalidArgument("[controllers.{}] asks for less than --profile {}: k={}, l={}", name, policy.name, policy.k,
                           policy.l);
  }
  if (values.Has("task")) plan.task = TaskOf(values.Text("task"));
  plan.method = values.Text("method");
  if (values.Has("method") && plan.method.empty()) return InvalidArgument("--method has no name");
  plan.show_values = values.Flag("show-values");
  if (values.Has("missing")) plan.missing = values.List("missing");
  if (values.Has("delimiter")) {
    TADA_TRY(delimiter, ReadDelimiter(values.Text("delimiter")));
    plan.delimiter = delimiter;
  }
  plan.charset = values.Text("charset");
  plan.sheet = values.Text("sheet");
  plan.seed = static_cast<uint64_t>(values.Integer("seed", 1));
  plan.threads = static_cast<int>(values.Integer("threads", 0));
  plan.keep_order = values.Flag("keep-order");
  plan.guard_formulas = values.Flag("guard-formulas");
  plan.safe = values.Integer("safe", 0);
  TADA_CHECK_OK(ReadCells(values, plan));
  TADA_CHECK_OK(ReadHierarchies(values, plan));
  plan.profile = values.Text("profile");
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
    return InvalidArgument(
               "No quasi-identifier is given: --quasi names the columns that somebody could look a person up by")
        .WithHint("'tada inspect <input>' proposes roles, and --write-plan drafts a plan from them.");
  }
  TADA_CHECK_OK(CheckRequirement(plan.requirement, !plan.sensitive.empty()));
  TADA_CHECK_OK(CheckSensitiveHierarchies(plan));
  for (const auto& [name, requirement] : plan.controller_requirements) {
    if (plan.controller_column.empty()) {
      return InvalidArgument("[controllers.{}] of the plan needs controller-column", name)
          .WithHint("Name the column whose values are the controllers: controller-column = \"hospital\".");
    }
    TADA_CHECK_OK(CheckRequirement(requirement, !plan.sensitive.empty()));
  }
  const bool predicts = plan.task == Task::kClassification || plan.task == Task::kRegression;
  if (predicts && plan.label.empty()) {
    return InvalidArgument("--task {} needs --label, the column to predict", TaskName(*plan.task));
  }
  for (const auto& [role, columns] : RoleLists(plan)) {
    for (const PlannedColumn& column : *columns) {
      if (column.kind == Kind::kNumeric && (!column.order.empty() || column.order_of_appearance)) {
        return InvalidArgument("Column '{}' is numeric, so its order is that of its numbers: kind = \"numeric\", order",
                               column.name)
            .WithHint("Leave the order out of the plan, or make the column ordinal.");
      }
    }
  }
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
