#pragma once

// What a run did, for schedulers: one line of JSON on standard error for every stage, warning and note, and one at the end (--log json). No values of the data.
//   {"time":"2026-01-31T02:00:01Z","event":"stage","stage":"read","seconds":0.8}
//   {"time":"2026-01-31T02:00:09Z","event":"warning","message":"..."}
//   {"time":"2026-01-31T02:00:09Z","event":"end","command":"anonymize","exit":0,"seconds":8.1}

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/progress.h"

namespace tada {

class LogLines final : public Progress {
 public:
  /// `shown` is told everything too. If the descriptor cannot be written, nothing is.
  LogLines(int descriptor, std::unique_ptr<Progress> shown) : descriptor_(descriptor), shown_(std::move(shown)) {}
  ~LogLines() override;

  void Begin(std::string_view stage, uint64_t total) override;
  void Advance(uint64_t units) override { shown_->Advance(units); }
  void Tell(std::string_view words) override { shown_->Tell(words); }
  void Clear() override { shown_->Clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  void EndStage();

  int descriptor_;
  std::unique_ptr<Progress> shown_;
  std::mutex mutex_;
  std::string stage_;
  Clock::time_point begun_{};
};

/// How a run ended; `message` and `hint` are empty if it succeeded.
struct RunEnd {
  std::string command;
  int exit = 0;
  double seconds = 0;
  std::string message, hint;
};
/// What was noted; `event` is "warning" or "note".
std::string NoteLine(std::string_view event, std::string_view message);
/// The last line of a log.
std::string EndLine(const RunEnd& end);
/// What stands on standard output instead of a result, with --json: {"error":{"exit":3,"message":"...","hint":"..."}}
std::string ErrorJson(const RunEnd& end);

}  // namespace tada
