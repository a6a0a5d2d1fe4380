#pragma once

// What a released column can show, by index, and how rows are gathered from it.
//   index   an entry: a code of the column, or one of its different cells.
// A column of a million rows has few different cells; rows are gathered from them, a batch at a time.

#include <cstdint>
#include <deque>
#include <nanoarrow/nanoarrow.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/c_stream/read_stream.h"

namespace tada {

/// What fails here is memory, or our own use of the library.
inline void CheckArrow(ArrowErrorCode code) { TADA_ASSERT(code == NANOARROW_OK); }

/// Plain values by index: texts, or bytes of equal width.
struct DistinctValues {
  nanoarrow::UniqueSchema type;
  size_t width = 0;  ///< of bytes; 0: texts
  bool is_bool = false;
  std::vector<uint8_t> bytes;
  std::vector<std::string_view> texts;
  std::vector<bool> null;  ///< empty: none is
};

/// The values of a column by code, in the type that keeps them: the stored one; with `untyped` (a CSV file) int64, double or
/// date32 if all texts print back as they are. Missing values are null; in columns of strings only those written as
/// nothing, unless `bounds`.
DistinctValues ValuesOfColumn(const Column& column, const StoredValues& stored, bool untyped, bool bounds);

/// Strings by index. The views must outlive the result. `longest_batch`: rows that are gathered at once, at most.
DistinctValues StringValues(std::vector<std::string_view> texts, std::vector<bool> null, size_t longest_batch);

/// An array with the values of these indices. `out` is not initialized yet.
void GatherValues(const DistinctValues& values, std::span<const uint32_t> indices, ArrowArray* out);

/// Writes a validity bitmap: row i is null if null[indices[i]].
void GatherValidity(const std::vector<bool>& null, std::span<const uint32_t> indices, ArrowArray* out);

/// Rows that one batch has, at most.
inline constexpr size_t kBatchRows = 1 << 16;

}  // namespace tada
