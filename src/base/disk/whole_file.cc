#include "base/disk/whole_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tada {
namespace {

// Of a pipe or device, which need not end.
constexpr size_t kMostUnsized = size_t{64} << 20;

}  // namespace

Result<std::string> ReadWholeFile(const std::string& path) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::string bytes, piece(1 << 16, '\0');
  while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())) || stream.gcount() > 0) {
    bytes.append(piece, 0, static_cast<size_t>(stream.gcount()));
    if (bytes.size() > kMostUnsized && !std::filesystem::is_regular_file(path)) {
      return IoError("no end after {} MB, and it is not a regular file", kMostUnsized >> 20);
    }
  }
  if (!stream.eof() || stream.bad()) return IoError("{}", errno != 0 ? std::strerror(errno) : "it cannot be read");
  return bytes;
}

}  // namespace tada
