#pragma once

// Stopping on request. The edges (a signal handler, Python, the server) set the flag; long loops call Poll().

#include <atomic>

#include "base/status.h"

namespace tada {

class Cancel {
 public:
  /// Safe in a signal handler.
  void Request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }
  /// Throws Interrupted once a stop was requested.
  void Poll() const {
    if (requested()) throw Interrupted();
  }

 private:
  std::atomic<bool> requested_{false};
};

}  // namespace tada
