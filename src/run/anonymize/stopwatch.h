#pragma once

// Wall time of stages, in the order in which they were first timed.

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace tada {

using StageSeconds = std::vector<std::pair<std::string, double>>;

/// Adds the time until it goes out of scope to the stage of that name.
class TimeStage {
 public:
  TimeStage(StageSeconds& seconds, std::string stage)
      : seconds_(seconds), stage_(std::move(stage)), start_(std::chrono::steady_clock::now()) {}
  TimeStage(const TimeStage&) = delete;
  TimeStage& operator=(const TimeStage&) = delete;
  ~TimeStage() {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    for (auto& [name, seconds] : seconds_) {
      if (name == stage_) {
        seconds += spent;
        return;
      }
    }
    seconds_.emplace_back(stage_, spent);
  }

 private:
  StageSeconds& seconds_;
  std::string stage_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace tada
