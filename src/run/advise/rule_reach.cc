#include "run/advise/rule_reach.h"

#include <algorithm>
#include <numeric>

#include "privacy/models/l_diversity.h"

namespace tada {

Result<Reach> Reach::Make(const Plan& plan, const BoundPlan& bound, const Table& table) {
  if (!plan.person.empty()) {
    return InvalidArgument("Rules count rows, not people: --person cannot be used here")
        .WithHint("Use 'tada anonymize --person', with any method.");
  }
  TADA_TRY(controllers, FindControllers(plan, bound, table));
  return Reach(plan, bound, table, controllers);
}

Reach::Reach(const Plan& plan, const BoundPlan& bound, const Table& table, const std::vector<Controller>& controllers)
    : counter_(plan.requirement, table, bound.roles.sensitive), sensitive_(!bound.roles.sensitive.empty()) {
  for (const Controller& controller : controllers)
    checkers_.emplace_back(controller.requirement, table, bound.roles.sensitive, controller.rows);
  if (controllers.size() < 2) return;
  controller_of_row_.resize(table.num_rows());
  for (uint32_t i = 0; i < controllers.size(); ++i) {
    for (const RowId row : controllers[i].rows) controller_of_row_[row] = i;
  }
}

LevelClasses Reach::Cut(const LevelClasses& classes, std::vector<uint32_t>& controller_of_class) const {
  if (controller_of_row_.empty()) {
    controller_of_class.assign(classes.num_classes, 0);
    return classes;
  }
  LevelClasses cut;
  std::vector<uint32_t> number(size_t{classes.num_classes} * checkers_.size(), UINT32_MAX);
  for (size_t row = 0; row < classes.of_row.size(); ++row) {
    const uint32_t controller = controller_of_row_[row];
    uint32_t& found = number[classes.of_row[row] * checkers_.size() + controller];
    if (found == UINT32_MAX) {
      found = cut.num_classes++;
      controller_of_class.push_back(controller);
    }
    cut.of_row.push_back(found);
  }
  return cut;
}

RuleReach Reach::Of(const LevelClasses& classes) const {
  RuleReach reach;
  std::vector<uint32_t> controller_of_class;
  const LevelClasses cut = Cut(classes, controller_of_class);
  if (!controller_of_row_.empty()) reach.controller_k = cut.Smallest();
  if (!sensitive_) return reach;
  std::vector<RowId> rows(cut.of_row.size());
  std::iota(rows.begin(), rows.end(), RowId{0});
  const Groups groups = GroupsOf(cut, rows);
  Tally tally = counter_.EmptyTally();
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    tally.Clear();
    for (const RowId row : groups.rows(group)) counter_.Add(row, tally);
    const Checker& checker = checkers_[controller_of_class[group]];
    const uint64_t l = ReachedL(checker.requirement(), tally);
    reach.l = std::min(reach.l.value_or(l), l);
    reach.meets = reach.meets && checker.ValuesHold(tally);
  }
  return reach;
}

}  // namespace tada
