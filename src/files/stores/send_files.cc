#include "files/stores/send_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>

namespace tada {
namespace {

constexpr size_t kMostWaiting = 64;  // uploads, which hold up to 10 MB each
constexpr size_t kPiece = 8 << 20;

Status SendBytes(const std::string& path, Upload& upload) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string piece(kPiece, '\0');
  Status status = file < 0 ? Status(IoError("Cannot read {} again: {}", path, std::strerror(errno))) : Ok();
  while (status.ok()) {
    const ssize_t got = ::read(file, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) break;
    status = got < 0 ? Status(IoError("Cannot read {} again: {}", path, std::strerror(errno)))
                     : upload.Write(std::string_view(piece).substr(0, static_cast<size_t>(got)));
  }
  if (file >= 0) ::close(file);
  return status;
}

}  // namespace

Status SendFiles(Remote& remote, const std::string& address, const std::vector<Sending>& files,
                 std::vector<std::string>& appeared) {
  std::deque<std::pair<std::string, std::unique_ptr<Upload>>> waiting;
  const auto complete_first = [&]() -> Status {
    TADA_CHECK_OK(waiting.front().second->Complete());
    appeared.push_back(waiting.front().first);
    waiting.pop_front();
    return Ok();
  };
  for (const Sending& file : files) {
    TADA_TRY(upload, remote.Open(address, file.name));
    TADA_CHECK_OK(SendBytes(file.path, *upload));
    waiting.emplace_back(file.name, std::move(upload));
    if (waiting.size() > kMostWaiting) TADA_CHECK_OK(complete_first());
  }
  while (!waiting.empty()) TADA_CHECK_OK(complete_first());
  return Ok();
}

}  // namespace tada
