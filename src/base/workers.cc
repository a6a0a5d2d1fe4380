#include "base/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

namespace tada {

Workers::Workers(int threads, const Cancel* cancel)
    : threads_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      cancel_(cancel) {}

void Workers::RunOnAll(const std::function<void()>& loop) const {
  std::mutex mutex;
  std::exception_ptr first;
  const auto guarded = [&] {
    try {
      loop();
    } catch (...) {
      std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(threads_ - 1);
  for (int i = 1; i < threads_; ++i) others.emplace_back(guarded);
  guarded();
  for (std::thread& other : others) other.join();
  if (first) std::rethrow_exception(first);
}

void Workers::For(size_t count, const std::function<void(size_t)>& body) const {
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  const auto loop = [&] {
    for (size_t index; !failed && (index = next.fetch_add(1)) < count;) {
      try {
        Poll();
        body(index);
      } catch (...) {
        failed = true;
        throw;
      }
    }
  };
  if (threads_ == 1 || count <= 1) {
    loop();
  } else {
    RunOnAll(loop);
  }
}

void Workers::ForBlocks(size_t count, size_t block, const std::function<void(size_t, size_t)>& body) const {
  const size_t blocks = (count + block - 1) / block;
  For(blocks, [&](size_t i) { body(i * block, std::min(count, (i + 1) * block)); });
}

}  // namespace tada
