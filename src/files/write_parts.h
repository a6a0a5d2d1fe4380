#pragma once

// What the writers of the formats share; files.h is the door.

#include <span>

#include "base/progress.h"
#include "base/workers.h"
#include "files/format.h"
#include "files/write.h"
#include "recode/release.h"

namespace tada {

/// For the positions from `begin` on, which cell each shows: an index into `released.cells`, or the code of the row's
/// own value when the column is not recoded.
inline void CellIndices(const Release& release, const ReleasedColumn& released, size_t begin, std::span<uint32_t> out) {
  const std::span<const RowId> rows = std::span(release.row_order).subspan(begin, out.size());
  if (released.recoded) {
    for (size_t i = 0; i < out.size(); ++i) out[i] = released.cell_of_group[release.group_of_row[rows[i]]];
    return;
  }
  release.table->column(released.source).codes().Visit([&](auto codes) {
    for (size_t i = 0; i < out.size(); ++i) out[i] = codes[rows[i]];
  });
}

Status WriteCsv(const Release& release, const WriteOptions& options, Packing packing, const Workers& workers,
                Progress& progress, PendingFile& file);
Status WriteParquet(const Release& release, CellForm cells, const Workers& workers, Progress& progress,
                    PendingFile& file);
Status WriteArrow(const Release& release, CellForm cells, const Workers& workers, Progress& progress,
                  PendingFile& file);

}  // namespace tada
