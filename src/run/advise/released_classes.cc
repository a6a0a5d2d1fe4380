#include "run/advise/released_classes.h"

#include <unordered_map>

namespace tada {

LevelClasses ReleasedClasses(const Release& release) {
  std::unordered_map<std::string, uint32_t> numbers;
  std::vector<uint32_t> class_of_group(release.num_groups);
  for (GroupId group = 0; group < release.num_groups; ++group) {
    std::string shown;
    for (const ReleasedColumn& column : release.columns) {
      if (!column.recoded) continue;
      shown += CellText(release.table->column(column.source), column, column.cells[column.cell_of_group[group]]);
      shown += '\x1f';
    }
    class_of_group[group] = numbers.try_emplace(std::move(shown), static_cast<uint32_t>(numbers.size())).first->second;
  }
  LevelClasses classes;
  classes.num_classes = static_cast<uint32_t>(numbers.size());
  for (const GroupId group : release.group_of_row) classes.of_row.push_back(class_of_group[group]);
  return classes;
}

}  // namespace tada
