#pragma once

// Jobs: commands of tada that run as child processes, one at a time, in the order in which they were asked for. What is shown of
// a command is what runs. A job survives the page that asked for it.
//   state   waiting, running, done (it gave an answer, good or bad), failed, cancelled.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"
#include "server/http/message.h"

namespace tada {

struct Job {
  std::string id;
  std::string kind;   ///< the command: "anonymize"
  std::string table;  ///< id of the table it reads
  std::vector<std::string> arguments;
  std::string shown;             ///< as somebody would type it
  std::string folder;            ///< where it runs and what it makes stays
  nlohmann::ordered_json about;  ///< what the page wants to know of it again: the plan
  std::string state = "waiting";
  int exit_code = -1;  ///< -1: not ended
  std::string errors;
  std::string stage, words;
  uint64_t done = 0, total = 0;
  std::vector<std::pair<std::string, double>> stages;  ///< that are over, with their seconds
  double stage_seconds = 0, seconds = 0;
  std::string begun;     ///< as people write it, UTC
  uint64_t version = 0;  ///< grows with every change
  bool stop_asked = false;
  std::map<std::string, std::string> digests;  ///< SHA-256 of its files
};

class Jobs {
 public:
  using Finish = std::function<void(Job&)>;
  /// `finish` is called for a job that has ended, before others see its end.
  explicit Jobs(Finish finish);
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// kInfeasible if too many wait.
  Status Start(Job job);
  /// A copy of it as it is now.
  std::optional<Job> Find(const std::string& id) const;
  std::vector<Job> All() const;
  /// Adds one that ended before, from an earlier session.
  void Remember(Job job);
  /// Whether there is such a job.
  bool Cancel(const std::string& id);
  void Forget(const std::string& id);
  /// Events of a job from `after` on, until it ends.
  std::shared_ptr<EventSource> Events(const std::string& id, uint64_t after);
  /// Whether a job that reads this table waits or runs.
  bool Uses(const std::string& table) const;

 private:
  void Work();
  void RunOne(const std::shared_ptr<Job>& job);
  void TakeLine(Job& job, const std::string& line);

  Finish finish_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::shared_ptr<Job>> jobs_;
  std::vector<std::string> order_;
  std::deque<std::shared_ptr<Job>> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

/// The parts of a message on standard error: what stands behind "tada: error: " and "tada: hint: ".
std::pair<std::string, std::string> MessageOf(const std::string& errors);

nlohmann::ordered_json JobJson(const Job& job);
bool HasEnded(const Job& job);

}  // namespace tada
