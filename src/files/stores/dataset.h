#pragma once

// Several files as one table: those of a folder, of a pattern (`visits/*.parquet`), or of a list.
//   part        a file of it. All have the same columns, whatever their order, and the same types; formats are all CSV (packed or not)
//               or all one other.
//   partition   folders `sex=f/year=2024/` below the given one: columns of their own, behind those of the files. Texts are written with
//               %XX where a name of a folder could not hold them, and `__HIVE_DEFAULT_PARTITION__` is a missing value.
// Names that begin with a dot or an underscore are not looked at: they belong to whoever wrote the folder.

#include <string>
#include <utility>
#include <vector>

#include "files/files.h"

namespace tada {

struct DatasetPart {
  std::string path;
  std::string name;                                            ///< inside the folder: what digests call it
  std::vector<std::pair<std::string, std::string>> partition;  ///< column and text, from the outside in
};

/// Whether a path stands for several files.
bool IsDataset(const std::string& path);

/// Its parts, sorted by name (of a list in its order). kData if there are none, or one is no table.
Result<std::vector<DatasetPart>> PartsOf(const std::string& path);

/// Reads parts by `files` into one table; kData naming the part that is not like the first.
Result<TableFile> ReadDataset(Files& files, const std::string& path, const ReadOptions& options, const Workers& workers,
                              Progress& progress);
Result<std::vector<std::string>> DatasetHeader(Files& files, const std::string& path, const LayoutOptions& layout);
/// The SHA-256 of a line `<SHA-256>  <name>` for each part, as `sha256sum` writes them.
Result<std::string> DatasetDigest(Files& files, const std::string& path);
Result<std::optional<std::vector<OutsideContent>>> DatasetOutside(Files& files, const std::string& path);

/// A text as part of the name of a folder, and back.
std::string PartitionText(std::string_view value);
std::string PartitionValue(std::string_view text);

}  // namespace tada
