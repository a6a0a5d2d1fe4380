#include "server/storage.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "files/format.h"

namespace tada {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "tada-serve-";

std::vector<std::string> Places() {
  std::vector<std::string> places;
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && *runtime == '/')
    places.emplace_back(runtime);
  std::error_code error;
  places.push_back(fs::temp_directory_path(error).string());
  return places;
}

int OpenLock(const std::string& folder, bool make) {
  const std::string path = folder + "/lock";
  return open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | (make ? O_CREAT | O_EXCL : 0), 0600);
}

/// Removes a folder of this user's whose server is gone.
void RemoveIfDead(const fs::path& folder) {
  struct stat info{};
  if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) return;
  const int lock = OpenLock(folder.string(), false);
  if (lock < 0) return;
  std::error_code error;
  if (flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(folder, error);
  close(lock);
}

void RemoveLeftovers() {
  for (const std::string& place : Places()) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(place, error)) {
      if (entry.path().filename().string().starts_with(kPrefix)) RemoveIfDead(entry.path());
    }
  }
}

bool EndsInOneOf(std::string_view name, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

/// The name with an extension that says how to read the file. Without one it is taken for CSV, packed or not; what is surely something
/// else keeps its own, so that the reader says what it can read.
std::string WithExtension(std::string name) {
  if (!KnownExtension(name).empty()) return name;
  std::string lower = name;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (EndsInOneOf(lower, {".zip", ".7z", ".rar", ".tar", ".tgz", ".xls", ".xlsb", ".ods", ".pdf", ".docx", ".sav",
                          ".dta", ".sas7bdat", ".rds", ".rdata", ".sqlite", ".db", ".avro", ".orc"}))
    return name;
  if (!EndsInOneOf(lower, {".gz", ".zst", ".bz2", ".lz4"})) return name + ".csv";
  const size_t packing = name.rfind('.');
  const std::string_view inside = std::string_view(lower).substr(0, packing);
  const bool text = inside.find('.') == std::string_view::npos || EndsInOneOf(inside, {".txt", ".tsv", ".dat"});
  return text ? name.substr(0, packing) + ".csv" + lower.substr(packing) : name;
}

}  // namespace

Result<Storage> Storage::Open() {
  RemoveLeftovers();
  for (const std::string& place : Places()) {
    std::string path = place + "/" + std::string(kPrefix) + "XXXXXX";
    if (mkdtemp(path.data()) == nullptr) continue;
    const int lock = OpenLock(path, true);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) return Storage(path, lock);
  }
  return IoError("Cannot make a folder for uploads: {}", std::strerror(errno))
      .WithHint("Set TMPDIR to a folder that can be written.");
}

Storage::Storage(Storage&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

Storage::~Storage() {
  if (path_.empty()) return;
  std::error_code error;
  fs::remove_all(path_, error);
  close(lock_);
}

uint64_t Storage::Used() const {
  uint64_t bytes = 0;
  std::error_code error;
  for (auto it = fs::recursive_directory_iterator(path_, error); !error && it != fs::end(it); it.increment(error)) {
    std::error_code gone;
    if (it->is_regular_file(gone) && !it->is_symlink(gone)) bytes += it->file_size(gone);
  }
  return bytes;
}

std::string FileNameFor(std::string_view name) {
  const size_t slash = name.find_last_of("/\\");
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  std::string safe;
  for (const char c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    safe += plain ? c : '_';
  }
  while (safe.starts_with('.') || safe.starts_with('-')) safe.erase(0, 1);
  constexpr size_t kLongest = 80;
  if (safe.size() > kLongest) safe.erase(0, safe.size() - kLongest);  // what it ends in says how to read it
  if (safe.empty() || safe.starts_with('.') || safe.starts_with('-')) safe.insert(0, "table");
  return WithExtension(std::move(safe));
}

}  // namespace tada
