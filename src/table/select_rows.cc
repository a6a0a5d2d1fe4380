#include "table/select_rows.h"

namespace tada {

Column Column::Select(std::span<const RowId> rows) const {
  Column part = WithoutRows();
  part.codes_ = Codes(rows.size(), num_codes());
  codes_.Visit([&](auto from) {
    part.codes_.Visit([&](auto to) {
      using To = typename decltype(to)::value_type;
      for (size_t i = 0; i < rows.size(); ++i) to[i] = static_cast<To>(from[rows[i]]);
    });
  });
  return part;
}

Column Column::WithoutRows() const {
  Column empty;
  empty.name_ = name_;
  empty.kind_ = kind_;
  empty.is_date_ = is_date_;
  empty.writing_ = writing_;
  empty.doubt_ = doubt_;
  empty.type_ = type_;
  empty.type_detail_ = type_detail_;
  empty.num_missing_ = num_missing_;
  empty.arena_ = arena_;
  empty.offsets_ = offsets_;
  empty.numbers_ = numbers_;
  empty.value_ids_ = value_ids_;
  empty.num_values_ = num_values_;
  return empty;
}

Table SelectRows(const Table& table, std::span<const RowId> rows) {
  std::vector<Column> columns;
  for (const Column& column : table.columns()) columns.push_back(column.Select(rows));
  return Table(std::move(columns));
}

}  // namespace tada
