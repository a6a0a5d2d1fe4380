#pragma once

// Threads that share work. Results must not depend on which thread does what, so a body writes only to places that
// belong to its own index or task. An exception in a body (Interrupted, InternalError) stops the work and is rethrown.

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

#include "base/cancel.h"

namespace tada {

class Workers {
 public:
  /// `threads` 0 takes all cores.
  explicit Workers(int threads, const Cancel* cancel = nullptr);

  int threads() const { return threads_; }
  /// One thread that hears the same request to stop: for a body that needs workers itself.
  Workers Alone() const { return Workers(1, cancel_); }
  /// Throws Interrupted once a stop was requested.
  void Poll() const {
    if (cancel_ != nullptr) cancel_->Poll();
  }

  /// Calls body(index) for every index below `count`, each once, in any order.
  void For(size_t count, const std::function<void(size_t)>& body) const;

  /// Calls body(begin, end) over [0, count) in blocks of at most `block`; the blocks do not depend on the threads.
  void ForBlocks(size_t count, size_t block, const std::function<void(size_t, size_t)>& body) const;

  /// Works off `tasks` and whatever body(task, push) adds by calling push(task), until nothing is left.
  template <class Task>
  void Drain(std::vector<Task> tasks, const std::function<void(Task, const std::function<void(Task)>&)>& body) const;

 private:
  void RunOnAll(const std::function<void()>& loop) const;

  int threads_;
  const Cancel* cancel_;
};

template <class Task>
void Workers::Drain(std::vector<Task> tasks,
                    const std::function<void(Task, const std::function<void(Task)>&)>& body) const {
  std::mutex mutex;
  std::condition_variable changed;
  size_t busy = 0;
  bool failed = false;
  const std::function<void(Task)> push = [&](Task task) {
    {
      std::lock_guard lock(mutex);
      tasks.push_back(std::move(task));
    }
    changed.notify_one();
  };
  RunOnAll([&] {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return failed || !tasks.empty() || busy == 0; });
      if (failed || tasks.empty()) break;
      Task task = std::move(tasks.back());
      tasks.pop_back();
      ++busy;
      lock.unlock();
      try {
        Poll();
        body(std::move(task), push);
      } catch (...) {
        lock.lock();
        failed = true;
        --busy;
        changed.notify_all();
        throw;
      }
      lock.lock();
      --busy;
      if (busy == 0 && tasks.empty()) changed.notify_all();
    }
  });
}

}  // namespace tada
