#pragma once

// Says where a CSV is wrong, after the fast reader has refused it: line, column, and what is there.

#include <optional>

#include "files/byte_source.h"
#include "files/csv/csv_header.h"

namespace tada {

/// Reads `source` again from the front; the first thing that is wrong in it, or nothing if all is well.
std::optional<Error> DiagnoseCsv(ByteSource& source, const std::string& name, const CsvHeader& header);

}  // namespace tada
