#pragma once

// Draws progress on a terminal: stage, percent, rate and time left, on one line that it clears when it is done.
//   mondrian  [##########----------]  52%  1.2M/s  3s left
// Calls may come from several threads: they count without a lock, and whoever is due to draw does.

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "base/progress.h"

namespace tada {

class ProgressBar final : public Progress {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  using Sink = std::function<void(std::string_view)>;

  /// Draws on standard error.
  ProgressBar();
  /// Draws into `sink`, at the times of `clock`: for tests.
  ProgressBar(Sink sink, Clock clock, size_t width);
  ~ProgressBar() override;

  void Begin(std::string_view stage, uint64_t total) override;
  void Advance(uint64_t units) override;
  void Tell(std::string_view words) override;
  /// Removes the line; the next call draws it again.
  void Clear() override;

 private:
  using Time = std::chrono::steady_clock::time_point;
  /// Pre: mutex_ is held.
  void Draw(Time now);
  std::string Line(Time now) const;

  Sink sink_;
  Clock clock_;
  size_t width_;  ///< characters of the terminal's line
  std::mutex mutex_;
  std::string stage_, words_;
  std::atomic<uint64_t> total_{0}, done_{0};
  Time begun_{};
  std::atomic<int64_t> next_draw_{0};  ///< in ticks of the clock: at most ten draws a second
  size_t shown_ = 0;                   ///< characters on the line now
};

/// Whether to draw: --quiet never, --progress always, else if standard error is a terminal.
bool WantsProgress(bool quiet, bool progress, bool is_terminal);

}  // namespace tada
