#pragma once

// What a long run tells the person who waits. The library reports; an edge draws (cli/progress_bar.h) or ignores.
// Calls may come from several threads at once.

#include <cstdint>
#include <string_view>

namespace tada {

class Progress {
 public:
  virtual ~Progress() = default;
  /// A stage begins ("read", "mondrian", "audit"); `total` counts its units of work, 0 when unknown.
  virtual void Begin(std::string_view stage, uint64_t total) = 0;
  /// `units` more are done.
  virtual void Advance(uint64_t units) = 0;
};

/// Shows nothing.
class NoProgress final : public Progress {
 public:
  void Begin(std::string_view, uint64_t) override {}
  void Advance(uint64_t) override {}
};

}  // namespace tada
