#pragma once

// What a long run tells the person who waits. The library reports; an edge draws (cli/terminal/progress_bar.h) or ignores.
// Calls may come from several threads at once.

#include <chrono>
#include <cstdint>
#include <string_view>

namespace tada {

inline double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Progress {
 public:
  virtual ~Progress() = default;
  /// A stage begins ("read", "mondrian", "audit"); `total` counts its units of work, 0 when unknown.
  virtual void Begin(std::string_view stage, uint64_t total) = 0;
  /// `units` more are done.
  virtual void Advance(uint64_t units) = 0;
  /// What the stage has come to, in a few words ("iteration 3, objective 120.5"); shown until the next ones or the next stage.
  virtual void Tell(std::string_view /*words*/) {}
  /// Takes away whatever is shown, because something else is about to be printed.
  virtual void Clear() {}
};

/// Shows nothing.
class NoProgress final : public Progress {
 public:
  void Begin(std::string_view, uint64_t) override {}
  void Advance(uint64_t) override {}
};

}  // namespace tada
