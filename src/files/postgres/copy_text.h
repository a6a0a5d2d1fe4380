#pragma once

// PostgreSQL's text format of COPY: cells between tabs, backslashes before what would end one, \N for null.

#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "files/postgres/connection.h"
#include "table/column_builder.h"

namespace tada {

/// Appends the cells of whole lines, one of each line to each builder; `lines` is worked on in place and of no use afterwards.
void AppendCopyLines(std::string& lines, std::vector<ColumnBuilder>& builders);

/// A text as a cell.
std::string CopyCell(std::string_view text);

/// Reads what `copy <what> to stdout` gives, as above. With several threads one of them takes from the
/// connection what another puts into the builders.
Status CopyRows(PostgresConnection& connection, const std::string& what, std::vector<ColumnBuilder>& builders,
                const Workers& workers, Progress& progress);

}  // namespace tada
