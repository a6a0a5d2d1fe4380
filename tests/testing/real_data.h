#pragma once

// The public tables that the papers use, for tests that pin numbers: looked for in the folder that environment variable
// TADA_DATA names, else in ../shared/data beside the project. A test that finds none skips itself:
//   const auto table = testing::RealTable("heart/cleveland.csv", ',', {"age"});
//   if (!table) GTEST_SKIP() << testing::kNoRealData;

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "table/column_builder.h"
#include "table/table.h"

namespace tada::testing {

inline constexpr const char* kNoRealData = "public data not found: set TADA_DATA to its folder";

/// The folder of the public data, if it is there.
inline std::optional<std::filesystem::path> RealDataFolder() {
  namespace fs = std::filesystem;
  if (const char* given = std::getenv("TADA_DATA")) {
    return fs::is_directory(given) ? std::optional<fs::path>(given) : std::nullopt;
  }
  for (fs::path at = fs::current_path();; at = at.parent_path()) {
    for (const char* folder : {"shared/data", "../shared/data"}) {
      if (fs::is_directory(at / folder)) return at / folder;
    }
    if (at == at.parent_path()) return std::nullopt;
  }
}

/// The cells of one line; double quotes around a cell go away.
inline std::vector<std::string> SplitLine(const std::string& line, char delimiter) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == delimiter && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

/// Some columns of a CSV file, in the order of `names` (none: all of the file); `name:categorical` forces names where
/// numbers are written.
inline Table ReadColumns(const std::filesystem::path& path, char delimiter, std::vector<std::string> names) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error("cannot read " + path.string());
  std::map<std::string, size_t> position;
  const std::vector<std::string> header = SplitLine(line, delimiter);
  for (size_t i = 0; i < header.size(); ++i) position[header[i]] = i;
  if (names.empty()) names = header;
  std::vector<ColumnBuilder> builders;
  std::vector<size_t> from;
  for (const std::string& name : names) {
    ColumnOptions options;
    options.merge_missing = true;
    const size_t colon = name.find(':');
    if (colon != std::string::npos) options.kind = Kind::kCategorical;
    from.push_back(position.at(name.substr(0, colon)));
    builders.emplace_back(name.substr(0, colon), options);
  }
  while (std::getline(file, line)) {
    if (line.empty()) continue;
    const std::vector<std::string> cells = SplitLine(line, delimiter);
    for (size_t i = 0; i < builders.size(); ++i) builders[i].AppendText(cells.at(from[i]));
  }
  std::vector<Column> columns;
  for (ColumnBuilder& builder : builders) {
    Result<Column> column = builder.Finish();
    if (!column.ok()) throw std::runtime_error(column.error().message);
    columns.push_back(std::move(column).value());
  }
  return Table(std::move(columns));
}

/// The same from the folder of the public data; nothing if there is none.
inline std::optional<Table> RealTable(const std::string& path, char delimiter, const std::vector<std::string>& names) {
  const auto folder = RealDataFolder();
  if (!folder || !std::filesystem::exists(*folder / path)) return std::nullopt;
  return ReadColumns(*folder / path, delimiter, names);
}

}  // namespace tada::testing
