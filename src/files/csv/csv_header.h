#pragma once

// The beginning of a CSV: byte order mark, delimiter, column names.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "files/byte_source.h"

namespace tada {

struct CsvHeader {
  std::vector<std::string> names;
  char delimiter = ',';
  uint64_t body_offset = 0;  ///< where the first row begins
  uint64_t body_line = 1;    ///< the line it is on
};

/// Reads the header from the front of `source`. Without a delimiter it is sniffed. `name` is how messages call the
/// file.
Result<CsvHeader> ReadCsvHeader(ByteSource& source, const std::string& name, std::optional<char> delimiter);

/// The delimiter among , ; tab | that cuts the first records of `bytes` into the same number of cells, more than one;
/// the most cells if several do. If none does: the one that cuts the header into most cells, so that a ragged file is
/// refused for what it is and not read as one column. `whole`: nothing follows after `bytes`.
char SniffDelimiter(std::string_view bytes, bool whole);

}  // namespace tada
