#pragma once

// Classes: rows whose released quasi-identifier cells are equal as texts. That is what an attacker sees. `[20,30]` and
// `[20, 30]` are different texts and thus different classes: taking them apart can only make classes smaller, so a
// file whose tool spells one cell in two ways may fail, and none passes that should not.

#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "base/workers.h"
#include "table/table.h"

namespace tada {

/// Classes, numbered as they first appear.
class Classes {
 public:
  Classes() = default;
  /// Class i has rows[offsets[i]] to before rows[offsets[i + 1]], ascending. No rows: they stand in the release like that.
  Classes(std::vector<RowId> rows, std::vector<uint32_t> offsets)
      : rows_(std::move(rows)), offsets_(std::move(offsets)) {}

  size_t count() const { return offsets_.size() - 1; }
  uint32_t size(size_t index) const { return offsets_[index + 1] - offsets_[index]; }
  uint32_t num_rows() const { return offsets_.back(); }
  /// The rows of a class.
  auto members(size_t index) const {
    return std::views::iota(offsets_[index], offsets_[index + 1]) |
           std::views::transform([this](uint32_t at) -> RowId { return rows_.empty() ? at : rows_[at]; });
  }
  /// The class of each row, made anew at each call.
  std::vector<uint32_t> OfRows() const;

 private:
  std::vector<RowId> rows_;
  std::vector<uint32_t> offsets_ = {0};
};

Classes FindClasses(const Table& release, std::span<const ColumnId> quasi, const Workers& workers);

/// Items `numbers[i]` below `count`, sorted by number: positions i, and where each number begins. Stable.
std::pair<std::vector<uint32_t>, std::vector<uint32_t>> SortByNumber(std::span<const uint32_t> numbers, size_t count);

}  // namespace tada
