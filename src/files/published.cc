#include "files/published.h"

#include <mutex>
#include <optional>

namespace tada {
namespace {

std::mutex mutex;
std::optional<std::vector<std::string>> published;

}  // namespace

void RememberPublished() {
  const std::lock_guard lock(mutex);
  published.emplace();
  published->reserve(8);
}

void AddPublished(const std::string& path) {
  const std::lock_guard lock(mutex);
  if (published) published->push_back(path);
}

void ForgetPublished(const std::string& path) {
  const std::lock_guard lock(mutex);
  if (published) std::erase(*published, path);
}

std::vector<std::string> PublishedFiles() {
  const std::lock_guard lock(mutex);
  return published.value_or(std::vector<std::string>());
}

}  // namespace tada
