#pragma once

// Says where things are in a CSV. Where it is wrong, after the fast reader has refused it: line, column, and what is there; and on which
// lines rows are that a message names.

#include <memory>
#include <optional>
#include <string>

#include "files/byte_source.h"
#include "files/csv/csv_header.h"
#include "table/column_doubt.h"

namespace tada {

/// Reads `source` again from the front; the first thing that is wrong in it, or nothing if all is well.
std::optional<Error> DiagnoseCsv(ByteSource& source, const std::string& name, const CsvHeader& header);

/// The lines of rows, found by reading the file at `path` once more, if it can be; not standard input.
std::shared_ptr<const RowLines> LinesOfCsv(const std::string& path, Packing packing, const std::string& charset,
                                           const CsvHeader& header);

}  // namespace tada
