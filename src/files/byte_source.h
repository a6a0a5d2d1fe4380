#pragma once

// Bytes of an input, read from front to back and again: a file, a packed file unpacked, or standard input.
//   input file   an open regular file and what it looked like when it was opened; CheckUnchanged() tells whether the
//                path still leads to the same bytes. Files are read, never mapped: a mapped file that shrinks kills
//                the process.
//   byte source  the bytes after unpacking. Standard input cannot be read twice, so it is read once, whole, and kept.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "files/format.h"

namespace tada {

class InputFile {
 public:
  /// kData if there is no such file, it is a folder, or it cannot be opened.
  static Result<InputFile> Open(const std::string& path);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  int descriptor() const { return descriptor_; }
  uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }
  /// Reads up to `count` bytes; 0 at the end.
  Result<size_t> Read(char* out, size_t count);
  Status Rewind();
  /// kData if the file was written to, replaced or removed since it was opened.
  Status CheckUnchanged() const;

 private:
  InputFile() = default;

  std::string path_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
  uint64_t device_ = 0, inode_ = 0;
  int64_t seconds_ = 0, nanoseconds_ = 0;  // when it was last written to
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads up to `count` bytes; 0 at the end.
  virtual Result<size_t> Read(char* out, size_t count) = 0;
  virtual Status Rewind() = 0;
  /// Bytes as they are stored, packed ones of a packed file: how many there are, and how many were read.
  virtual uint64_t stored_size() const = 0;
  virtual uint64_t stored_position() const = 0;
  virtual Status CheckUnchanged() const = 0;
  /// What the text was written in; here it is UTF-8.
  virtual std::string charset() const { return "UTF-8"; }
};

/// Opens the bytes of a file; `-` is standard input.
Result<std::unique_ptr<ByteSource>> OpenBytes(const std::string& path, Packing packing);

}  // namespace tada
