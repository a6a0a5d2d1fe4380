#pragma once

// Arrow's readers of single columns take a page without values for the end of their column, and there may be more behind it.

#include <parquet/column_reader.h>
#include <parquet/metadata.h>

namespace tada {

/// Whether a column chunk goes on, of which `read` levels were read. May throw parquet::ParquetException.
inline bool HasLevelsLeft(parquet::ColumnReader& reader, const parquet::ColumnChunkMetaData& chunk, int64_t read) {
  if (reader.HasNext()) return true;
  constexpr int64_t kLeastPage = 10;  // bytes
  for (int64_t pages = chunk.total_compressed_size() / kLeastPage; read < chunk.num_values() && pages > 0; --pages) {
    if (reader.HasNext()) return true;
  }
  return false;
}

}  // namespace tada
