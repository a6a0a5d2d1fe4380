#pragma once

// Classes: rows whose released quasi-identifier cells are equal as texts. That is what an attacker sees. `[20,30]` and
// `[20, 30]` are different texts and thus different classes: taking them apart can only make classes smaller, so a
// file whose tool spells one cell in two ways may fail, and none passes that should not.

#include <span>
#include <utility>
#include <vector>

#include "base/workers.h"
#include "table/table.h"

namespace tada {

struct Classes {
  std::vector<uint32_t> of_row;   ///< by row; classes are numbered as they first appear
  std::vector<RowId> rows;        ///< all rows, class by class, ascending in each
  std::vector<uint32_t> offsets;  ///< class i has rows[offsets[i]] to before rows[offsets[i + 1]]

  size_t count() const { return offsets.size() - 1; }
  uint32_t size(size_t index) const { return offsets[index + 1] - offsets[index]; }
  std::span<const RowId> members(size_t index) const { return std::span(rows).subspan(offsets[index], size(index)); }
};

Classes FindClasses(const Table& release, std::span<const ColumnId> quasi, const Workers& workers);

/// Items `numbers[i]` below `count`, sorted by number: positions i, and where each number begins. Stable.
std::pair<std::vector<uint32_t>, std::vector<uint32_t>> SortByNumber(std::span<const uint32_t> numbers, size_t count);

}  // namespace tada
