#include "run/anonymize/anonymize.h"

#include <algorithm>

#include "base/option_mark.h"
#include "base/random.h"
#include "base/words.h"
#include "cuts/take_cuts.h"
#include "groups/box_tree.h"
#include "partition/registry.h"
#include "privacy/check/requirements.h"
#include "recode/recoder.h"
#include "run/anonymize/asked_cuts.h"
#include "run/anonymize/safe_groups.h"
#include "run/anonymize/stopwatch.h"
#include "run/bind/canonical_rows.h"
#include "run/bind/feasible.h"
#include "run/inspect/people.h"

namespace tada {
namespace {

constexpr std::string_view kApartWarning =
    "People's rows stand in different groups (" TADA_OPTION("person=...:apart") "): this protects against somebody who knows one row of "
    "a "
    "person. Whoever knows several rows may find that only one person fits all of them; 'together' protects against "
    "that.";

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

// What stages came across in the rows is for their owner alone. With several controllers a stage runs once for each: says for whom.
void NameController(const std::string& controller, size_t first_warning, size_t first_section, StageNotes& notes) {
  const std::string name = controller.empty() ? "" : fmt::format("Controller {}: ", controller);
  for (size_t i = first_warning; i < notes.warnings.size(); ++i) notes.raw_warnings.push_back(name + notes.warnings[i]);
  notes.warnings.resize(first_warning);
  if (controller.empty()) return;
  for (size_t i = first_section; i < notes.sections.size(); ++i) {
    notes.sections[i].controller = controller;
    notes.sections[i].title += fmt::format(" (controller {})", controller);
  }
}

// Forms the groups of all parts: of the controllers, or of the people of each who hide among each other only.
class GroupForming {
 public:
  GroupForming(const Table& table, const Plan& plan, double leaving, bool save_cuts, const Workers& workers,
               Progress& progress, Anonymized& result)
      : table_(table),
        plan_(plan),
        leaving_(leaving),
        save_cuts_(save_cuts),
        workers_(workers),
        progress_(progress),
        result_(result),
        method_(*FindMethod(result.bound.method)) {}

  /// Finds everything that groups are formed by; an error says why they can't be.
  Status Prepare() {
    TADA_CHECK_OK(FindStages());
    TADA_CHECK_OK(FindParts());
    TADA_CHECK_OK(FindLevels());
    AddWarnings();
    return Ok();
  }

  Status Form() {
    for (size_t part = 0; part < parts_.size(); ++part) TADA_CHECK_OK(FormPart(part));
    return Ok();
  }

  const std::vector<const DomainBounds*>& domain_bounds() const { return domain_bounds_; }

 private:
  Status FindStages() {
    TADA_TRY(controllers, FindControllers(plan_, result_.bound, table_));
    result_.controllers = std::move(controllers);
    TADA_CHECK_OK(CheckSharedPeople());
    TADA_CHECK_OK(CheckCuts(plan_, result_.bound, method_));
    if (save_cuts_) TADA_CHECK_OK(CanSaveCuts(plan_, result_.bound.task, result_.bound.method));
    TADA_TRY(stages, method_.make({result_.bound.task, plan_.method_options, ComparesDistributions(plan_)}));
    stages_ = std::move(stages);
    for (const auto& stage : stages_) result_.stages.emplace_back(stage->name());
    return Ok();
  }

  // A controller keeps its own rows of a person together, and knows of no others'.
  Status CheckSharedPeople() {
    const BoundPlan& bound = result_.bound;
    if (!bound.controller_column || bound.person.empty()) return Ok();
    if (plan_.requirement.persons != Persons::kTogether) return Ok();
    const uint32_t shared = PeopleInSeveral(table_, bound.person, *bound.controller_column);
    if (shared == 0) return Ok();
    if (LinksRows(plan_)) {
      return Infeasible("{} {} rows with several controllers, and the release tells whose they are", shared,
                        shared == 1 ? "person has" : "people have")
          .WithHint(
              "Each controller hides its own rows of a person, and both classes together show who it is: leave "
              "the pseudonyms out, or anonymize as one table.");
    }
    shared_people_ = shared;
    return Ok();
  }

  // The rows of a part, until its groups are formed. Those of whole controllers are not copied: of many rows that takes long.
  const std::vector<RowId>& RowsOf(size_t part) const {
    if (LinksRows(plan_)) return parts_[part].rows;
    const std::vector<RowId>& rows = result_.controllers[part].rows;
    return rows.empty() ? place_.rows(part) : rows;
  }

  Status FindParts() {
    if (LinksRows(plan_)) {
      TADA_TRY(parts, PartBySigns(plan_, result_.bound, table_, result_.controllers));
      working_ = parts;
      parts_ = std::move(parts);
    } else {
      // One controller's are all rows, which nobody looks up but who leaves some out.
      const bool alone = result_.controllers.size() == 1 && result_.bound.person.empty() && leaving_ == 0;
      working_ = alone ? std::move(result_.controllers) : result_.controllers;
      if (alone) result_.controllers = {{working_[0].name, {}, working_[0].requirement}};
      for (const Controller& controller : result_.controllers)
        parts_.push_back({controller.name, {}, controller.requirement});
    }
    TADA_TRY(place, FindWorkplace(table_, plan_, result_.bound, working_));
    place_ = std::move(place);
    TADA_CHECK_OK(ResolveAll(place_, parts_));
    TADA_CHECK_OK(ResolveAll(place_, result_.controllers));
    return CheckFeasible(place_, working_);
  }

  Status FindLevels() {
    const Roles& roles = result_.bound.roles;
    roles_ = plan_.safe > 0 ? Roles{roles.quasi, {}, {}, {}} : roles;
    TADA_TRY(loaded, LoadHierarchies(plan_, table_, roles_, method_.by_levels));
    result_.hierarchies = std::move(loaded);
    TADA_TRY(bounds, FindDomainBounds(plan_, table_, roles_, result_.hierarchies));
    domain_bounds_ = std::move(bounds);
    return Ok();
  }

  void AddWarnings() {
    std::vector<std::string>& warnings = result_.notes.warnings;
    result_.notes.raw_warnings = result_.hierarchies.Warnings(table_, result_.bound.roles);
    if (shared_people_ > 0) {
      result_.notes.raw_warnings.push_back(fmt::format(
          "{} {} rows with several controllers. Each keeps its own together; who knows rows of several controllers may "
          "find that only one person fits all of them.",
          shared_people_, shared_people_ == 1 ? "person has" : "people have"));
    }
    if (plan_.requirement.persons == Persons::kApart) warnings.emplace_back(kApartWarning);
    if (std::string idle = IdleRequirement(plan_.requirement); !idle.empty()) warnings.push_back(std::move(idle));
    if (plan_.importance.empty()) return;
    result_.notes.AddAbout("importance", fmt::format("Losses and cuts weigh columns by {}, others by 1.",
                                                     fmt::join(ImportanceItems(plan_), ", ")));
  }

  Checker CheckerOver(std::span<const RowId> rows, const Requirement& asked, size_t part) const {
    return {asked, place_.table(), CountedForGroups(plan_, working_[part].requirement, place_), rows};
  }

  // The checker that the method asks: it has to go with all that the plan does to groups.
  Result<Checker> CheckerOfGroups(size_t part) const {
    const Requirement asked = RequirementOfGroups(plan_, working_[part].requirement);
    const bool own_rows = asked.reference == ReferenceRows::kController;  // of many rows a copy takes long
    Checker checker = own_rows ? CheckerOver(place_.rows(part), asked, part)
                               : CheckerOver(place_.ReferenceRowsOf(part, asked.reference), asked, part);
    if (plan_.safe > 0) TADA_CHECK_OK(checker.Feasible(checker.Count(place_.rows(part))));
    if (plan_.min_member > 0 && !checker.KeptByMerging()) {
      return InvalidArgument(
          TADA_OPTION("min-member") " joins groups, and two groups that meet the requirement may break it together");
    }
    TADA_CHECK_OK(CheckMerging(checker, stages_, result_.bound.method));
    return checker;
  }

  std::vector<double> LabelWeights() const {
    std::vector<double> weights;
    if (roles_.label.empty()) return weights;
    for (const PlannedColumn& label : plan_.label) weights.push_back(label.weight);
    return weights;
  }

  Problem ProblemOf(size_t part, const Checker& checker) const {
    return {place_.table(),
            roles_,
            result_.bound.task,
            LabelWeights(),
            checker,
            plan_.method_options,
            MixSeed(plan_.seed, part),
            workers_,
            progress_,
            result_.notes,
            FindDomains(table_, result_.bound.roles, RowsOf(part), workers_),
            result_.hierarchies.pointers(),
            Importances(plan_),
            leaving_};
  }

  // All rows of a part in one group, with its box if those of its parts are wanted.
  Groups Whole(size_t part) {
    const bool last = parts_.size() == 1 && plan_.safe == 0;  // nobody asks for them again
    Groups whole = Groups::One(last ? place_.TakeRows(part) : place_.rows(part));
    if (!plan_.range_cut && !(save_cuts_ && HasBoxes(plan_, result_.bound, method_))) return whole;
    Box box = WholeBox(place_.table(), roles_.quasi, result_.hierarchies.pointers());
    whole.set_boxes({save_cuts_ ? RememberBox(std::move(box), nullptr) : std::make_shared<const Box>(std::move(box))});
    return whole;
  }

  Status FormPart(size_t part) {
    const Controller& controller = parts_[part];
    TADA_TRY(checker, CheckerOfGroups(part));
    const Problem problem = ProblemOf(part, checker);
    const size_t warnings = result_.notes.warnings.size(), sections = result_.notes.sections.size();
    TADA_TRY(groups, RunStages(problem, stages_, Whole(part), result_.seconds));
    if (leaving_ == 0) TADA_CHECK_OK(CheckSafe(plan_, place_, part, working_[part], groups));
    NameController(controller.name, warnings, sections, result_.notes);
    result_.groups.Append(place_.Expand(std::move(groups)));
    result_.requirement = part == 0 ? controller.requirement : Weaker(result_.requirement, controller.requirement);
    return Ok();
  }

  const Table& table_;
  const Plan& plan_;
  double leaving_;
  bool save_cuts_;
  uint32_t shared_people_ = 0;
  const Workers& workers_;
  Progress& progress_;
  Anonymized& result_;
  const MethodEntry& method_;
  std::vector<std::unique_ptr<Stage>> stages_;
  std::vector<Controller> parts_,
      working_;  // as they were asked for, and as methods see them; rows by RowsOf and in place_
  Workplace place_;
  Roles roles_;  // what methods may look at
  std::vector<const DomainBounds*> domain_bounds_;
};

void RecodeGroups(const Table& table, const Plan& plan, const std::vector<const DomainBounds*>& bounds, bool save_cuts,
                  const Workers& workers, Progress& progress, Anonymized& result) {
  const TimeStage timer(result.seconds, "recode");
  progress.Begin("recode", 0);
  const RecodeOptions options{plan.keep_order, result.hierarchies.pointers(), bounds,
                              static_cast<uint64_t>(plan.min_member), SeveralOf(plan)};
  if (save_cuts) TakeCutsOf(table, plan, options, workers, result);
  result.release = Recode(table, result.bound.roles, result.groups, options, workers);
}

}  // namespace

Status CheckMerging(const Checker& checker, const std::vector<std::unique_ptr<Stage>>& stages,
                    const std::string& method) {
  if (checker.KeptByMerging() || std::ranges::none_of(stages, [](const auto& s) { return s->MergesGroups(); }))
    return Ok();
  return InvalidArgument("Method {} joins groups, and two groups that meet the requirement may break it together",
                         method)
      .WithHint("Use " TADA_OPTION("method=mondrian") ", which only splits.");
}

Result<Anonymized> AnonymizeEverybody(const Table& input, const Plan& plan, double leaving, const Workers& workers,
                                      Progress& progress, bool save_cuts) {
  Anonymized result;
  TADA_TRY(bound, BindPlan(plan, input));
  result.bound = std::move(bound);
  const OrderedTable ordered(input, plan, result.bound);
  GroupForming forming(ordered.table(), plan, leaving, save_cuts, workers, progress, result);
  TADA_CHECK_OK(forming.Prepare());
  TADA_CHECK_OK(forming.Form());
  ordered.Rename(result.groups, result.controllers);
  RecodeGroups(input, plan, forming.domain_bounds(), save_cuts, workers, progress, result);
  return result;
}

}  // namespace tada
