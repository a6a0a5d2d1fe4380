#include "run/anonymize.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "base/fault.h"
#include "base/random.h"
#include "base/words.h"
#include "cuts/take_cuts.h"
#include "groups/box_tree.h"
#include "partition/registry.h"
#include "privacy/check/requirements.h"
#include "privacy/models/max_risk.h"
#include "recode/recoder.h"
#include "run/canonical_rows.h"
#include "run/feasible.h"
#include "run/hierarchies.h"
#include "run/inspect/people.h"
#include "run/inspect/weights.h"
#include "run/protect/hide_people.h"
#include "run/stopwatch.h"
#include "table/select_rows.h"

namespace tada {
namespace {

constexpr std::string_view kApartWarning =
    "People's rows stand in different groups (--person ...:apart): this protects against somebody who knows one row of "
    "a "
    "person. Whoever knows several rows may find that only one person fits all of them; 'together' protects against "
    "that.";

Result<ColumnId> FindColumn(const Table& table, const std::string& name, std::string_view option) {
  if (const auto id = table.Find(name)) return *id;
  std::vector<std::string> known;
  for (const Column& column : table.columns()) known.push_back(column.name());
  const auto nearest = NearestName(name, known);
  return InvalidArgument("--{} names a column that the input does not have: {}", option, name)
      .WithHint(nearest ? fmt::format("Did you mean '{}'?", *nearest)
                        : fmt::format("Columns: {}", fmt::join(known, ", ")));
}

Result<std::vector<ColumnId>> FindColumns(const Table& table, const std::vector<PlannedColumn>& planned,
                                          std::string_view option) {
  std::vector<ColumnId> ids;
  for (const PlannedColumn& column : planned) {
    TADA_TRY(id, FindColumn(table, column.name, option));
    ids.push_back(id);
  }
  return ids;
}

Task TaskOfLabels(const Table& table, const Roles& roles) {
  if (roles.label.empty()) return Task::kNone;
  const bool numeric =
      std::all_of(roles.label.begin(), roles.label.end(), [&](ColumnId id) { return table.column(id).is_numeric(); });
  return numeric ? Task::kRegression : Task::kClassification;
}

// A task that was asked for must fit the label.
Status CheckTask(const Table& table, const BoundPlan& bound) {
  if (bound.task != Task::kRegression) return Ok();
  for (const ColumnId id : bound.roles.label) {
    const Column& label = table.column(id);
    if (label.is_numeric()) continue;
    return InvalidArgument("--task regression needs a label of numbers: {} is {}", label.name(), KindName(label.kind()))
        .WithHint("Name a numeric column with --label, or leave --task out: names are predicted as classes.");
  }
  return Ok();
}

// What methods with such a list of tasks can serve, in words.
std::string TaskWords(const std::vector<Task>& tasks) {
  std::vector<std::string_view> names;
  for (const Task task : tasks) names.push_back(TaskName(task));
  return fmt::format("{}", fmt::join(names, " or "));
}

Checker CheckerOf(const Workplace& place, const Requirement& requirement, size_t part) {
  return {requirement, place.table(), place.counted(), place.ReferenceRowsOf(part, requirement.reference)};
}

// The limits that a message names as possible ("t=0.2 (salary)"), by requirement and column, as numbers that are larger the weaker they are:
// the largest possible ones are negative.
std::map<std::string, double> NamedLimits(const std::string& message) {
  std::map<std::string, double> limits;
  for (const auto& [before, sign] :
       {std::pair<std::string_view, double>{"largest possible ", -1}, {"smallest possible ", 1}}) {
    const size_t at = message.find(before);
    if (at == std::string::npos) continue;
    std::string_view list = std::string_view(message).substr(at + before.size());
    if (sign < 0) list = list.substr(0, list.find("smallest possible "));
    while (!list.empty()) {
      const std::string_view item = list.substr(0, list.find(", "));
      const size_t equal = item.find('='), blank = std::min(item.find(' '), item.size());
      double number = std::numeric_limits<double>::infinity();
      if (equal < blank) {
        if (item.substr(equal + 1, blank - equal - 1) != "infinite")
          std::from_chars(item.data() + equal + 1, item.data() + blank, number);
        limits[fmt::format("{}{}", item.substr(0, equal), item.substr(blank))] = sign * number;
      }
      list.remove_prefix(std::min(list.size(), item.size() + 2));
    }
  }
  return limits;
}

// The requirement must be met by each controller's rows alone. Where it can't, names the controller with the fewest rows and, if that is
// another, the one with the fewest sensitive values: what these two can meet of k and l, all can. Others follow if they need weaker limits.
Status CheckFeasible(const Workplace& place, const std::vector<Controller>& controllers) {
  struct Failing {
    size_t rows, values;
    Error error;
  };
  std::vector<Failing> failing;
  for (size_t i = 0; i < controllers.size(); ++i) {
    const Controller& controller = controllers[i];
    const Checker checker = CheckerOf(place, controller.requirement, i);
    const Tally tally = checker.Count(place.rows(i));
    Status feasible = checker.Feasible(tally);
    if (feasible.ok()) continue;
    size_t values = SIZE_MAX;
    for (const ValueCounts& counts : tally.columns) values = std::min<size_t>(values, counts.Distinct());
    Error error = std::move(feasible).error();
    if (!controller.name.empty()) error.message = fmt::format("Controller {}: {}", controller.name, error.message);
    failing.push_back({place.rows(i).size(), values, std::move(error)});
  }
  if (failing.empty()) return Ok();
  const auto by_rows =
      std::min_element(failing.begin(), failing.end(), [](auto& a, auto& b) { return a.rows < b.rows; });
  const auto by_values =
      std::min_element(failing.begin(), failing.end(), [](auto& a, auto& b) { return a.values < b.values; });
  Error error = by_rows->error;
  if (by_values->values < by_rows->values) error.message += ". " + by_values->error.message;
  std::map<std::string, double> named = NamedLimits(by_rows->error.message);
  for (const auto& [demand, limit] : NamedLimits(by_values->error.message)) {
    const auto [found, is_new] = named.emplace(demand, limit);
    if (!is_new && by_values->values < by_rows->values) found->second = std::max(found->second, limit);
  }
  for (const auto& other : failing) {  // what is named has to do for all of them
    bool needs_more = false;
    for (const auto& [demand, limit] : NamedLimits(other.error.message)) {
      const auto [found, is_new] = named.emplace(demand, limit);
      needs_more |= is_new || limit > found->second;
      found->second = std::max(found->second, limit);
    }
    if (needs_more) error.message += ". " + other.error.message;
  }
  return error;
}

// Deals the rows to controllers; those of a person go to one of them.
std::vector<Controller> DealRows(const Plan& plan, const BoundPlan& bound, const Table& table) {
  const auto count = static_cast<size_t>(plan.controllers);
  PeopleOfRows people;
  if (count > 1 && !bound.person.empty()) people = FindPeople(table, bound.person);
  std::vector<uint32_t> dealt(people.of_row.empty() ? table.num_rows() : people.count);  // people, or rows
  std::iota(dealt.begin(), dealt.end(), 0u);
  if (count > 1) Random(MixSeed(plan.seed, 0xC0117201)).Shuffle(std::span(dealt));
  std::vector<uint32_t> controller_of(dealt.size());
  std::vector<Controller> controllers(count);
  for (uint32_t i = 0; i < count; ++i) {
    for (size_t at = dealt.size() * i / count; at < dealt.size() * (i + 1) / count; ++at) controller_of[dealt[at]] = i;
    controllers[i].name = count > 1 ? fmt::format("{}", i + 1) : "";
    controllers[i].requirement = plan.requirement;
  }
  for (RowId row = 0; row < table.num_rows(); ++row) {
    controllers[controller_of[people.of_row.empty() ? row : people.of_row[row]]].rows.push_back(row);
  }
  return controllers;
}

// A column that is counted and not sensitive, with a number for each of its values.
template <class NumbersOf>
Status AddNumbers(const Table& table, ColumnId id, const Requirement& counting, const NumbersOf& numbers_of,
                  std::vector<CountedColumn>& counted) {
  CountedColumn own = CountedColumns(table, {id}, counting).front();
  TADA_TRY(numbers, numbers_of(*std::exchange(own.source, nullptr), own.value_of_code, own.num_values));
  own.own_k = std::move(numbers);
  own.name = table.column(id).name();
  counted.push_back(std::move(own));
  return Ok();
}

// The sensitive columns, and behind them the one in which rows ask for a k of their own and the one with their weights.
Result<std::vector<CountedColumn>> CountedColumnsOf(const Table& table, const BoundPlan& bound,
                                                    const std::vector<Controller>& controllers) {
  const Requirement counting = controllers.empty() ? Requirement() : controllers.front().requirement;
  std::vector<CountedColumn> counted = CountedColumns(table, bound.roles.sensitive, counting);
  if (bound.k_column) TADA_CHECK_OK(AddNumbers(table, *bound.k_column, counting, OwnKOf, counted));
  for (const Controller& controller : controllers) {
    const Demand* risk = RiskDemand(controller.requirement);
    if (risk == nullptr || risk->column.empty() || risk->limit.empty()) continue;
    TADA_TRY(weights, FindColumn(table, risk->column, "weights"));
    TADA_CHECK_OK(AddNumbers(table, weights, counting, WeightsOf, counted));
    break;  // one column for all
  }
  return counted;
}

// Where rows of a person can be told, people who have equally many rows, with equal gaps between their dates, hide among each other
// only: each of these parts is anonymized by itself. kInfeasible if one has fewer than k people.
Result<std::vector<Controller>> PartBySigns(const Plan& plan, const BoundPlan& bound, const Table& table,
                                            const std::vector<Controller>& controllers) {
  if (!LinksRows(plan)) return controllers;
  const PeopleOfRows people = FindPeople(table, bound.person);
  const std::vector<uint32_t> sign_of = SharedSigns(table, plan, people.of_row, people.count);
  std::vector<Controller> parts;
  for (const Controller& controller : controllers) {
    if (!controller.requirement.more.empty()) {
      return InvalidArgument(
                 "--{} does not go with pseudonyms and shifted dates: people who have equally many rows are "
                 "grouped by themselves, and their values may be spread in another way than everybody's",
                 controller.requirement.more.front().name)
          .WithHint("Leave one of them out.");
    }
    std::map<uint32_t, Controller> by_sign;
    std::map<uint32_t, std::set<uint32_t>> members;
    for (const RowId row : controller.rows) {
      const uint32_t who = people.of_row[row], sign = sign_of[who];
      by_sign[sign].rows.push_back(row);
      members[sign].insert(who);
    }
    size_t fewest = SIZE_MAX, short_of = 0;
    for (const auto& [sign, who] : members) {
      fewest = std::min(fewest, who.size());
      if (who.size() < static_cast<size_t>(controller.requirement.k)) short_of += who.size();
    }
    if (short_of > 0) {
      return Infeasible(
                 "{} of {} people have as many rows{} as fewer than k={} people; the largest k that all share is {}",
                 short_of, people.count, plan.shift_dates.empty() ? "" : ", and gaps between their dates,",
                 controller.requirement.k, fewest)
          .WithHint(
              "Whoever can tell a person's rows knows their number. Leave rows out, release less of the dates "
              "(--shift-dates <column>:month), or give the pseudonym up.");
    }
    for (auto& [sign, part] : by_sign) {
      part.name = controller.name;
      part.requirement = controller.requirement;
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

// What methods work on: the rows, or people who have several.
Result<Workplace> FindWorkplace(const Table& table, const BoundPlan& bound, std::vector<Controller>& controllers) {
  std::vector<std::vector<RowId>> parts;
  for (const Controller& controller : controllers) parts.push_back(controller.rows);
  TADA_TRY(counted, CountedColumnsOf(table, bound, controllers));
  if (bound.person.empty()) return Workplace::OfRows(table, std::move(counted), std::move(parts));
  const PeopleOfRows people = FindPeople(table, bound.person);
  const bool apart = !controllers.empty() && controllers.front().requirement.persons == Persons::kApart;
  if (people.repeated() && apart) return Workplace::OfRowsApart(table, std::move(counted), people, std::move(parts));
  for (Controller& controller : controllers) controller.requirement.persons = Persons::kTogether;
  if (people.repeated()) return Workplace::OfUnits(table, bound.roles, std::move(counted), people, parts);
  return Workplace::OfRows(table, std::move(counted), std::move(parts));
}

// Says for every demand of which column it is and how it is counted.
Status ResolveAll(const Workplace& place, std::vector<Controller>& controllers) {
  for (Controller& controller : controllers) {
    TADA_TRY(resolved, ResolveDemands(controller.requirement, place.counted()));
    controller.requirement.more = std::move(resolved.more);
  }
  return Ok();
}

Result<Groups> RunStages(const Problem& problem, const std::vector<std::unique_ptr<Stage>>& stages, Groups groups,
                         StageSeconds& seconds) {
  for (const auto& stage : stages) {
    const TimeStage timer(seconds, std::string(stage->name()));
    TADA_TRY(refined, stage->Refine(problem, std::move(groups)));
    groups = std::move(refined);
    problem.notes.AddAbout(stage->name(), stage->About(problem));
  }
  return groups;
}

// The table as methods see it: as it came, or, where positions decide something, in canonical order.
class OrderedTable {
 public:
  OrderedTable(const Table& table, const Plan& plan, const BoundPlan& bound) : table_(table) {
    auto rows = RowsAsSeen(table, plan, bound);
    if (!rows) return;
    names_ = *std::move(rows);
    ordered_ = SelectRows(table, names_);
  }
  const Table& table() const { return ordered_ ? *ordered_ : table_; }

  /// Turns row ids of table() into those of the table that was given.
  void Rename(Anonymized& result) const {
    if (!ordered_) return;
    result.groups.RenameRows(names_);
    for (Controller& controller : result.controllers) {
      for (RowId& row : controller.rows) row = names_[row];
      std::sort(controller.rows.begin(), controller.rows.end());
    }
  }

 private:
  const Table& table_;
  std::vector<RowId> names_;
  std::optional<Table> ordered_;
};

// Whether the groups of the plan's method are boxes of cuts.
bool HasBoxes(const Plan& plan, const BoundPlan& bound, const MethodEntry& method) {
  return method.has_boxes != nullptr && method.has_boxes({bound.task, plan.method_options});
}

// Takes the cuts for --save-cuts, before cells are made of them.
void TakeCutsOf(const Table& table, const Plan& plan, const RecodeOptions& options, const Workers& workers,
                Anonymized& result) {
  const BoundPlan& bound = result.bound;
  result.cuts = std::make_shared<Cuts>(
      TakeCuts({table, bound.roles, result.groups, bound.task, bound.method, options}, plan, workers));
  if (!plan.range_cut) result.groups.set_boxes({});
  result.notes.sections.push_back(DescribeCuts(*result.cuts));
  if (plan.range_cut || result.cuts->by == Cuts::By::kLevels) return;
  result.notes.warnings.emplace_back(
      "--save-cuts: the cuts hold values of people, as the cells of the release do; with --range cut they hold none");
}

// What the plan asks of the method's cuts.
Status CheckCuts(const Plan& plan, const BoundPlan& bound, const MethodEntry& method) {
  const MethodContext context{bound.task, plan.method_options};
  const std::string_view task = method.tasks.empty() ? "" : TaskName(bound.task);
  const std::string with = task.empty() ? "" : fmt::format(" for the task {}", task);
  if (plan.range_cut && (method.has_boxes == nullptr || !method.has_boxes(context))) {
    return InvalidArgument("--range cut: the groups of method {}{} are not boxes of cuts", method.name, with)
        .WithHint(
            "Use --method mondrian, infogain, regression or ta_da with a label, without --relaxed and "
            "--sample-grow; or leave --range out.");
  }
  if (plan.safe > 0 && (method.by_quasi_alone == nullptr || !method.by_quasi_alone(context))) {
    return InvalidArgument("--safe: method {}{} looks at more than the quasi-identifiers", method.name, with)
        .WithHint(
            "Use --method mondrian, dop, compact, datafly, topdown or optimal, without --workload and --minimize "
            "label; a label that guides cuts tells about the values beside it.");
  }
  return Ok();
}

// What groups are formed by: with --safe a number of rows and nothing else, so that no value has a say in it.
Requirement RequirementOfGroups(const Plan& plan, const Requirement& asked) {
  if (plan.safe == 0) return asked;
  Requirement fixed;
  fixed.k = plan.safe;
  fixed.persons = asked.persons;
  return fixed;
}

// What is counted for it: with --safe people, where rows may be anybody's, and nothing else.
std::vector<CountedColumn> CountedForGroups(const Plan& plan, const Requirement& asked, const Workplace& place) {
  if (plan.safe == 0) return place.counted();
  if (asked.persons != Persons::kApart || place.counted().empty()) return {};
  return {place.counted().front()};
}

// Groups that were formed without looking at values hold or don't: there is no second try, which would tell about the first.
Status CheckSafe(const Plan& plan, const Workplace& place, size_t part, const Controller& asked, const Groups& groups) {
  if (plan.safe == 0 || TADA_FAULT("safe-check")) return Ok();
  const Checker checker = CheckerOf(place, asked.requirement, part);
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    if (checker.Holds(checker.Count(groups.rows(group)))) continue;
    return Infeasible("--safe {}: groups formed by the quasi-identifiers alone do not meet the requirement{}",
                      plan.safe, asked.name.empty() ? "" : fmt::format(" (controller {})", asked.name))
        .WithHint(
            "Set a larger --safe. Decide on it without this table: to raise it until it works tells what --safe "
            "hides.");
  }
  return Ok();
}

// Where boxes end that were never cut, one per quasi-identifier; null: where the column says.
Result<std::vector<const DomainBounds*>> FindDomainBounds(const Plan& plan, const Table& table, const Roles& roles,
                                                          const ColumnHierarchies& hierarchies) {
  std::vector<const DomainBounds*> bounds;
  for (size_t i = 0; i < roles.quasi.size(); ++i) {
    const Column& column = table.column(roles.quasi[i]);
    const bool by_cut = plan.range_cut && column.is_numeric() && (i >= hierarchies.size() || !hierarchies.of(i));
    if (by_cut && !column.writing().is_plain()) {
      return InvalidArgument("--range cut: the values of {} are written as '{}', and bounds of cuts are plain",
                             column.name(), column.writing().text())
          .WithHint("Write them plainly (1234.5, 2024-02-29), give the column a hierarchy, or leave --range out.");
    }
    const auto given = plan.domains.find(column.name());
    bounds.push_back(given == plan.domains.end() ? nullptr : &given->second);
    if (bounds.back() == nullptr) continue;
    if (i < hierarchies.size() && hierarchies.of(i)) {
      return InvalidArgument("--domain {}: the column has a hierarchy, whose root is its domain", column.name());
    }
    TADA_CHECK_OK(CheckDomain(column, *bounds.back()));
  }
  return bounds;
}

// The weights of the quasi-identifiers, the largest 1; empty: all alike.
std::vector<double> Importances(const Plan& plan) {
  std::vector<double> weights;
  if (plan.importance.empty()) return weights;
  for (const PlannedColumn& column : plan.quasi) {
    const auto given = plan.importance.find(column.name);
    weights.push_back(given == plan.importance.end() ? 1.0 : given->second);
  }
  const double largest = *std::ranges::max_element(weights);
  for (double& weight : weights) weight /= largest;
  return weights;
}

RecodeOptions::Several SeveralOf(const Plan& plan) {
  if (plan.recode == "exact") return RecodeOptions::Several::kMask;
  return plan.recode == "mean" ? RecodeOptions::Several::kMean : RecodeOptions::Several::kCells;
}

// With several controllers a stage runs once for each: says for whom.
void NameController(const std::string& controller, size_t first_warning, size_t first_section, StageNotes& notes) {
  if (controller.empty()) return;
  for (size_t i = first_warning; i < notes.warnings.size(); ++i) {
    notes.warnings[i] = fmt::format("Controller {}: {}", controller, notes.warnings[i]);
  }
  for (size_t i = first_section; i < notes.sections.size(); ++i) {
    notes.sections[i].controller = controller;
    notes.sections[i].title += fmt::format(" (controller {})", controller);
  }
}

}  // namespace

Status CheckMerging(const Checker& checker, const std::vector<std::unique_ptr<Stage>>& stages,
                    const std::string& method) {
  if (checker.KeptByMerging() || std::ranges::none_of(stages, [](const auto& s) { return s->MergesGroups(); }))
    return Ok();
  return InvalidArgument("Method {} joins groups, and two groups that meet the requirement may break it together",
                         method)
      .WithHint("Use --method mondrian, which only splits.");
}

Result<BoundPlan> BindPlan(const Plan& plan, const Table& table) {
  BoundPlan bound;
  TADA_TRY(quasi, FindColumns(table, plan.quasi, "quasi"));
  TADA_TRY(sensitive, FindColumns(table, plan.sensitive, "sensitive"));
  TADA_TRY(label, FindColumns(table, plan.label, "label"));
  TADA_TRY(keep, FindColumns(table, plan.keep, "keep"));
  TADA_TRY(person, FindColumns(table, plan.person, "person"));
  bound.person = std::move(person);
  for (const std::string& name : OwnKColumns(plan)) {
    TADA_TRY(id, FindColumn(table, name, "k-column"));
    bound.k_column = id;
  }
  TADA_TRY(pseudonym, FindColumns(table, plan.pseudonym, "pseudonym"));
  keep.insert(keep.end(), pseudonym.begin(), pseudonym.end());  // released as the table has them
  for (const Plan::ShiftedDates& dates : plan.shift_dates) {
    TADA_TRY(id, FindColumn(table, dates.name, "shift-dates"));
    keep.push_back(id);
  }
  bound.roles = {std::move(quasi), std::move(sensitive), std::move(label), std::move(keep)};
  if (!plan.controller_column.empty()) {
    TADA_TRY(id, FindColumn(table, plan.controller_column, "controller-column"));
    bound.controller_column = id;
  }
  bound.task = plan.task.value_or(TaskOfLabels(table, bound.roles));
  TADA_CHECK_OK(CheckTask(table, bound));
  bound.method = plan.method.empty() ? std::string(DefaultMethod(bound.task)) : plan.method;
  const MethodEntry* method = FindMethod(bound.method);
  if (method == nullptr) return InvalidArgument("--method names a method that does not exist: {}", bound.method);
  if (!method->tasks.empty() &&
      std::find(method->tasks.begin(), method->tasks.end(), bound.task) == method->tasks.end()) {
    return InvalidArgument("Method {} cannot serve the task {}", bound.method, TaskName(bound.task))
        .WithHint(bound.task == Task::kNone
                      ? std::string("Name the column a model will predict with --label, or use --method mondrian.")
                      : fmt::format("It serves {}; see 'tada methods' for the others.", TaskWords(method->tasks)));
  }
  return bound;
}

std::vector<Controller> ControllersOf(const Column& column, const Plan& plan) {
  std::map<Code, Controller> by_value;
  for (RowId row = 0; row < column.num_rows(); ++row) by_value[column.codes()[row]].rows.push_back(row);
  std::vector<Controller> controllers;
  for (auto& [code, controller] : by_value) {
    controller.name = column.text(code);
    const auto own = plan.controller_requirements.find(controller.name);
    controller.requirement = own == plan.controller_requirements.end() ? plan.requirement : own->second;
    if (controller.name.empty()) controller.name = "(empty)";  // rows whose controller is not said stand together
    controllers.push_back(std::move(controller));
  }
  return controllers;
}

Result<std::vector<Controller>> FindControllers(const Plan& plan, const BoundPlan& bound, const Table& table) {
  if (!bound.controller_column) {
    if (plan.controllers > static_cast<int64_t>(std::max<size_t>(1, table.num_rows()))) {
      return Infeasible("More controllers than rows: --controllers {}, rows={}", plan.controllers, table.num_rows());
    }
    return DealRows(plan, bound, table);
  }
  const Column& column = table.column(*bound.controller_column);
  std::vector<Controller> controllers = ControllersOf(column, plan);
  std::vector<std::string> names;
  for (const Controller& controller : controllers) names.push_back(controller.name);
  for (const auto& [name, requirement] : plan.controller_requirements) {
    if (std::ranges::find(names, name.empty() ? "(empty)" : name) != names.end()) continue;
    return InvalidArgument("The plan has a controller that the input does not have: [controllers.{}]", name)
        .WithHint(plan.show_values ? fmt::format("Values of {}: {}", column.name(), fmt::join(names, ", "))
                                   : fmt::format("{} has {}; --show-values lists them.", column.name(),
                                                 Plural(names.size(), "different value")));
  }
  return controllers;
}

Result<Anonymized> AnonymizeEverybody(const Table& input, const Plan& plan, double leaving, const Workers& workers,
                                      Progress& progress, bool save_cuts) {
  Anonymized result;
  TADA_TRY(bound, BindPlan(plan, input));
  result.bound = std::move(bound);
  const OrderedTable ordered(input, plan, result.bound);
  const Table& table = ordered.table();
  TADA_TRY(controllers, FindControllers(plan, result.bound, table));
  result.controllers = std::move(controllers);
  const MethodEntry& method = *FindMethod(result.bound.method);
  TADA_CHECK_OK(CheckCuts(plan, result.bound, method));
  if (save_cuts) TADA_CHECK_OK(CanSaveCuts(plan, result.bound.task, result.bound.method));
  TADA_TRY(stages, method.make({result.bound.task, plan.method_options}));
  for (const auto& stage : stages) result.stages.emplace_back(stage->name());
  TADA_TRY(parts, PartBySigns(plan, result.bound, table, result.controllers));
  std::vector<Controller> working;
  TADA_TRY(place, FindWorkplace(table, plan, result.bound, parts, working));
  TADA_CHECK_OK(ResolveAll(place, result.controllers));
  TADA_CHECK_OK(CheckFeasible(place, working));
  const Roles& seen = result.bound.roles;
  const Roles roles = plan.safe > 0 ? Roles{seen.quasi, {}, {}, {}} : seen;  // what methods may look at
  TADA_TRY(loaded, LoadHierarchies(plan, table, roles, method.by_levels));
  result.hierarchies = std::move(loaded);
  const ColumnHierarchies& hierarchies = result.hierarchies;
  TADA_TRY(domains, FindDomainBounds(plan, table, roles, hierarchies));
  result.notes.warnings = hierarchies.Warnings(table, result.bound.roles);
  if (plan.requirement.persons == Persons::kApart) result.notes.warnings.emplace_back(kApartWarning);
  if (std::string idle = IdleRequirement(plan.requirement); !idle.empty()) {
    result.notes.warnings.push_back(std::move(idle));
  }
  if (!plan.importance.empty()) {
    result.notes.AddAbout("importance", fmt::format("Losses and cuts weigh columns by {}, others by 1.",
                                                    fmt::join(ImportanceItems(plan), ", ")));
  }
  std::vector<double> weights;
  if (!roles.label.empty()) {
    for (const PlannedColumn& label : plan.label) weights.push_back(label.weight);
  }

  for (size_t i = 0; i < parts.size(); ++i) {
    const Controller& controller = parts[i];
    const Requirement groups_meet = RequirementOfGroups(plan, working[i].requirement);
    const Checker checker(groups_meet, place.table(), CountedForGroups(plan, working[i].requirement, place),
                          place.ReferenceRowsOf(i, groups_meet.reference));
    if (plan.safe > 0) TADA_CHECK_OK(checker.Feasible(checker.Count(place.rows(i))));
    if (plan.min_member > 0 && !checker.KeptByMerging()) {
      return InvalidArgument(
          "--min-member joins groups, and two groups that meet the requirement may break it together");
    }
    TADA_CHECK_OK(CheckMerging(checker, stages, result.bound.method));
    const Problem problem{place.table(),
                          roles,
                          result.bound.task,
                          weights,
                          checker,
                          plan.method_options,
                          MixSeed(plan.seed, i),
                          workers,
                          progress,
                          result.notes,
                          FindDomains(table, result.bound.roles, controller.rows, workers),
                          hierarchies.pointers(),
                          Importances(plan),
                          leaving};
    const size_t warnings = result.notes.warnings.size(), sections = result.notes.sections.size();
    Groups whole = Groups::One(place.rows(i));
    if (plan.range_cut || (save_cuts && HasBoxes(plan, result.bound, method))) {
      Box box = WholeBox(place.table(), roles.quasi, hierarchies.pointers());
      whole.set_boxes({save_cuts ? RememberBox(std::move(box), nullptr) : std::make_shared<const Box>(std::move(box))});
    }
    TADA_TRY(groups, RunStages(problem, stages, std::move(whole), result.seconds));
    if (leaving == 0) TADA_CHECK_OK(CheckSafe(plan, place, i, working[i], groups));
    NameController(controller.name, warnings, sections, result.notes);
    result.groups.Append(place.Expand(std::move(groups)));
    result.requirement = i == 0 ? controller.requirement : Weaker(result.requirement, controller.requirement);
  }
  ordered.Rename(result);
  {
    const TimeStage timer(result.seconds, "recode");
    progress.Begin("recode", 0);
    const RecodeOptions options{plan.keep_order, hierarchies.pointers(), domains,
                                static_cast<uint64_t>(plan.min_member), SeveralOf(plan)};
    if (save_cuts) TakeCutsOf(input, plan, options, workers, result);
    result.release = Recode(input, result.bound.roles, result.groups, options, workers);
  }
  return result;
}

Result<Workplace> FindWorkplace(const Table& table, const Plan& plan, const BoundPlan& bound,
                                std::vector<Controller>& asked, std::vector<Controller>& working) {
  working = asked;
  TADA_TRY(place, FindWorkplace(table, bound, working));
  TADA_TRY(compared, LoadSensitiveHierarchies(plan, table, bound.roles.sensitive));
  place.SetLevels(compared);
  TADA_CHECK_OK(ResolveAll(place, asked));
  TADA_CHECK_OK(ResolveAll(place, working));
  return place;
}

Result<BoundRequirement> BindRequirement(const Plan& plan, const BoundPlan& bound, const Table& table) {
  BoundRequirement made;
  TADA_TRY(controllers, FindControllers(plan, bound, table));
  made.controllers = controllers;
  TADA_TRY(place, FindWorkplace(table, bound, controllers));
  TADA_TRY(compared, LoadSensitiveHierarchies(plan, table, bound.roles.sensitive));
  place.SetLevels(compared);
  TADA_CHECK_OK(ResolveAll(place, controllers));
  made.place = std::make_unique<const Workplace>(std::move(place));
  for (size_t i = 0; i < controllers.size(); ++i) {
    made.checkers.push_back(CheckerOf(*made.place, controllers[i].requirement, i));
  }
  return made;
}

Result<std::vector<Feasibility>> FindFeasible(const Table& table, const Plan& plan) {
  TADA_TRY(bound, BindPlan(plan, table));
  TADA_TRY(controllers, FindControllers(plan, bound, table));
  TADA_TRY(place, FindWorkplace(table, bound, controllers));
  TADA_TRY(compared, LoadSensitiveHierarchies(plan, table, bound.roles.sensitive));
  place.SetLevels(compared);
  TADA_CHECK_OK(ResolveAll(place, controllers));
  std::vector<Feasibility> found;
  for (size_t i = 0; i < controllers.size(); ++i) {
    const Checker checker = CheckerOf(place, controllers[i].requirement, i);
    const Tally tally = checker.Count(place.rows(i));
    const Binding binding(place.table(), checker.sensitive(), [&] { return tally; });
    std::vector<std::string> largest;
    for (const RequirementEntry& entry : Requirements()) {
      for (const auto& model : entry.bind(controllers[i].requirement, binding))
        largest.push_back(model->Reaches(tally));
    }
    found.push_back(
        {controllers[i].name, tally.rows, fmt::format("{}", fmt::join(largest, ", ")), checker.Feasible(tally)});
  }
  return found;
}

}  // namespace tada
