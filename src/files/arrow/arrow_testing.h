#pragma once

// Reading and releasing by Arrow in one line, for tests.

#include "files/arrow/arrow_files.h"
#include "files/io_testing.h"

namespace tada::testing {

inline Result<TableFile> Read(const std::string& path, const ReadOptions& options = {}, int threads = 2) {
  ArrowFiles files;
  return Read(files, path, options, threads);
}

inline Status Publish(const Release& release, const std::string& target, const WriteOptions& options = {},
                      int threads = 2, bool force = false) {
  ArrowFiles files;
  return Publish(files, release, target, options, threads, force);
}

}  // namespace tada::testing
