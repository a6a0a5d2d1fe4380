#include "server/jobs.h"

#include <algorithm>

#include "base/option_mark.h"
#include "base/progress.h"
#include "server/child.h"

namespace tada {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
constexpr size_t kMostWaiting = 20;

class JobEvents final : public EventSource {
 public:
  JobEvents(const Jobs& jobs, std::string id, uint64_t after) : jobs_(jobs), id_(std::move(id)), sent_(after) {}

  std::string Next(bool& last) override {
    const std::optional<Job> job = jobs_.Find(id_);
    last = !job || HasEnded(*job);
    if (!job || (job->version <= sent_ && !last)) return "";
    sent_ = job->version;
    return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", sent_, last ? "end" : "progress",
                       JobJson(*job).dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
  }

 private:
  const Jobs& jobs_;
  std::string id_;
  uint64_t sent_;
};

std::string After(const std::string& text, std::string_view mark) {
  const size_t at = text.rfind(mark);
  if (at == std::string::npos) return "";
  const size_t begin = at + mark.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

std::pair<std::string, std::string> MessageOf(const std::string& errors) {
  return {After(errors, "tada: error: "), After(errors, "tada: hint: ")};
}

bool HasEnded(const Job& job) { return job.state != "waiting" && job.state != "running"; }

OrderedJson JobJson(const Job& job) {
  OrderedJson stages = OrderedJson::array();
  for (const auto& [name, seconds] : job.stages) stages.push_back({{"name", name}, {"seconds", seconds}});
  OrderedJson json = {{"id", job.id},
                      {"kind", job.kind},
                      {"table", job.table},
                      {"command", job.shown},
                      {"state", job.state},
                      {"stage", job.stage},
                      {"done", job.done},
                      {"total", job.total},
                      {"words", job.words},
                      {"stages", stages},
                      {"stage_seconds", job.stage_seconds},
                      {"seconds", job.seconds},
                      {"begun", job.begun}};
  if (job.total > 0 && job.done > 0 && job.done <= job.total) {
    json["seconds_left"] =
        job.stage_seconds * static_cast<double>(job.total - job.done) / static_cast<double>(job.done);
  }
  if (job.exit_code >= 0) json["exit_code"] = job.exit_code;
  if (job.state == "failed") {
    const auto [message, hint] = MessageOf(job.errors);
    json["error"] = {{"detail", message.empty() ? "The command ended without a word" : message}, {"hint", hint}};
  }
  json["about"] = job.about;
  return json;
}

Jobs::Jobs(Finish finish) : finish_(std::move(finish)), thread_([this] { Work(); }) {}

Jobs::~Jobs() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Status Jobs::Start(Job job) {
  const std::lock_guard lock(mutex_);
  if (waiting_.size() >= kMostWaiting)
    return Infeasible("Too many jobs wait: {}", waiting_.size()).WithHint("Cancel one, or wait until one has ended.");
  job.version = 1;
  auto shared = std::make_shared<Job>(std::move(job));
  order_.push_back(shared->id);
  jobs_[shared->id] = shared;
  waiting_.push_back(shared);
  changed_.notify_all();
  return Ok();
}

std::optional<Job> Jobs::Find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return std::nullopt;
  return *found->second;
}

std::vector<Job> Jobs::All() const {
  const std::lock_guard lock(mutex_);
  std::vector<Job> all;
  for (const std::string& id : order_) all.push_back(*jobs_.at(id));
  return all;
}

void Jobs::Remember(Job job) {
  const std::lock_guard lock(mutex_);
  order_.push_back(job.id);
  const std::string id = job.id;
  jobs_[id] = std::make_shared<Job>(std::move(job));
}

bool Jobs::Cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return false;
  Job& job = *found->second;
  job.stop_asked = true;
  if (job.state == "waiting") {
    std::erase(waiting_, found->second);
    job.state = "cancelled";
    job.exit_code = 130;
    ++job.version;
  }
  return true;
}

void Jobs::Forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  jobs_.erase(id);
  std::erase(order_, id);
}

bool Jobs::Uses(const std::string& table) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(
      jobs_, [&](const auto& entry) { return entry.second->table == table && !HasEnded(*entry.second); });
}

std::shared_ptr<EventSource> Jobs::Events(const std::string& id, uint64_t after) {
  return std::make_shared<JobEvents>(*this, id, after);
}

void Jobs::TakeLine(Job& job, const std::string& line) {
  const OrderedJson told = OrderedJson::parse(line, nullptr, false);
  if (!told.is_object()) return;
  const std::lock_guard lock(mutex_);
  const std::string stage = told.value("stage", "");
  if (stage != job.stage && !job.stage.empty()) job.stages.emplace_back(job.stage, job.stage_seconds);
  job.stage = stage;
  job.done = told.value("done", uint64_t{0});
  job.total = told.value("total", uint64_t{0});
  job.words = told.value("words", "");
  job.stage_seconds = told.value("seconds", 0.0);
  ++job.version;
}

void Jobs::RunOne(const std::shared_ptr<Job>& job) {
  const auto begun = Clock::now();
  const ChildRequest request{job->arguments, job->folder, job->folder + "/" + job->kind + "-" + job->id + ".json"};
  const auto ended = RunChild(
      request, [&](const std::string& line) { TakeLine(*job, line); },
      [&] {
        const std::lock_guard lock(mutex_);
        job->seconds = SecondsSince(begun);
        return job->stop_asked || stopping_ ? ChildWish::kStop : ChildWish::kGoOn;
      });
  Job copy;
  {
    const std::lock_guard lock(mutex_);
    copy = *job;
  }
  if (!copy.stage.empty()) copy.stages.emplace_back(copy.stage, copy.stage_seconds);
  copy.stage.clear();
  copy.seconds = SecondsSince(begun);
  copy.exit_code = ended.ok() ? ended->exit_code : 5;
  copy.errors = ended.ok() ? ended->errors : "tada: error: " + OnCommandLine(ended.error().message);
  const int code = copy.exit_code;
  copy.state = code == 0 || code == 1 || code == 6 ? "done" : code == 130 ? "cancelled" : "failed";
  ++copy.version;
  finish_(copy);
  const std::lock_guard lock(mutex_);
  *job = std::move(copy);
}

void Jobs::Work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (waiting_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const std::shared_ptr<Job> job = waiting_.front();
    waiting_.pop_front();
    job->state = "running";
    ++job->version;
    lock.unlock();
    RunOne(job);
    lock.lock();
  }
}

}  // namespace tada
