#include "spread/shown_loss.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "spread/bytes.h"
#include "table/label.h"

namespace tada {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

uint64_t CountValues(const Column& column, const std::vector<Code>& codes) {
  uint64_t values = 0;
  for (size_t i = 0; i < codes.size(); ++i) values += i == 0 || !column.same_value(codes[i - 1], codes[i]) ? 1 : 0;
  return values;
}

}  // namespace

ShownLoss::ShownLoss(const Table& table, const std::vector<ColumnId>& quasi) : table_(table), quasi_(quasi) {
  for (const ColumnId id : quasi_) {
    Shown& shown = columns_.emplace_back();
    shown.bottom = kInfinity;
    shown.top = -kInfinity;
    shown.values.assign((size_t{table.column(id).num_values()} + 63) / 64, 0);
  }
}

void ShownLoss::AddColumn(const Column& column, const ReleasedColumn& released,
                          const std::vector<uint64_t>& rows_of_cell, Shown& shown) const {
  const auto reach = [&](double number) {
    shown.bottom = std::min(shown.bottom, number);
    shown.top = std::max(shown.top, number);
  };
  const auto name = [&](Code code) {
    shown.values[column.value_id(code) / 64] |= uint64_t{1} << column.value_id(code) % 64;
    if (column.is_numeric() && !column.is_missing(code)) reach(column.number(code));
  };
  for (size_t i = 0; i < released.cells.size(); ++i) {
    const Cell& cell = released.cells[i];
    const uint64_t rows = rows_of_cell[i];
    if (rows == 0) continue;
    if (cell.form == Cell::Form::kMask) {
      shown.masks += rows;
    } else if (cell.form == Cell::Form::kSet) {
      for (const Code code : released.sets[cell.index]) name(code);
      shown.further_values += rows * (CountValues(column, released.sets[cell.index]) - 1);
    } else if (cell.form == Cell::Form::kLabel) {
      Label& label = shown.labels[released.labels[cell.index]];
      label.leaves = released.leaves[i];
      label.rows += rows;
      for (const auto& bound : LabelBounds(column, released.labels[cell.index])) {
        if (bound) reach(*bound);
      }
    } else {
      name(cell.low);
      name(cell.high);
      if (cell.form == Cell::Form::kInterval) {
        shown.half_widths += static_cast<double>(rows) * (column.number(cell.high) / 2 - column.number(cell.low) / 2);
      }
    }
  }
}

void ShownLoss::Add(const Release& release) {
  std::vector<uint64_t> rows_of_group(release.num_groups, 0);
  for (const RowId row : release.row_order) ++rows_of_group[release.group_of_row[row]];
  for (const ReleasedColumn& released : release.columns) {
    const auto at = std::find(quasi_.begin(), quasi_.end(), released.source);
    if (at == quasi_.end() || !released.recoded) continue;
    std::vector<uint64_t> rows_of_cell(released.cells.size(), 0);
    for (GroupId group = 0; group < release.num_groups; ++group)
      rows_of_cell[released.cell_of_group[group]] += rows_of_group[group];
    AddColumn(release.table->column(released.source), released, rows_of_cell,
              columns_[static_cast<size_t>(at - quasi_.begin())]);
  }
}

std::string ShownLoss::Pack() const {
  ByteWriter out;
  for (const Shown& shown : columns_) {
    out.Put(shown.half_widths);
    out.Put(shown.further_values);
    out.Put(shown.masks);
    out.Put(shown.bottom);
    out.Put(shown.top);
    out.PutAll(shown.values);
    out.Put(static_cast<uint32_t>(shown.labels.size()));
    for (const auto& [text, label] : shown.labels) {
      out.PutAll(std::vector<char>(text.begin(), text.end()));
      out.Put(label.leaves);
      out.Put(label.rows);
    }
  }
  return std::move(out).Take();
}

void ShownLoss::AddPacked(std::string_view packed) {
  ByteReader in(packed);
  for (Shown& shown : columns_) {
    shown.half_widths += in.Get<double>();
    shown.further_values += in.Get<uint64_t>();
    shown.masks += in.Get<uint64_t>();
    shown.bottom = std::min(shown.bottom, in.Get<double>());
    shown.top = std::max(shown.top, in.Get<double>());
    const std::vector<uint64_t> values = in.GetAll<uint64_t>();
    for (size_t i = 0; i < values.size(); ++i) shown.values[i] |= values[i];
    for (uint32_t left = in.Get<uint32_t>(); left > 0; --left) {
      const std::vector<char> text = in.GetAll<char>();
      Label& label = shown.labels[std::string(text.begin(), text.end())];
      label.leaves = in.Get<uint64_t>();
      label.rows += in.Get<uint64_t>();
    }
  }
}

double ShownLoss::SumOf(const Column& column, const Shown& shown) const {
  uint64_t values = shown.labels.size();
  for (const uint64_t word : shown.values) values += static_cast<uint64_t>(std::popcount(word));
  if (values == 1) return 0;  // constant: even a mask hides nothing
  double sum = static_cast<double>(shown.masks);
  if (shown.top > shown.bottom) sum += shown.half_widths / (shown.top / 2 - shown.bottom / 2);
  if (values > 1) sum += static_cast<double>(shown.further_values) / static_cast<double>(values - 1);
  for (const auto& [text, label] : shown.labels) {
    sum += static_cast<double>(label.rows) * LabelLoss(column, text, label.leaves, shown.bottom, shown.top);
  }
  return sum;
}

std::vector<double> ShownLoss::Sums() const {
  std::vector<double> sums;
  for (size_t i = 0; i < quasi_.size(); ++i) sums.push_back(SumOf(table_.column(quasi_[i]), columns_[i]));
  return sums;
}

}  // namespace tada
