#include "audit/original/release_loss.h"

#include <optional>

#include "table/label.h"

namespace tada {
namespace {

// Different values that a cell covers; "missing" is one, however it is spelled.
uint64_t CountCovered(const Column& original, const CellCover& cover, Code cell) {
  uint64_t values = 0;
  std::optional<Code> last;
  for (uint32_t position = cover.hull_begin(cell); position < cover.hull_end(cell); ++position) {
    if (!cover.Covers(cell, position)) continue;
    const Code value = original.value_id(cover.value_at(position));
    values += last != value;
    last = value;
  }
  return values;
}

}  // namespace

double CellLoss(const Column& released, const Column& original, const CellCover& cover, Code cell) {
  if (original.num_values() < 2) return 0.0;  // constant: even a mask hides nothing
  if (cover.is_mask(cell) || cover.is_unchecked(cell)) return 1.0;
  return LabelLoss(original, released.text(cell), CountCovered(original, cover, cell));
}

double LossOfColumn(const Column& released, const Column& original, const CellCover& cover) {
  std::vector<uint64_t> rows(released.num_codes(), 0);
  released.codes().Visit([&](auto codes) {
    for (const auto code : codes) ++rows[code];
  });
  double sum = 0;
  for (Code cell = 0; cell < rows.size(); ++cell) {
    if (rows[cell] > 0) sum += static_cast<double>(rows[cell]) * CellLoss(released, original, cover, cell);
  }
  return released.num_rows() == 0 ? 0.0 : sum / static_cast<double>(released.num_rows());
}

ReleaseLoss SumLosses(std::vector<std::pair<std::string, double>> per_column, const Classes& classes,
                      uint64_t withheld_rows) {
  ReleaseLoss loss;
  for (const auto& [name, ncp] : per_column) loss.ncp += ncp / static_cast<double>(per_column.size());
  loss.per_column = std::move(per_column);
  for (size_t i = 0; i < classes.count(); ++i) {
    loss.discernibility += static_cast<double>(classes.size(i)) * static_cast<double>(classes.size(i));
  }
  const auto rows = static_cast<double>(classes.num_rows()), withheld = static_cast<double>(withheld_rows);
  if (classes.count() > 0) loss.average_class = rows / static_cast<double>(classes.count());
  loss.ncp_with_withheld = rows + withheld > 0 ? (rows * loss.ncp + withheld) / (rows + withheld) : 0.0;
  return loss;
}

}  // namespace tada
