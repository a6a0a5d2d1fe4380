#include "cli/terminal/progress_lines.h"

#include <unistd.h>

#include <nlohmann/json.hpp>

namespace tada {
namespace {

constexpr auto kBetweenLines = std::chrono::milliseconds(100);

}  // namespace

ProgressLines::~ProgressLines() {
  const std::lock_guard lock(mutex_);
  if (!stage_.empty()) Write(Clock::now());
}

void ProgressLines::Begin(std::string_view stage, uint64_t total) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (!stage_.empty()) Write(now);  // how far the last one came
  stage_ = stage;
  words_.clear();
  total_ = total;
  done_ = 0;
  begun_ = now;
  Write(now);
}

void ProgressLines::Advance(uint64_t units) {
  done_.fetch_add(units, std::memory_order_relaxed);
  const auto now = Clock::now();
  if (now.time_since_epoch().count() < next_.load(std::memory_order_relaxed)) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock.owns_lock() && now.time_since_epoch().count() >= next_) Write(now);
}

void ProgressLines::Tell(std::string_view words) {
  const std::lock_guard lock(mutex_);
  words_ = words;
}

void ProgressLines::Write(Clock::time_point now) {
  const nlohmann::ordered_json line = {{"stage", stage_},
                                       {"done", done_.load()},
                                       {"total", total_.load()},
                                       {"words", words_},
                                       {"seconds", std::chrono::duration<double>(now - begun_).count()}};
  const std::string text = line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  static_cast<void>(!write(descriptor_, text.data(), text.size()));
  next_ = (now + kBetweenLines).time_since_epoch().count();
}

}  // namespace tada
