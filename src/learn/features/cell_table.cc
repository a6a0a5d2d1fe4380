#include "learn/features/cell_table.h"

#include <algorithm>
#include <cmath>

namespace tada {

std::string_view EncodingName(Encoding encoding) {
  switch (encoding) {
    case Encoding::kDirect:
      return "direct";
    case Encoding::kMultiHot:
      return "multi-hot";
    case Encoding::kModel:
      return "model";
    case Encoding::kDraw:
      return "draw";
    case Encoding::kExpected:
      return "expected";
  }
  return "";
}

CellTable MultiHotCells(const CellTable& table) {
  CellTable hot{{}, table.labels, table.num_labels, table.targets, table.num_rows};
  for (const CellColumn& column : table.columns) {
    if (column.numeric) {
      CellColumn middles = column;
      for (CellColumn::Cell& cell : middles.cells) cell.low = cell.high = (cell.low + cell.high) / 2;
      hot.columns.push_back(std::move(middles));
      continue;
    }
    for (uint32_t name = 0; name < column.num_names; ++name) {
      CellColumn has{false, 2, {{0, 0, 0, 1}, {0, 0, 1, 2}}, {0, 1}, {}};
      std::vector<uint32_t> member;
      for (const CellColumn::Cell& cell : column.cells) {
        const auto names = column.names_of(cell);
        member.push_back(std::binary_search(names.begin(), names.end(), name) ? 1 : 0);
      }
      has.of_row.reserve(table.num_rows);
      for (const uint32_t cell : column.of_row) has.of_row.push_back(member[cell]);
      hot.columns.push_back(std::move(has));
    }
  }
  return hot;
}

CellColumn NumberColumn(const std::vector<double>& of_cell, std::vector<uint32_t> of_row, bool is_share) {
  CellColumn column{.numeric = true, .cells = {}, .names = {}, .of_row = std::move(of_row), .is_share = is_share};
  for (const double number : of_cell) column.cells.push_back({number, number, 0, 0});
  return column;
}

CellTable ShareCells(const CellTable& table) {
  CellTable shares{{}, table.labels, table.num_labels, table.targets, table.num_rows};
  std::vector<double> of_cell;
  for (const CellColumn& column : table.columns) {
    for (uint32_t name = 0; name < (column.numeric ? 1 : column.num_names); ++name) {
      of_cell.clear();
      for (const CellColumn::Cell& cell : column.cells) {
        const auto names = column.names_of(cell);
        const bool has = std::binary_search(names.begin(), names.end(), name);
        of_cell.push_back(column.numeric ? cell.middle() : has ? 1.0 / static_cast<double>(names.size()) : 0.0);
      }
      shares.columns.push_back(NumberColumn(of_cell, column.of_row, !column.numeric));
    }
  }
  return shares;
}

CellTable RowsWithTarget(CellTable table) {
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < table.targets.size(); ++row) {
    if (!std::isnan(table.targets[row])) rows.push_back(row);
  }
  return rows.size() == table.targets.size() ? std::move(table) : SelectCells(table, rows);
}

CellTable SelectCells(const CellTable& table, std::span<const uint32_t> rows) {
  CellTable part{table.columns, {}, table.num_labels, {}, rows.size()};
  for (CellColumn& column : part.columns) {
    std::vector<uint32_t> of_row;
    of_row.reserve(rows.size());
    for (const uint32_t row : rows) of_row.push_back(column.of_row[row]);
    column.of_row = std::move(of_row);
  }
  for (const uint32_t row : rows) {
    if (!table.labels.empty()) part.labels.push_back(table.labels[row]);
    if (!table.targets.empty()) part.targets.push_back(table.targets[row]);
  }
  return part;
}

}  // namespace tada
