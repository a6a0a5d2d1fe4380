#include "run/apply/apply_cuts.h"

#include <algorithm>
#include <numeric>

#include "base/option_mark.h"
#include "base/words.h"
#include "cuts/frozen_rows.h"
#include "plan/plan_columns.h"
#include "privacy/check/requirements.h"
#include "recode/recoder.h"
#include "run/anonymize/stopwatch.h"
#include "run/bind/workplaces.h"

namespace tada {
namespace {

// The table that is counted in: the input, behind it the frozen values if there are any.
struct Counted {
  std::unique_ptr<const Table> extended;
  std::vector<Controller> asked, working;  // the new rows, and the frozen ones if there are any
  Workplace place;
};

Result<Counted> Prepare(const Table& table, const Plan& plan, const BoundPlan& bound, const FrozenValues* frozen) {
  Counted counted;
  if (frozen != nullptr) {
    TADA_TRY(extended, WithFrozenRows(table, *frozen, PlannedColumnOptions(plan)));
    counted.extended = std::make_unique<const Table>(std::move(extended));
  }
  const Table& seen = counted.extended ? *counted.extended : table;
  counted.asked.push_back({"", std::vector<RowId>(table.num_rows()), plan.requirement});
  std::iota(counted.asked[0].rows.begin(), counted.asked[0].rows.end(), RowId{0});
  if (frozen != nullptr) {
    counted.asked.push_back({"", std::vector<RowId>(seen.num_rows() - table.num_rows()), plan.requirement});
    std::iota(counted.asked[1].rows.begin(), counted.asked[1].rows.end(), static_cast<RowId>(table.num_rows()));
  }
  counted.working = counted.asked;
  TADA_TRY(place, FindWorkplace(seen, plan, bound, counted.working));
  TADA_CHECK_OK(ResolveAll(place, counted.asked));
  counted.place = std::move(place);
  return counted;
}

// Chooses nodes until what is released meets the requirement compared with itself: what is withheld is no part of the reference.
class Chooser {
 public:
  Chooser(const Counted& counted, const Plan& plan, const PlacedRows& placed, const ApplyOptions& options)
      : counted_(counted), plan_(plan), placed_(placed), options_(options) {}

  Result<ChosenNodes> Choose() const {
    const std::vector<RowId>& units = counted_.place.rows(0);
    std::vector<uint8_t> keep(units.size(), 1);
    std::vector<RowId> reference = counted_.asked.size() > 1 ? counted_.place.rows(1) : units;
    while (true) {
      const Checker checker = CheckerOf(reference);
      TADA_TRY(chosen, ChooseBy(checker, keep));
      std::vector<uint8_t> released(units.size(), 0);
      for (const ChosenNodes::Part& part : chosen.parts) {
        for (const uint32_t unit : part.units) released[unit] = 1;
      }
      if (counted_.asked.size() > 1 || !ComparesDistributions(plan_.requirement)) return chosen;
      std::vector<RowId> own;
      for (size_t i = 0; i < units.size(); ++i) {
        if (released[i] != 0) own.push_back(units[i]);
      }
      if (own.size() == reference.size() || own.empty()) return chosen;
      keep = std::move(released);
      reference = std::move(own);
    }
  }

  Status Feasible() const {
    const std::vector<RowId>& units = counted_.place.rows(0);
    const Checker checker = CheckerOf(counted_.asked.size() > 1 ? counted_.place.rows(1) : units);
    return checker.Feasible(checker.Count(units));
  }

 private:
  Checker CheckerOf(const std::vector<RowId>& reference) const {
    return {counted_.working[0].requirement, counted_.place.table(), counted_.place.counted(), reference};
  }

  // With --safe a number of people decides, and nothing else; then the classes hold or nothing is released.
  Result<ChosenNodes> ChooseBy(const Checker& checker, const std::vector<uint8_t>& keep) const {
    const std::vector<RowId>& rows = counted_.place.rows(0);
    const auto by = [&rows](const Checker& asked) {
      return [&rows, &asked](std::span<const uint32_t> units) {
        Tally tally = asked.EmptyTally();
        for (const uint32_t unit : units) {
          asked.Add(rows[unit], tally);
        }
        return asked.Holds(tally);
      };
    };
    const auto holds = by(checker);
    if (plan_.safe == 0) return ChooseNodes(placed_, keep, options_.misfits, holds);
    Requirement fixed;
    fixed.k = plan_.safe;
    fixed.persons = counted_.working[0].requirement.persons;
    std::vector<CountedColumn> people;
    if (fixed.persons == Persons::kApart) people.push_back(counted_.place.counted().front());
    const Checker large(fixed, counted_.place.table(), std::move(people), rows);
    ChosenNodes chosen = ChooseNodes(placed_, keep, options_.misfits, by(large));
    if (std::ranges::all_of(chosen.parts, [&](const ChosenNodes::Part& part) { return holds(part.units); })) {
      return chosen;
    }
    return Infeasible(
               TADA_OPTION("safe={}") ": boxes chosen by the quasi-identifiers alone do not meet the requirement",
               plan_.safe)
        .WithHint("The cuts were made with " TADA_OPTION(
            "safe") ": whether a box is released must not depend on values in it.");
  }

  const Counted& counted_;
  const Plan& plan_;
  const PlacedRows& placed_;
  const ApplyOptions& options_;
};

// The chosen nodes as groups of rows, with the levels that they show.
Groups GroupsOf(const ChosenNodes& chosen, const PlacedRows& placed, const Cuts& cuts, const Groups& units) {
  const auto rows_of = [&](const ChosenNodes::Part& part) {
    std::vector<RowId> rows;
    for (const uint32_t unit : part.units) rows.insert(rows.end(), units.rows(unit).begin(), units.rows(unit).end());
    std::ranges::sort(rows);
    return rows;
  };
  Groups groups;
  if (cuts.by != Cuts::By::kLevels) {
    std::vector<std::vector<RowId>> lists;
    for (const ChosenNodes::Part& part : chosen.parts) lists.push_back(rows_of(part));
    return Groups::FromLists(lists);
  }
  for (size_t step = 0; step < cuts.levels.size(); ++step) {
    std::vector<std::vector<RowId>> lists;
    for (const ChosenNodes::Part& part : chosen.parts) {
      if (placed.nodes[part.node].step == step) lists.push_back(rows_of(part));
    }
    if (lists.empty()) continue;
    Groups at_step = Groups::FromLists(lists);
    at_step.set_levels(cuts.levels[step]);
    groups.Append(at_step);
  }
  return groups;
}

// What was done, for the report. Counts of rows that are not released are no part of the release, but tell about nobody.
// Rows that are in no group, ascending.
std::vector<RowId> RowsBeside(const Groups& groups, size_t num_rows) {
  std::vector<bool> has_group(num_rows, false);
  for (const RowId row : groups.order()) has_group[row] = true;
  std::vector<RowId> beside;
  for (RowId row = 0; row < num_rows; ++row) {
    if (!has_group[row]) beside.push_back(row);
  }
  return beside;
}

NoteSection Describe(const Cuts& cuts, const ChosenNodes& chosen, const ApplyOptions& options, uint64_t withheld) {
  NoteSection section{.key = "applied", .title = "Released by saved cuts"};
  section.facts = Fact::Map{{"cuts_of_release", cuts.release_sha256},
                            {"misfits", options.misfits == Misfits::kUp ? "up" : "withhold"},
                            {"append", options.append},
                            {"classes", chosen.parts.size()},
                            {"raised", chosen.raised},
                            {"withheld_rows", withheld},
                            {"withheld_misfits", chosen.misfits},
                            {"withheld_uncovered", chosen.uncovered}};
  DataTable table{.header = {"", "people"}, .rows = {}, .right = {false, true}};
  table.rows.push_back({"released with a wider box, since theirs had too few", fmt::format("{}", chosen.raised)});
  table.rows.push_back({"withheld: too few in their box", fmt::format("{}", chosen.misfits)});
  table.rows.push_back({"withheld: no box of the cuts covers their values", fmt::format("{}", chosen.uncovered)});
  section.blocks.push_back({std::string("The cells are those of an earlier release, whose cuts were saved.")});
  section.blocks.push_back({std::move(table)});
  return section;
}

std::string Withheld(const ChosenNodes& chosen, uint64_t rows, const ApplyOptions& options) {
  return fmt::format("{} {}: {} too few in their box, {} beyond every box", Plural(rows, "row"),
                     options.append ? "wait for the next batch" : "withheld", chosen.misfits, chosen.uncovered);
}

Status CheckAppend(const Plan& plan, const ApplyOptions& options) {
  if (!options.append) return Ok();
  if (options.misfits == Misfits::kUp) {
    return InvalidArgument(TADA_OPTION("append") " lets misfits wait: " TADA_OPTION(
                               "misfits") " up would release them with wider cells")
        .WithHint("Leave " TADA_OPTION("misfits") " out, or leave " TADA_OPTION("append") " out.");
  }
  if (ComparesDistributions(plan.requirement) && !plan.person.empty()) {
    return InvalidArgument(TADA_OPTION("append") " with " TADA_OPTION(
                               "person") ": people of two batches are not compared with one distribution")
        .WithHint("Ask for k and l alone.");
  }
  return Ok();
}

}  // namespace

Result<Plan> PlanOfCuts(const Cuts& cuts, const std::string& path, const OptionValues& stronger) {
  const auto file = ParsePlanFile(cuts.plan, path);
  if (!file.ok()) return DataError("The cuts are damaged: {}, plan: {}", path, file.error().message);
  return PlanFromFile(*file, stronger);
}

Result<Anonymized> ApplyCuts(const Table& table, const Plan& plan, const Cuts& cuts, const ApplyOptions& options,
                             const Workers& workers, Progress& progress) {
  Anonymized result;
  const TimeStage timer(result.seconds, "apply");
  progress.Begin("apply", 0);
  TADA_CHECK_OK(CheckAppend(plan, options));
  TADA_TRY(bound, BindPlan(plan, table));
  result.bound = std::move(bound);
  result.stages = {"apply"};
  const bool frozen = options.append && !cuts.reference.empty();
  TADA_TRY(counted, Prepare(table, plan, result.bound, frozen ? &cuts.reference : nullptr));
  if (frozen) result.reference = std::make_shared<const FrozenValues>(cuts.reference);

  std::vector<AppliedHierarchy> hierarchies;
  for (size_t i = 0; i < cuts.columns.size(); ++i) {
    TADA_TRY(applied, ApplyHierarchy(cuts.columns[i], table.column(result.bound.roles.quasi[i])));
    hierarchies.push_back(std::move(applied));
  }
  std::vector<AppliedColumn> columns;
  for (size_t i = 0; i < cuts.columns.size(); ++i) {
    const auto& hierarchy = hierarchies[i].hierarchy;
    columns.emplace_back(cuts.columns[i], table.column(result.bound.roles.quasi[i]), hierarchy ? &*hierarchy : nullptr,
                         plan.missing);
  }
  std::vector<std::vector<RowId>> alone;
  for (const RowId unit : counted.place.rows(0)) alone.push_back({unit});
  const Groups units = counted.place.Expand(Groups::FromLists(alone));
  const PlacedRows placed = PlaceRows({cuts, table, result.bound.roles.quasi, columns, hierarchies, units}, workers);
  const Chooser chooser(counted, plan, placed, options);
  TADA_CHECK_OK(chooser.Feasible());
  TADA_TRY(chosen, chooser.Choose());
  if (chosen.parts.empty()) {
    return Infeasible("No box of the cuts has enough of the new rows: {} too few in their box, {} beyond every box",
                      chosen.misfits, chosen.uncovered)
        .WithHint("Collect more rows, or cut with a larger k, so that boxes are larger.");
  }
  result.groups = GroupsOf(chosen, placed, cuts, units);
  result.withheld = RowsBeside(result.groups, table.num_rows());
  result.by_saved_cuts = true;
  const uint64_t withheld = result.withheld.size();
  if (withheld > 0) result.notes.warnings.push_back(Withheld(chosen, withheld, options));
  result.notes.about.emplace_back(
      "apply",
      "The rows were released by the cuts of an earlier release: each with the cells of its "
      "box, where the rows of the box alone meet the requirement.");
  result.notes.sections.push_back(Describe(cuts, chosen, options, withheld));
  std::vector<std::optional<Hierarchy>> kept;
  for (AppliedHierarchy& applied : hierarchies) kept.push_back(applied.hierarchy);
  result.hierarchies = ColumnHierarchies(std::move(kept));
  RecodeOptions recode{.keep_order = plan.keep_order, .hierarchies = result.hierarchies.pointers()};
  for (size_t i = 0; i < columns.size() && cuts.by != Cuts::By::kLevels; ++i) {
    std::vector<uint32_t> cells;
    for (const ChosenNodes::Part& part : chosen.parts) {
      cells.push_back(cuts.nodes[placed.nodes[part.node].node].cells[i]);
    }
    recode.given.push_back(columns[i].Release(result.bound.roles.quasi[i], cells));
  }
  result.release = Recode(table, result.bound.roles, result.groups, recode, workers);
  Controller& asked = counted.asked[0];
  asked.rows.clear();
  for (GroupId group = 0; group < result.groups.num_groups(); ++group) {
    asked.rows.insert(asked.rows.end(), result.groups.rows(group).begin(), result.groups.rows(group).end());
  }
  std::ranges::sort(asked.rows);
  result.requirement = asked.requirement;
  result.controllers = {std::move(asked)};
  return result;
}

}  // namespace tada
