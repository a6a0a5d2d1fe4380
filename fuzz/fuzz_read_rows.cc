// Any bytes are a table or an error to the readers of JSON lines, workbooks, packed files and other charsets. The first byte chooses which.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "files/arrow/arrow_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static constexpr const char* kExtensions[] = {".jsonl",   ".xlsx",   ".csv.zst", ".csv.bz2",
                                                ".csv.lz4", ".csv.gz", ".csv"};
  static const std::string folder = [] {
    std::string name = (std::filesystem::temp_directory_path() / "tada-fuzz-XXXXXX").string();
    return std::string(::mkdtemp(name.data()));
  }();
  const std::string path = folder + "/t" + kExtensions[data[0] % 7];
  std::ofstream(path, std::ios::binary) << std::string(reinterpret_cast<const char*>(data) + 1, size - 1);
  tada::ReadOptions options;
  if (data[0] >= 128) options.charset = "cp1252";
  tada::ArrowFiles files;
  tada::NoProgress progress;
  const auto read = files.Read(path, options, tada::Workers(1), progress);
  if (read.ok() && read->all_columns.empty()) std::abort();
  const auto header = files.Header(path, options);
  if (read.ok() && (!header.ok() || *header != read->all_columns)) std::abort();
  std::filesystem::remove(path);
  return 0;
}
