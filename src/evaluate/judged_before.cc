#include "evaluate/judged_before.h"

#include <bit>

#include "base/random.h"

namespace tada {
namespace {

void Take(uint64_t value, CellDigest& digest) {
  digest.first = MixSeed(digest.first, value);
  digest.second = MixSeed(digest.second ^ 0xCE11D16E57, value);
}

void Take(double value, CellDigest& digest) { Take(std::bit_cast<uint64_t>(value), digest); }

void TakeColumn(const CellColumn& column, CellDigest& digest) {
  std::vector<CellDigest> of_cell(column.cells.size());
  for (size_t i = 0; i < column.cells.size(); ++i) {
    const CellColumn::Cell& cell = column.cells[i];
    Take(cell.low, of_cell[i]);
    Take(cell.high, of_cell[i]);
    for (const uint32_t name : column.names_of(cell)) Take(uint64_t{name}, of_cell[i]);
  }
  Take(uint64_t{column.num_names} * 4 + (column.numeric ? 2 : 0) + (column.is_share ? 1 : 0), digest);
  for (const uint32_t cell : column.of_row) {
    digest.first = MixSeed(digest.first, of_cell[cell].first);
    digest.second = MixSeed(digest.second, of_cell[cell].second);
  }
}

}  // namespace

CellDigest DigestOf(const CellTable& table) {
  CellDigest digest;
  Take(uint64_t{table.num_rows}, digest);
  Take(uint64_t{table.num_labels}, digest);
  for (const CellColumn& column : table.columns) TakeColumn(column, digest);
  for (const uint32_t label : table.labels) Take(uint64_t{label}, digest);
  for (const double target : table.targets) Take(target, digest);
  return digest;
}

std::optional<JudgedBefore::Metrics> JudgedBefore::Find(const Key& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = metrics_.find(key);
  return found == metrics_.end() ? std::nullopt : std::optional(found->second);
}

void JudgedBefore::Keep(const Key& key, const Metrics& metrics) {
  const std::lock_guard lock(mutex_);
  metrics_.emplace(key, metrics);
}

}  // namespace tada
