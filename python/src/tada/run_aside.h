#pragma once

// Runs work on a thread of its own while the calling thread, without the interpreter's lock, waits for it. The caller wakes
// now and then to tell progress to a Python function and to look for Ctrl-C, so that both happen on the thread Python
// expects them on, and no engine thread ever needs the lock.

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/progress.h"

namespace tada {

/// Collects what the engine says until somebody fetches it.
class CollectedProgress final : public Progress {
 public:
  struct Stage {
    std::string name, words;
    uint64_t done = 0, total = 0;
  };

  void Begin(std::string_view stage, uint64_t total) override {
    const std::lock_guard lock(mutex_);
    stages_.push_back({std::string(stage), "", 0, total});
    changed_ = true;
  }
  void Advance(uint64_t units) override {
    const std::lock_guard lock(mutex_);
    if (!stages_.empty()) stages_.back().done += units;
    changed_ = true;
  }
  void Tell(std::string_view words) override {
    const std::lock_guard lock(mutex_);
    if (!stages_.empty()) stages_.back().words = words;
    changed_ = true;
  }
  /// The stages that were active since the last call, each with how far it is. The last one stays.
  std::vector<Stage> Fetch() {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(changed_, false)) return {};
    std::vector<Stage> fetched = stages_;
    stages_.erase(stages_.begin(), stages_.end() - 1);
    return fetched;
  }

 private:
  std::mutex mutex_;
  std::vector<Stage> stages_;
  bool changed_ = false;
};

inline void TellPython(CollectedProgress& progress, const nanobind::object& listener) {
  if (listener.is_none()) return;
  for (const CollectedProgress::Stage& stage : progress.Fetch())
    listener(stage.name, stage.done, stage.total, stage.words);
}

/// Gives what work(cancel, progress) gives. What Python raises meanwhile (KeyboardInterrupt, an error of the listener)
/// stops the work and is raised. Pre: the interpreter's lock is held.
template <class F>
auto RunAside(const nanobind::object& listener, F&& work) {
  using T = std::invoke_result_t<F, const Cancel&, Progress&>;
  constexpr auto kTick = std::chrono::milliseconds(50);
  Cancel cancel;
  CollectedProgress progress;
  std::optional<T> result;
  std::exception_ptr failed, raised;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::thread worker([&] {
    try {
      result.emplace(work(cancel, progress));
    } catch (...) {
      failed = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_one();
  });
  for (bool finished = false; !finished;) {
    {
      const nanobind::gil_scoped_release unlocked;
      std::unique_lock lock(mutex);
      finished = changed.wait_for(lock, kTick, [&] { return done; });
    }
    if (raised) continue;
    try {
      TellPython(progress, listener);
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    } catch (...) {
      raised = std::current_exception();
      cancel.Request();
    }
  }
  worker.join();
  if (raised) std::rethrow_exception(raised);
  if (failed) std::rethrow_exception(failed);
  return *std::move(result);
}

}  // namespace tada
