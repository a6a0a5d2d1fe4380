#include "cuts/frozen_rows.h"

namespace tada {

Result<Table> WithFrozenRows(const Table& table, const FrozenValues& frozen,
                             const std::map<std::string, ColumnOptions>& options) {
  uint64_t added = 0;
  for (const auto& [value, rows] : frozen.begin()->second) added += rows;
  std::vector<Column> columns;
  for (const Column& column : table.columns()) {
    const auto own = frozen.find(column.name());
    if (own == frozen.end()) {
      std::vector<RowId> rows(table.num_rows() + added, 0);
      for (RowId row = 0; row < table.num_rows(); ++row) rows[row] = row;
      columns.push_back(column.Select(rows));
      continue;
    }
    const auto given = options.find(column.name());
    ColumnBuilder builder(column.name(), given == options.end() ? ColumnOptions() : given->second);
    builder.SetType(column.type(), column.type_detail());
    std::vector<uint32_t> number(column.num_codes());
    for (Code code = 0; code < column.num_codes(); ++code) number[code] = builder.Intern(column.text(code));
    for (RowId row = 0; row < table.num_rows(); ++row) builder.Append(number[column.codes()[row]]);
    for (const auto& [value, rows] : own->second) {
      const uint32_t text = builder.Intern(value);
      for (uint64_t i = 0; i < rows; ++i) builder.Append(text);
    }
    TADA_TRY(built, builder.Finish());
    if (built.num_rows() != table.num_rows() + added) {
      return DataError("The cuts are damaged: the values of {} are not those of one release", column.name());
    }
    columns.push_back(std::move(built));
  }
  return Table(std::move(columns));
}

}  // namespace tada
