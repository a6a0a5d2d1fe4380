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

/// Appends a line's cells, one to each builder; `scratch` is for texts that have to be put together.
void AppendCopyLine(std::string_view line, std::vector<ColumnBuilder>& builders, std::string& scratch);

/// A text as a cell.
std::string CopyCell(std::string_view text);

/// Reads what a select gives, one builder for each of its columns.
Status CopyRows(PostgresConnection& connection, const std::string& select, std::vector<ColumnBuilder>& builders,
                const Workers& workers, Progress& progress);

}  // namespace tada
