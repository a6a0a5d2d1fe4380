#include "run/audit_release.h"

#include <sys/resource.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "cuts/frozen_rows.h"
#include "partition/registry.h"
#include "privacy/check/requirements.h"
#include "privacy/models/max_risk.h"
#include "recode/rare_values.h"
#include "run/hierarchies.h"
#include "run/inspect/people.h"
#include "run/protect/clip.h"
#include "run/protect/guard_published.h"
#include "run/protect/safe_table.h"
#include "table/select_rows.h"

namespace tada {
namespace {

constexpr size_t kSampleRows = 12;

bool Holds(const std::vector<ColumnId>& ids, ColumnId id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

// What the labels of a hierarchy stand for, value by value of its column. `code_of`: the column's code of each of the hierarchy's, if they differ.
LabelCodes LabelsOf(const Hierarchy& hierarchy, const std::vector<Code>& code_of) {
  LabelCodes labels;
  for (uint32_t level = 1; level < hierarchy.num_levels(); ++level) {
    const std::span<const Code> nodes = hierarchy.nodes(level);
    for (Code code = 0; code < nodes.size(); ++code)
      labels[hierarchy.label(level, nodes[code])].push_back(code_of.empty() ? code : code_of[code]);
  }
  return labels;
}

// What is known of the labels of released columns, by released column. `quasi` are columns of the original, one per hierarchy.
std::vector<LabelCodes> LabelsOfColumns(const Table& released, const Table& original,
                                        const std::vector<ColumnId>& quasi, const ColumnHierarchies& hierarchies,
                                        const std::vector<std::vector<Code>>& codes = {}) {
  std::vector<LabelCodes> labels(released.num_columns());
  for (size_t i = 0; i < quasi.size() && i < hierarchies.size(); ++i) {
    const auto id = released.Find(original.column(quasi[i]).name());
    if (id && hierarchies.of(i))
      labels[*id] = LabelsOf(*hierarchies.of(i), i < codes.size() ? codes[i] : std::vector<Code>());
  }
  return labels;
}

// What the plan and the original know of a sensitive column and the release does not say.
Status AddValueFacts(const Table& released, const Table* original, const Plan& plan, AuditOptions& options) {
  options.value_facts.resize(released.num_columns());
  const Table& source = original != nullptr ? *original : released;
  std::vector<ColumnId> sensitive;
  for (const PlannedColumn& planned : plan.sensitive) sensitive.push_back(source.Find(planned.name).value());
  TADA_TRY(hierarchies, LoadSensitiveHierarchies(plan, source, sensitive));
  for (size_t i = 0; i < sensitive.size(); ++i) {
    const Column& column = source.column(sensitive[i]);
    ValueFacts& facts = options.value_facts[released.Find(column.name()).value()];
    if (!plan.sensitive[i].order.empty()) {
      facts.order = plan.sensitive[i].order;
    } else if (column.kind() == Kind::kOrdinal && (original != nullptr || !plan.sensitive[i].order_of_appearance)) {
      for (Code code = column.num_missing(); code < column.num_codes(); ++code)
        facts.order.emplace_back(column.text(code));
    }
    if (!hierarchies[i]) continue;
    for (Code code = 0; code < column.num_codes(); ++code) {
      std::vector<Code>& path = facts.paths[std::string(column.text(code))];
      for (uint32_t level = 1; level <= hierarchies[i]->top(); ++level)
        path.push_back(hierarchies[i]->node(level, code));
    }
  }
  return Ok();
}

// What controllers are asked for and their union is not: it is only measured there.
std::vector<Demand> MeasuredOnly(const std::vector<Controller>& controllers, const Requirement& of_union) {
  std::vector<Demand> measured;
  for (const Controller& controller : controllers) {
    for (const Demand& demand : controller.requirement.more) {
      const auto is_same = [&](const Demand& other) {
        return other.name == demand.name && other.column == demand.column;
      };
      if (std::ranges::none_of(of_union.more, is_same) && std::ranges::none_of(measured, is_same))
        measured.push_back(demand);
    }
  }
  return measured;
}

AuditOptions OptionsFor(const Table& released, const Table& original, const Anonymized& made) {
  AuditOptions options;
  options.measured = MeasuredOnly(made.controllers, made.requirement);
  options.requirement = made.requirement;
  options.original = &original;
  options.order = made.release.row_order;
  for (ColumnId id = 0; id < released.num_columns(); ++id) {
    const auto source = original.Find(released.column(id).name());
    options.original_column.push_back(source);
    if (source && Holds(made.bound.roles.quasi, *source)) options.quasi.push_back(id);
    if (source && Holds(made.bound.roles.sensitive, *source)) options.sensitive.push_back(id);
  }
  options.person = made.bound.person;
  if (!made.requirement.k_column.empty()) options.own_k = made.bound.k_column;
  options.several_controllers = made.controllers.size() > 1;
  options.labels = LabelsOfColumns(released, original, made.bound.roles.quasi, made.hierarchies, made.hierarchy_codes);
  return options;
}

// The released columns that tell which rows are one person's.
void AddLinks(const Table& released, const Plan& plan, AuditOptions& options) {
  for (const PlannedColumn& column : plan.pseudonym) options.pseudonym.push_back(released.Find(column.name).value());
  for (const Plan::ShiftedDates& dates : plan.shift_dates) options.shifted.push_back(released.Find(dates.name).value());
}

AuditOptions OptionsFor(const Table& released, const Table* original, const Plan& plan) {
  AuditOptions options;
  AddLinks(released, plan, options);
  for (const PlannedColumn& column : plan.quasi) options.quasi.push_back(released.Find(column.name).value());
  for (const PlannedColumn& column : plan.sensitive) options.sensitive.push_back(released.Find(column.name).value());
  if (original == nullptr) return options;
  options.original = original;
  options.loss = true;
  options.missing = plan.missing;
  for (const Column& column : released.columns()) options.original_column.push_back(original->Find(column.name()));
  for (const PlannedColumn& column : plan.person) options.person.push_back(original->Find(column.name).value());
  if (!plan.requirement.k_column.empty()) options.own_k = original->Find(plan.requirement.k_column);
  if (plan.keep_order && released.num_rows() == original->num_rows()) {
    options.order.emplace(released.num_rows());
    std::iota(options.order->begin(), options.order->end(), RowId{0});
  }
  return options;
}

// All requirements that rows of the release may have been made for: those of its controllers, or of all that the plan may mean where
// the release does not say whose its rows are.
Result<std::vector<Controller>> AskedOf(const Plan& plan, std::vector<Controller> controllers) {
  std::vector<std::string> sensitive;
  for (const PlannedColumn& column : plan.sensitive) sensitive.push_back(column.name);
  if (controllers.empty()) {
    controllers.push_back({"", {}, plan.requirement});
    for (const auto& [name, requirement] : plan.controller_requirements) controllers.push_back({name, {}, requirement});
    const bool several = plan.controllers > 1 || !plan.controller_column.empty();
    if (several && controllers.size() == 1) controllers.push_back(controllers.front());
  }
  for (Controller& controller : controllers) {
    TADA_TRY(expanded, ExpandDemands(controller.requirement, sensitive));
    controller.requirement = std::move(expanded);
  }
  return controllers;
}

// What the rows of several controllers meet together.
Requirement WeakestOf(const std::vector<Controller>& controllers) {
  Requirement weakest = controllers.front().requirement;
  for (const Controller& controller : std::span(controllers).subspan(1)) {
    weakest = Weaker(weakest, controller.requirement);
  }
  return weakest;
}

// A release and the earlier one that its classes are compared with, values having the same codes in both; nothing if it is compared with
// itself.
Result<std::optional<std::pair<Table, Table>>> FrozenParts(const Table& released, const Plan& plan,
                                                           const FrozenValues* frozen) {
  if (frozen == nullptr) return std::optional<std::pair<Table, Table>>();
  TADA_TRY(both, WithFrozenRows(released, *frozen, ReleasedColumnOptions(plan)));
  std::vector<RowId> own(released.num_rows()), earlier(both.num_rows() - released.num_rows());
  std::iota(own.begin(), own.end(), RowId{0});
  std::iota(earlier.begin(), earlier.end(), static_cast<RowId>(released.num_rows()));
  return std::optional(std::pair(SelectRows(both, own), SelectRows(both, earlier)));
}

// The controllers with their rows of the release.
std::vector<Controller> InRelease(const Anonymized& made) {
  std::vector<uint32_t> controller_of(made.release.group_of_row.size());  // rows that are withheld have none
  for (uint32_t c = 0; c < made.controllers.size(); ++c) {
    for (const RowId row : made.controllers[c].rows) controller_of[row] = c;
  }
  std::vector<Controller> controllers;
  for (const Controller& controller : made.controllers)
    controllers.push_back({controller.name, {}, controller.requirement});
  for (RowId i = 0; i < made.release.row_order.size(); ++i)
    controllers[controller_of[made.release.row_order[i]]].rows.push_back(i);
  return controllers;
}

// Small classes of one controller may hide among another's in the union. A failure is one of the whole release. A single controller is the
// whole, and was audited as that.
Result<std::vector<Outcome::ControllerPart>> AuditControllers(const Table& released,
                                                              const std::vector<Controller>& controllers,
                                                              const AuditOptions& whole, const Workers& workers,
                                                              Verdict& of_whole) {
  std::vector<Outcome::ControllerPart> parts;
  if (controllers.size() < 2) return parts;
  for (const Controller& controller : controllers) {
    workers.Poll();
    AuditOptions options;
    options.quasi = whole.quasi;
    options.sensitive = whole.sensitive;
    options.requirement = controller.requirement;
    for (Demand& demand : options.requirement.more) {  // a controller's rows are a part of those that were drawn
      if (demand.kind == "population") demand.values.push_back(fmt::format("{}", released.num_rows()));
    }
    options.value_facts = whole.value_facts;
    if (controller.requirement.reference == ReferenceRows::kTable) {
      options.reference = &released;
      if (whole.order) options.reference_order = *whole.order;
    }
    const Demand* risk = RiskDemand(controller.requirement);
    const bool weights = risk != nullptr && !risk->column.empty();
    if ((!whole.person.empty() || whole.own_k || weights) &&
        whole.order) {  // whose the rows are is known by their order
      options.person = whole.person;
      options.own_k = whole.own_k;
      options.original = whole.original;
      options.means = whole.means;
      options.original_column = whole.original_column;
      options.order.emplace();
      for (const RowId row : controller.rows) options.order->push_back((*whole.order)[row]);
    }
    TADA_TRY(verdict, Audit(SelectRows(released, controller.rows), options, workers));
    for (const std::string& problem : verdict.problems) {
      of_whole.passed = false;
      of_whole.problems.push_back(fmt::format("Controller {}: {}", controller.name, problem));
    }
    parts.push_back({controller.name, std::move(verdict)});
  }
  return parts;
}

void Fail(std::string problem, Verdict& verdict) {
  verdict.passed = false;
  verdict.problems.push_back(std::move(problem));
}

// How many people have one of these rows.
uint64_t CountPeople(const Table& table, const std::vector<ColumnId>& person, const std::vector<RowId>& rows) {
  if (person.empty()) return rows.size();
  const PeopleOfRows people = FindPeople(table, person);
  std::set<uint32_t> found;
  for (const RowId row : rows) found.insert(people.of_row[row]);
  return found.size();
}

uint64_t NumPeople(const Table& table, const std::vector<ColumnId>& person) {
  return person.empty() ? table.num_rows() : FindPeople(table, person).count;
}

uint64_t PeopleAllowed(const Plan& plan, uint64_t people) {
  return static_cast<uint64_t>(plan.withhold / 100.0 * static_cast<double>(people) + 1e-9);
}

// Every row of the input is released once, or is one of those that the run says it withholds; no more of them than the plan allows, and
// none of a person who has rows in the release.
void CheckEveryRow(const Table& released, const Table& original, const Plan& plan, const Anonymized& made,
                   Verdict& verdict) {
  if (released.num_rows() + made.withheld.size() != original.num_rows()) {
    Fail(fmt::format("The input has {} rows, the release has {}, and {} are withheld.", original.num_rows(),
                     released.num_rows(), made.withheld.size()),
         verdict);
    return;
  }
  if (made.withheld.empty()) return;
  std::vector<uint8_t> times(original.num_rows(), 0);
  for (const RowId row : made.release.row_order) ++times[row];
  for (const RowId row : made.withheld) ++times[row];
  const auto wrong = std::ranges::count_if(times, [](uint8_t count) { return count != 1; });
  if (wrong > 0) Fail(fmt::format("{} rows are neither released once nor withheld.", wrong), verdict);
  if (made.by_saved_cuts) return;
  const uint64_t people = CountPeople(original, made.bound.person, made.withheld),
                 all = NumPeople(original, made.bound.person),
                 staying = CountPeople(original, made.bound.person, made.release.row_order);
  if (people > PeopleAllowed(plan, all)) {
    Fail(fmt::format("{} of {} people are withheld, more than --withhold {:g} allows.", people, all, plan.withhold),
         verdict);
  }
  if (people + staying != all) {
    Fail(fmt::format("{} people have rows that are withheld and others that are released.", people + staying - all),
         verdict);
  }
}

// The most rows that so many people have.
uint64_t MostRowsOf(const Table& table, const std::vector<ColumnId>& person, uint64_t people) {
  if (person.empty()) return people;
  const PeopleOfRows found = FindPeople(table, person);
  std::vector<uint64_t> rows(found.count, 0);
  for (const uint32_t who : found.of_row) ++rows[who];
  std::ranges::sort(rows, std::greater<>());
  rows.resize(std::min<size_t>(rows.size(), people));
  return std::accumulate(rows.begin(), rows.end(), uint64_t{0});
}

// No more rows are missing than those of the people who may be left out.
void CheckShareWithheld(const Plan& plan, const Table& original, const AuditOptions& options, Verdict& verdict) {
  if (plan.withhold <= 0) return;
  const uint64_t people = NumPeople(original, options.person), allowed = PeopleAllowed(plan, people);
  if (verdict.withheld_rows <= MostRowsOf(original, options.person, allowed)) return;
  Fail(fmt::format("{} of {} rows are withheld, more than --withhold {:g} allows: {} of {} people.",
                   verdict.withheld_rows, original.num_rows(), plan.withhold, allowed, people),
       verdict);
}

bool IsPseudonym(const Plan& plan, const std::string& name) {
  return std::ranges::find(plan.pseudonym, name, &PlannedColumn::name) != plan.pseudonym.end();
}

bool IsShifted(const Plan& plan, const std::string& name) {
  return std::ranges::find(plan.shift_dates, name, &Plan::ShiftedDates::name) != plan.shift_dates.end();
}

// Released columns that a plan gives no role.
std::vector<std::string> WithoutRole(const Table& released, const Plan& plan) {
  std::vector<std::string> names;
  for (const Column& column : released.columns()) {
    const auto named = [&](const std::vector<PlannedColumn>& role) {
      return std::ranges::find(role, column.name(), &PlannedColumn::name) != role.end();
    };
    const bool has_role = IsPseudonym(plan, column.name()) || IsShifted(plan, column.name()) || named(plan.quasi) ||
                          named(plan.sensitive) || named(plan.label) || named(plan.keep);
    // A column without a name (pandas writes an index so) has no role either, whatever the plan leaves unnamed.
    const bool divides = !plan.controller_column.empty() && column.name() == plan.controller_column;
    if (!has_role && !divides) names.push_back(column.name().empty() ? "(without a name)" : column.name());
  }
  return names;
}

std::vector<std::vector<std::string>> Sample(const Table& released) {
  std::vector<std::vector<std::string>> rows(1);
  for (const Column& column : released.columns()) rows[0].push_back(column.name());
  for (size_t row = 0; row < std::min(kSampleRows, released.num_rows()); ++row) {
    rows.emplace_back();
    for (const Column& column : released.columns()) rows.back().emplace_back(column.text(column.codes()[row]));
  }
  return rows;
}

// The people of Sample() as they were.
std::vector<std::vector<std::string>> RawSample(const Table& table, const Release& release) {
  std::vector<std::vector<std::string>> rows(1);
  for (const Column& column : table.columns()) rows[0].push_back(column.name());
  for (size_t i = 0; i < std::min(kSampleRows, release.row_order.size()); ++i) {
    rows.emplace_back();
    for (const Column& column : table.columns())
      rows.back().emplace_back(column.text(column.codes()[release.row_order[i]]));
  }
  return rows;
}

// The ends of numeric columns.
void AddExtremes(const Table& table, std::vector<Outcome::Column>& columns) {
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    const Column& column = table.column(id);
    if (!column.is_numeric() || column.num_codes() == column.num_missing()) continue;
    columns[id].smallest = column.text(column.num_missing());
    columns[id].largest = column.text(column.num_codes() - 1);
  }
}

// How many values cells name that fewer than k rows have.
uint64_t RareMembers(const Release& release, uint64_t k) {
  uint64_t count = 0;
  for (const ReleasedColumn& released : release.columns) {
    if (!released.recoded || released.bounds != nullptr) continue;  // cells of saved cuts name what their release named
    const Column& column = release.table->column(released.source);
    const bool all = release.row_order.size() == column.num_rows();
    const RareValues rare(all ? column : column.Select(release.row_order), k);
    std::set<Code> named;
    for (const Cell& cell : released.cells) {
      if (cell.form == Cell::Form::kValue && rare.Has(cell.low)) named.insert(cell.low);
      if (cell.form != Cell::Form::kSet) continue;
      for (const Code code : released.sets[cell.index]) {
        if (rare.Has(code)) named.insert(code);
      }
    }
    count += named.size();
  }
  return count;
}

std::vector<Outcome::Column> DescribeColumns(const Table& table, const Plan& plan, const BoundPlan& bound) {
  const Roles& roles = bound.roles;
  std::vector<Outcome::Column> columns;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    const Column& column = table.column(id);
    const char* role = IsPseudonym(plan, column.name()) ? "pseudonym"
                       : IsShifted(plan, column.name()) ? "shifted dates"
                       : Holds(roles.quasi, id)         ? "quasi-identifier"
                       : Holds(roles.sensitive, id)     ? "sensitive"
                       : Holds(roles.label, id)         ? "label"
                       : Holds(roles.keep, id)          ? "kept"
                       : Holds(bound.person, id)        ? "person"
                       : bound.controller_column == id  ? "controller"
                                                        : "none";
    uint64_t missing = 0;
    if (column.num_missing() > 0) {
      column.codes().Visit([&](auto codes) {
        for (const auto code : codes) missing += column.is_missing(code) ? 1 : 0;
      });
    }
    const bool released = std::string_view(role) != "none" && std::string_view(role) != "person" &&
                          std::string_view(role) != "controller";
    columns.push_back({.name = column.name(),
                       .role = role,
                       .kind = std::string(KindName(column.kind())),
                       .distinct = column.num_values(),
                       .missing = missing,
                       .released = released});
  }
  return columns;
}

// "Missing" is a value of its own: a class that has it beside others shows it in a set, or masks a number.
uint64_t CountMixedMissing(const Release& release) {
  std::vector<bool> mixed(release.num_groups, false);
  for (const ReleasedColumn& released : release.columns) {
    if (!released.recoded) continue;
    const Column& column = released.shown(release.table->column(released.source));
    std::vector<bool> mixes;
    for (const Cell& cell : released.cells) {
      const bool set = cell.form == Cell::Form::kSet && !released.sets[cell.index].empty();
      const bool of_set = set && column.is_missing(released.sets[cell.index].front()) &&
                          !column.is_missing(released.sets[cell.index].back());
      mixes.push_back(of_set || (cell.form == Cell::Form::kMask && column.is_numeric()));
    }
    for (GroupId group = 0; group < released.cell_of_group.size(); ++group) {
      if (mixes[released.cell_of_group[group]]) mixed[group] = true;
    }
  }
  return static_cast<uint64_t>(std::count(mixed.begin(), mixed.end(), true));
}

double PeakMemoryMb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace

ColumnOptions ReleasedColumnDefaults(const Plan& plan) { return {.kind = Kind::kCategorical, .missing = plan.missing}; }

std::map<std::string, ColumnOptions> ReleasedColumnOptions(const Plan& plan) {
  std::map<std::string, ColumnOptions> options;
  for (const PlannedColumn& column : plan.quasi) options[column.name] = {.kind = Kind::kCategorical, .missing = {}};
  for (const PlannedColumn& column : plan.sensitive) {
    options[column.name] = {.kind = column.kind, .missing = plan.missing, .show_values = plan.show_values};
  }
  for (const Plan::ShiftedDates& dates : plan.shift_dates) {
    options[dates.name] = {.kind = Kind::kCategorical, .missing = plan.missing};
  }
  for (const auto* unchanged : {&plan.label, &plan.keep, &plan.pseudonym}) {
    for (const PlannedColumn& column : *unchanged) {
      options[column.name] = {.kind = Kind::kCategorical, .missing = plan.missing};
    }
  }
  return options;
}

Status AuditRelease(const Table& released, const Table& original, const Plan& plan, const Anonymized& made,
                    const Workers& workers, Outcome& outcome) {
  AuditOptions options = OptionsFor(released, original, made);
  TADA_CHECK_OK(AddValueFacts(released, &original, plan, options));
  AddLinks(released, plan, options);
  if (options.order->size() != released.num_rows())
    options.order.reset();  // rows were lost on the way: it names others
  options.means = plan.recode == "mean";
  options.loss = options.means;  // what is lost is no matter of cells then
  TADA_TRY(frozen, FrozenParts(released, plan, made.reference.get()));
  if (frozen) options.reference = &frozen->second;
  TADA_TRY(verdict, Audit(frozen ? frozen->first : released, options, workers));
  outcome.verdict = std::move(verdict);
  CheckEveryRow(released, original, plan, made, outcome.verdict);
  TADA_TRY(parts, AuditControllers(released, InRelease(made), options, workers, outcome.verdict));
  outcome.controllers = std::move(parts);
  outcome.sample = Sample(released);
  return Ok();
}

Result<std::vector<LabelCodes>> LabelsByPlan(const Table& released, const Table& original, const Plan& plan) {
  Roles roles;
  for (const PlannedColumn& column : plan.quasi) roles.quasi.push_back(original.Find(column.name).value());
  for (const PlannedColumn& column : plan.label) {
    if (const auto id = original.Find(column.name)) roles.label.push_back(*id);
  }
  const MethodEntry* method = FindMethod(plan.method);
  TADA_TRY(hierarchies, LoadHierarchies(plan, original, roles, method != nullptr && method->by_levels));
  return LabelsOfColumns(released, original, roles.quasi, hierarchies);
}

Result<Verdict> AuditByPlan(const Table& released, const Table* original, const Plan& plan, const Workers& workers) {
  AuditOptions options = OptionsFor(released, original, plan);
  const auto column = plan.controller_column.empty() ? std::nullopt : released.Find(plan.controller_column);
  std::vector<Controller> controllers =
      column ? ControllersOf(released.column(*column), plan) : std::vector<Controller>();
  TADA_TRY(asked, AskedOf(plan, controllers));
  options.requirement = WeakestOf(asked);
  options.measured = MeasuredOnly(asked, options.requirement);
  TADA_CHECK_OK(AddValueFacts(released, original, plan, options));
  if (column) controllers = asked;
  options.several_controllers = controllers.size() > 1;
  if (original != nullptr) {
    TADA_TRY(labels, LabelsByPlan(released, *original, plan));
    options.labels = std::move(labels);
  }
  options.means = plan.recode == "mean";
  TADA_TRY(verdict, Audit(released, options, workers));
  if (original != nullptr) CheckShareWithheld(plan, *original, options, verdict);
  if (!column && !options.measured.empty()) {
    verdict.unverified.push_back(fmt::format(
        "{}: not verified. It was asked of each controller, compared with its own rows, and the release does not say "
        "whose its rows are.",
        options.measured.front().name));
  }
  if (plan.keep_order && original != nullptr && !options.order) {
    verdict.unverified.push_back(fmt::format(
        "--keep-order: the release has {} rows and the original {}, so which row stands for which is not given by "
        "their order.",
        released.num_rows(), original->num_rows()));
  }
  TADA_TRY(parts, AuditControllers(released, controllers, options, workers, verdict));
  if (!parts.empty()) {
    verdict.notes.push_back(fmt::format("The rows of {} controllers ({}) were also audited each by themselves.",
                                        parts.size(), plan.controller_column));
  }
  if (std::string idle = IdleRequirement(options.requirement); !idle.empty()) verdict.notes.push_back(std::move(idle));
  for (std::string& note : IdentifyingNotes(released, plan)) verdict.notes.push_back(std::move(note));
  TADA_TRY(policy, ReadPolicy(plan.profile));
  JudgePolicy(released, plan, policy, verdict);
  if (const auto names = WithoutRole(released, plan); !names.empty()) {
    verdict.notes.push_back(fmt::format(
        "Released columns without a role: {}. Whether they tell people apart was not checked; name them in --quasi, "
        "or in --keep if they are meant to be there.",
        fmt::join(names, ", ")));
  }
  return verdict;
}

Result<Verdict> AuditPart(const ReleasePart& part, const Plan& plan, const std::vector<Controller>& asked,
                          const Table* values, const Workers& workers) {
  const size_t compared = part.reference.empty() ? 0 : part.reference.front().size();
  std::vector<RowId> own(part.table.num_rows() - compared), others(compared);
  std::iota(own.begin(), own.end(), RowId{0});
  std::iota(others.begin(), others.end(), static_cast<RowId>(own.size()));
  const Table released = SelectRows(part.table, own), reference = SelectRows(part.table, others);
  AuditOptions options = OptionsFor(released, nullptr, plan);
  TADA_TRY(expanded, AskedOf(plan, asked));
  options.requirement = WeakestOf(expanded);
  options.measured = MeasuredOnly(expanded, options.requirement);
  TADA_CHECK_OK(AddValueFacts(released, values, plan, options));
  if (compared > 0) {
    options.reference = &reference;
    options.reference_rows.resize(released.num_columns());
    for (size_t i = 0; i < part.reference.size(); ++i) options.reference_rows[options.sensitive[i]] = part.reference[i];
  }
  return Audit(released, options, workers);
}

Result<Verdict> AuditCover(const Table& released, const Table& original, const Plan& plan,
                           const ColumnHierarchies& hierarchies, const Workers& workers) {
  AuditOptions options = OptionsFor(released, &original, plan);
  options.loss = false;
  options.requirement = {.k = 1};
  options.sensitive.clear();
  std::vector<ColumnId> quasi;
  for (const PlannedColumn& column : plan.quasi) quasi.push_back(original.Find(column.name).value());
  options.labels = LabelsOfColumns(released, original, quasi, hierarchies);
  std::vector<RowId>& order = options.order.emplace(released.num_rows());
  std::iota(order.begin(), order.end(), RowId{0});
  return Audit(released, options, workers);
}

void DescribeRun(const Table& original, const std::vector<std::string>& all_columns, const Plan& plan,
                 const Anonymized& made, const Workers& workers, Outcome& outcome) {
  outcome.score = Score(made.release, workers, SpansOf::kReleased);
  outcome.input_score = Score(made.release, workers, SpansOf::kInput);
  outcome.rare_members = RareMembers(made.release, static_cast<uint64_t>(made.requirement.k));
  outcome.method = made.bound.method;
  outcome.stages = made.stages;
  outcome.plan = plan;
  outcome.plan.method = made.bound.method;
  outcome.plan.task = made.bound.task;
  outcome.input_rows = original.num_rows();
  outcome.input_columns = all_columns.size();
  outcome.withheld_rows = made.withheld.size();
  if (!made.bound.person.empty()) outcome.withheld_people = CountPeople(original, made.bound.person, made.withheld);
  outcome.mixed_missing = CountMixedMissing(made.release);
  outcome.columns = DescribeColumns(original, plan, made.bound);
  for (const std::string& name : all_columns) {
    const auto column = std::ranges::find(outcome.columns, name, &Outcome::Column::name);
    if (column == outcome.columns.end() || column->role == "none") outcome.dropped_columns.push_back(name);
  }
  outcome.warnings = made.notes.warnings;
  outcome.sections = made.notes.sections;
  outcome.about = made.notes.about;
  if (!plan.clip.empty()) outcome.about.emplace(outcome.about.begin(), "clip", ClipWords(plan));
  outcome.peak_memory_mb = PeakMemoryMb();
}

void DescribeRawValues(const Table& original, const Release& release, Outcome& outcome) {
  outcome.report_raw = true;
  AddExtremes(original, outcome.columns);
  outcome.raw_sample = RawSample(original, release);
}

}  // namespace tada
