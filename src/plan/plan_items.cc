#include <algorithm>

#include "plan/plan.h"

namespace tada {

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

}  // namespace tada
