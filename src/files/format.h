#pragma once

// Which format a file has: by its extension, in any case of letters. `-` is CSV on standard input or output.

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tada {

enum class Format { kCsv, kCsvGz, kCsvZst, kCsvBz2, kCsvLz4, kJsonLines, kWorkbook, kParquet, kArrow };

enum class Packing { kNone, kGzip, kZstd, kBzip2, kLz4 };

/// The format of a path, or kInvalidArgument naming the extensions there are.
Result<Format> FormatOf(std::string_view path);
/// The same for an output, which cannot have every format that is read.
Result<Format> OutputFormatOf(std::string_view path);

/// "csv", "csv.gz", "parquet", "arrow", ...
std::string_view FormatName(Format format);

bool IsCsv(Format format);
Packing PackingOf(Format format);
/// "gzip", "zstd", ...
std::string_view PackingName(Packing packing);

/// The extension of a path that FormatOf knows, with its dot and as it is written; "" for others.
std::string_view KnownExtension(std::string_view path);

/// How messages call a path: itself, or "standard input" for `-`.
std::string InputName(std::string_view path);

/// Several files as one table, as one path; a single one as it is.
std::string PathOfList(const std::vector<std::string>& paths);
std::vector<std::string> ListOfPath(std::string_view path);

/// A path as reports and messages may show it: without passwords, a list by its first file.
std::string ShownPath(std::string_view path);

/// The address of a database with a select in it; kInvalidArgument for any other path.
Result<std::string> PathWithQuery(const std::string& path, const std::string& query);

/// The select in the address of a database, as it is written there; "" without one.
std::string_view QueryOf(std::string_view path);

/// The scheme of `postgresql://...`; "" for a path of this machine.
std::string_view SchemeOf(std::string_view path);

}  // namespace tada
