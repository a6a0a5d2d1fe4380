#pragma once

// Progress for programs: lines of JSON on a file descriptor, at most ten per second and one at the end of every stage.
//   {"stage":"mondrian","done":31000,"total":45222,"words":"","seconds":0.8}

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "base/progress.h"

namespace tada {

class ProgressLines final : public Progress {
 public:
  /// The descriptor stays open; if it cannot be written, nothing is.
  explicit ProgressLines(int descriptor) : descriptor_(descriptor) {}
  ~ProgressLines() override;

  void Begin(std::string_view stage, uint64_t total) override;
  void Advance(uint64_t units) override;
  void Tell(std::string_view words) override;

 private:
  using Clock = std::chrono::steady_clock;
  /// Pre: mutex_ is held.
  void Write(Clock::time_point now);

  int descriptor_;
  std::mutex mutex_;
  std::string stage_, words_;
  std::atomic<uint64_t> total_{0}, done_{0};
  Clock::time_point begun_{};
  std::atomic<int64_t> next_{0};  ///< in ticks of the clock
};

}  // namespace tada
