#include "report/group_rows_report.h"

#include "base/words.h"
#include "report/draw/text_layout.h"

namespace tada {

std::string GroupRowsText(const GroupRows& rows) {
  std::vector<std::vector<std::string>> lines(1);
  for (const GroupRows::Column& column : rows.columns) lines[0].push_back(column.name);
  for (const auto& row : rows.before) lines.push_back(row);
  lines.emplace_back();
  for (const GroupRows::Column& column : rows.columns)
    lines.back().push_back(column.role == "quasi" ? column.after : "(as it was)");
  const std::string shown = rows.before.size() < rows.size ? fmt::format(", the first {}", rows.before.size()) : "";
  return fmt::format("Group {} of {}: {}{}; the last line is what is released\n(raw rows: not for publication)\n",
                     rows.group, rows.groups, Plural(rows.size, "row"), shown) +
         AlignColumns(lines, {});
}

nlohmann::ordered_json GroupRowsJson(const GroupRows& rows) {
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  for (const GroupRows::Column& column : rows.columns) {
    nlohmann::ordered_json told = {{"name", column.name}, {"role", column.role}, {"alike", column.alike}};
    if (column.role == "quasi") told["after"] = column.after;
    columns.push_back(std::move(told));
  }
  return {{"group", rows.group},  {"groups", rows.groups}, {"size", rows.size},
          {"confidential", true}, {"columns", columns},    {"before", rows.before}};
}

}  // namespace tada
