#include "run/advise/rule_reach.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "privacy/models/l_diversity.h"

namespace tada {
namespace {

std::vector<RowId> AllRows(size_t count) {
  std::vector<RowId> rows(count);
  std::iota(rows.begin(), rows.end(), RowId{0});
  return rows;
}

std::vector<RowId> FirstRows(const LevelClasses& classes) {
  std::vector<RowId> first(classes.num_classes, UINT32_MAX);
  for (RowId row = 0; row < classes.of_row.size(); ++row) {
    RowId& found = first[classes.of_row[row]];
    found = std::min(found, row);
  }
  return first;
}

}  // namespace

Result<Reach> Reach::Make(const Plan& plan, const BoundPlan& bound, const Table& table,
                          const std::vector<const Hierarchy*>& hierarchies) {
  Reach reach;
  Plan without_k = plan;  // k is what the search is about
  without_k.requirement.k = 1;
  for (auto& [name, requirement] : without_k.controller_requirements) requirement.k = 1;
  TADA_TRY(made, BindRequirement(without_k, bound, table));
  reach.bound_ = std::move(made);
  reach.table_ = &table;
  reach.quasi_ = bound.roles.quasi;
  reach.hierarchies_ = hierarchies;
  reach.sensitive_ = !bound.roles.sensitive.empty();
  reach.asks_more_ = !plan.requirement.more.empty() || bound.k_column.has_value();
  const Workplace& place = *reach.bound_.place;
  const std::vector<Controller>& controllers = reach.bound_.controllers;
  if (controllers.size() > 1) {
    reach.controller_of_row_.resize(table.num_rows());
    reach.controller_of_unit_.resize(place.table().num_rows());
    for (uint32_t i = 0; i < controllers.size(); ++i) {
      for (const RowId row : controllers[i].rows) reach.controller_of_row_[row] = i;
      for (const RowId unit : place.rows(i)) reach.controller_of_unit_[unit] = i;
    }
  }
  if (bound.person.empty()) {
    reach.counter_ = std::make_shared<const Checker>(plan.requirement, table, bound.roles.sensitive);
    return reach;
  }
  const PeopleOfRows people = FindPeople(table, bound.person);
  if (!people.repeated()) {
    reach.counter_ = std::make_shared<const Checker>(plan.requirement, table, bound.roles.sensitive);
    return reach;
  }
  reach.person_of_row_ = people.of_row;
  reach.rows_by_person_ = AllRows(table.num_rows());
  std::ranges::stable_sort(reach.rows_by_person_, {}, [&](RowId row) { return people.of_row[row]; });
  if (plan.requirement.persons != Persons::kApart) {
    const std::vector<RowId> units = AllRows(place.table().num_rows());
    reach.unit_rows_ = std::make_shared<const LevelRows>(place.table(), bound.roles.quasi, hierarchies, units);
  }
  return reach;
}

LevelClasses Reach::Cut(const LevelClasses& classes, std::vector<uint32_t>& controller_of_class) const {
  if (controller_of_unit_.empty()) {
    controller_of_class.assign(classes.num_classes, 0);
    return classes;
  }
  LevelClasses cut;
  const size_t controllers = bound_.checkers.size();
  std::vector<uint32_t> number(size_t{classes.num_classes} * controllers, UINT32_MAX);
  for (size_t unit = 0; unit < classes.of_row.size(); ++unit) {
    const uint32_t controller = controller_of_unit_[unit];
    uint32_t& found = number[classes.of_row[unit] * controllers + controller];
    if (found == UINT32_MAX) {
      found = cut.num_classes++;
      controller_of_class.push_back(controller);
    }
    cut.of_row.push_back(found);
  }
  return cut;
}

ReleasedLevels Reach::Show(const LevelRows& rows, const LevelVector& levels) const {
  ReleasedLevels shown;
  if (!together()) {
    shown.classes = rows.FindClasses(levels);
    shown.first = FirstRows(shown.classes);
    return shown;
  }
  std::vector<uint32_t> controller_of_class;
  const LevelClasses units = Cut(unit_rows_->FindClasses(levels), controller_of_class);
  const Groups groups = bound_.place->Expand(GroupsOf(units, AllRows(units.of_row.size())));
  // A group shows a column at the lowest level from the asked one on at which all its rows look alike (recode/by_hierarchy.cc).
  std::vector<LevelVector> raised(groups.num_groups(), levels);
  for (size_t c = 0; c < quasi_.size(); ++c) {
    const Hierarchy& hierarchy = *hierarchies_[c];
    const Codes& codes = table_->column(quasi_[c]).codes();
    for (GroupId group = 0; group < groups.num_groups(); ++group) {
      uint8_t& level = raised[group][c];
      const Code first = codes[groups.rows(group)[0]];
      for (const RowId row : groups.rows(group)) {
        while (hierarchy.node(level, codes[row]) != hierarchy.node(level, first)) ++level;
      }
    }
  }
  std::map<std::pair<LevelVector, std::vector<Code>>, uint32_t> known;
  shown.classes.of_row.resize(table_->num_rows());
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    std::vector<Code> nodes;
    for (size_t c = 0; c < quasi_.size(); ++c) {
      const Code code = table_->column(quasi_[c]).codes()[groups.rows(group)[0]];
      nodes.push_back(hierarchies_[c]->node(raised[group][c], code));
    }
    const auto [found, is_new] =
        known.try_emplace({raised[group], std::move(nodes)}, static_cast<uint32_t>(known.size()));
    if (is_new) shown.levels_of_class.push_back(raised[group]);
    for (const RowId row : groups.rows(group)) shown.classes.of_row[row] = found->second;
  }
  shown.classes.num_classes = static_cast<uint32_t>(known.size());
  shown.first = FirstRows(shown.classes);
  return shown;
}

uint64_t Reach::SmallestClass(const LevelClasses& classes) const {
  const size_t controllers = std::max<size_t>(1, bound_.checkers.size());
  std::vector<uint32_t> counts(classes.num_classes * controllers, 0), last(counts.size(), UINT32_MAX);
  for (RowId i = 0; i < classes.of_row.size(); ++i) {
    const RowId row = people() ? rows_by_person_[i] : i;
    const uint32_t who = people() ? person_of_row_[row] : row;
    const size_t at = classes.of_row[row] * controllers + (controller_of_row_.empty() ? 0 : controller_of_row_[row]);
    if (last[at] == who) continue;
    last[at] = who;
    ++counts[at];
  }
  uint64_t smallest = UINT64_MAX;
  for (const uint32_t count : counts) {
    if (count > 0) smallest = std::min<uint64_t>(smallest, count);
  }
  return smallest == UINT64_MAX ? 0 : smallest;
}

RuleReach Reach::Of(const LevelRows& rows, const LevelVector& levels) const {
  RuleReach reach;
  std::vector<uint32_t> controller_of_class;
  const LevelClasses cut = Cut(unit_rows(rows).FindClasses(levels), controller_of_class);
  if (people()) {
    reach.asked_k = together() ? cut.Smallest() : SmallestClass(cut);
  } else if (!controller_of_unit_.empty()) {
    reach.controller_k = cut.Smallest();
  }
  if (!sensitive_ && !asks_more_) return reach;
  const Groups groups = GroupsOf(cut, AllRows(cut.of_row.size()));
  Tally tally = bound_.checkers.front().EmptyTally();
  Tally plain = counter_ == nullptr ? Tally() : counter_->EmptyTally();
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    const Checker& checker = bound_.checkers[controller_of_class[group]];
    tally.Clear();
    for (const RowId unit : groups.rows(group)) checker.Add(unit, tally);
    reach.meets = reach.meets && checker.Holds(tally);
    if (counter_ == nullptr || !sensitive_) continue;
    plain.Clear();
    for (const RowId row : groups.rows(group)) counter_->Add(row, plain);
    const uint64_t l = ReachedL(checker.requirement(), plain);
    reach.l = std::min(reach.l.value_or(l), l);
  }
  return reach;
}

}  // namespace tada
