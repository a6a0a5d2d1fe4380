#pragma once

// Formats that are read row by row, whose columns are known when the last row is: JSON with a row per line (or a list of rows), and a sheet of
// a workbook (.xlsx).
//   JSON       a row is an object of names and values. A row that lacks a name has a null there; a list or an object inside a row is refused.
//   workbook   the first row that holds anything names the columns. Formulas are not evaluated: the value that is stored beside one counts.
//              Dates are told by the format of their cells, and are texts as 2024-02-29; error values (#N/A) are missing. Macros and all
//              else in the file are not looked at. Its parts are unpacked within limits, so that a small file cannot fill the memory.

#include "files/format.h"
#include "files/read_parts.h"

namespace tada {

Result<TableFile> ReadRows(const std::string& path, Format format, const ReadOptions& options, const Workers& workers,
                           Progress& progress);
Result<std::vector<std::string>> ReadRowsHeader(const std::string& path, Format format, const LayoutOptions& layout);

}  // namespace tada
