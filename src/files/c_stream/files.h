#pragma once

// The interface of files/read.h and files/write.h where there is no Arrow C++: in the Python package, whose commands are the program's
// own. CSV is read and written by us; Parquet and Arrow files by whoever is named here, which in Python is pyarrow.
//   frame   a table in memory that commands read as if it were a file of that name.
// A program links either this folder or files/arrow/, never both (CMakeLists.txt: tada_backend).

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "files/c_stream/write_stream.h"
#include "files/format.h"
#include "files/write.h"

namespace tada {

/// Reads and writes the files that we do not.
class ColumnarFiles {
 public:
  virtual ~ColumnarFiles() = default;
  virtual Result<nanoarrow::UniqueArrayStream> Read(const std::string& path, Format format) = 0;
  virtual Result<std::vector<std::string>> Names(const std::string& path, Format format) = 0;
  virtual Status Write(const std::shared_ptr<const Batches>& batches, Format format, PendingFile& file) = 0;
  virtual Result<std::string> Sha256(const std::string& path) = 0;
};

/// Names who does; for the whole process, once. It must live as long as anything is read or written.
void SetColumnarFiles(ColumnarFiles* files);

/// The batches of a stream, read to its end without copying them, so that it can be read again. kData if it fails.
Result<Batches> HoldStream(ArrowArrayStream& stream, const std::string& name);

using Frames = std::map<std::string, std::shared_ptr<const Batches>>;

/// While this lives, what the calling thread reads under these names are the frames.
class FramesInReach {
 public:
  explicit FramesInReach(const Frames& frames);
  ~FramesInReach();
  FramesInReach(const FramesInReach&) = delete;
  FramesInReach& operator=(const FramesInReach&) = delete;
};

}  // namespace tada
