// Any bytes as a Parquet or an Arrow file, or as a packed CSV file, give an error or a table; and what the file holds beside its cells is
// listed or is an error. The first byte chooses the format.

#include "files/arrow/arrow_files.h"
#include "folder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static const Folder folder;
  static constexpr const char* kNames[] = {"in.parquet", "in.arrow", "in.csv.gz", "in.feather"};
  const std::string path = folder.Write(kNames[data[0] % 4], data + 1, size - 1);
  tada::ArrowFiles files;
  tada::NoProgress silent;
  const tada::Workers workers(1, nullptr);
  static_cast<void>(files.Header(path, tada::LayoutOptions{}).ok());
  static_cast<void>(files.Read(path, {}, workers, silent).ok());
  static_cast<void>(files.Outside(path).ok());
  return 0;
}
