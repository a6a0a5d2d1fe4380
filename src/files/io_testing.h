#pragma once

// What the tests of files/ share: a folder of their own, files in it, and reading and releasing in one line.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "files/files.h"

namespace tada::testing {

/// A folder that goes with the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tada-io-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  std::string Write(const std::string& name, std::string_view bytes) const {
    std::ofstream(*this / name, std::ios::binary) << bytes;
    return *this / name;
  }
  /// Names in the folder, hidden ones too.
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::string path_;
};

inline std::string Bytes(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

inline Result<TableFile> Read(Files& files, const std::string& path, const ReadOptions& options = {}, int threads = 2) {
  NoProgress progress;
  return files.Read(path, options, Workers(threads), progress);
}

/// The rows of a table as texts.
inline std::vector<std::vector<std::string>> Rows(const Table& table) {
  std::vector<std::vector<std::string>> rows(table.num_rows());
  for (size_t row = 0; row < rows.size(); ++row) {
    for (const Column& column : table.columns()) rows[row].emplace_back(column.text(column.codes()[row]));
  }
  return rows;
}

inline std::vector<std::string> Names(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns()) names.push_back(column.name());
  return names;
}

/// A release that shows every column and row as it is.
inline Release AsItIs(const Table& table) {
  Release release;
  release.table = &table;
  for (ColumnId id = 0; id < table.num_columns(); ++id) release.columns.push_back({.source = id, .recoded = false});
  release.group_of_row.assign(table.num_rows(), 0);
  for (RowId row = 0; row < table.num_rows(); ++row) release.row_order.push_back(row);
  release.num_groups = 1;
  return release;
}

inline Status Publish(Files& files, const Release& release, const std::string& target, const WriteOptions& options = {},
                      int threads = 2, bool force = false) {
  NoProgress progress;
  TADA_TRY(file, PendingFile::Open(target, force));
  TADA_CHECK_OK(files.Write(release, options, Workers(threads), progress, file));
  return file.Publish();
}

}  // namespace tada::testing
