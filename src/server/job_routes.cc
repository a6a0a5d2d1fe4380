// What the page asks about jobs: start, follow, cancel, results, files, history.

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "base/disk/whole_file.h"
#include "base/option_mark.h"
#include "commands/option_table.h"
#include "commands/release/key.h"
#include "evaluate/auto_method.h"
#include "files/write.h"
#include "plan/shell_command.h"
#include "report/group_rows_report.h"
#include "run/read_options.h"
#include "server/app.h"
#include "server/child.h"
#include "server/http/problem.h"
#include "server/http/secret.h"
#include "server/json_body.h"
#include "server/plan_json.h"
#include "writing/utc_now.h"

namespace tada {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr auto kTicketTime = std::chrono::seconds(60);
constexpr std::string_view kAdvice = "advice.json";
constexpr std::string_view kHierarchies = "hierarchies/";

/// What a file of a run is, for the page: whether it may be published.
struct FileKind {
  std::string_view words;
  bool confidential;
};
bool IsRelease(const std::string& name) { return name.find(".anon.") != std::string::npos; }
FileKind KindOf(const std::string& name) {
  if (name == kPlanKey) return {"secret: whoever has it can compute the pseudonyms", true};
  if (name == "tada.toml") return {"the plan, to run it again", false};
  if (name == "report.html") return {"what was reached, what it cost", false};
  if (name == "attack.html") return {"not for publication", true};
  if (name == "evaluate.html" || name == "advice.html") return {"made from the raw table: not for publication", true};
  if (name == kAdvice) return {"what was chosen from: not for publication", true};
  if (IsRelease(name)) return {"may be published", false};
  if (name.starts_with(kHierarchies)) return {"of the plan, which looks for it there: not for publication", true};
  return {"made from the raw table: not for publication", true};
}

std::string Words(const std::vector<std::string>& arguments) {
  std::string text = "tada";
  for (const std::string& argument : arguments) text += " " + ShellQuote(argument);
  return text;
}

std::string TextIn(const Json& json, const char* name) {
  return json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : "";
}

/// Options of a command that are no part of a plan and that the page may give: none that names a file, a program or a place.
bool MayBeGiven(std::string_view command, std::string_view name) {
  static const std::map<std::string_view, std::vector<std::string_view>> kGiven = {
      {"evaluate", {"methods", "k", "l", "seeds", "protocol", "learners", "encoding", "baseline"}},
      {"advise",
       {"coverage", "min-k", "all-levels", "pairs", "max-rules", "validate", "validate-all", "baselines", "methods",
        "wide"}},
      {"attack", {"subsets", "people", "knows-method"}}};
  const auto of_command = kGiven.find(command);
  return of_command != kGiven.end() && std::ranges::find(of_command->second, name) != of_command->second.end();
}

Result<std::vector<std::string>> ExtraOptions(const std::string& command, const Json& asked) {
  std::vector<std::string> words;
  if (!asked.contains("options")) return words;
  if (!asked["options"].is_object()) return InvalidArgument("'options' is an object");
  for (const auto& [name, given] : asked["options"].items()) {
    const OptionSpec* spec = MayBeGiven(command, name) ? FindOption(OptionsOfCommand(command), name) : nullptr;
    if (spec == nullptr) return InvalidArgument(TADA_OPTION("{}") " cannot be set here", name);
    std::vector<std::string> values;
    for (const Json& one : given.is_array() ? given : Json::array({given})) {
      if (one.is_structured() || one.is_null()) return InvalidArgument(TADA_OPTION("{}") " takes texts", name);
      values.push_back(one.is_string() ? one.get<std::string>() : one.dump());
    }
    if (spec->type == OptionType::kFlag) {
      if (values == std::vector<std::string>{"true"}) words.push_back("--" + name);
      continue;
    }
    const std::string text = spec->type == OptionType::kList ? JoinList(values) : values.empty() ? "" : values.back();
    if (spec->type != OptionType::kList) TADA_CHECK_OK(ValidateOption(*spec, text));
    words.push_back(fmt::format("--{}={}", name, text));
  }
  return words;
}

bool IsJobKind(std::string_view kind) {
  return kind == "anonymize" || kind == "evaluate" || kind == "advise" || kind == "attack" || kind == "choose";
}

/// The id of a candidate of an advice, as it may stand on a command line.
bool IsCandidate(std::string_view id) {
  return !id.empty() && id.front() != '-' && std::ranges::all_of(id, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  });
}

/// The command of a job, and the release that it writes if it writes one. Pre: the kind is known, and the job has its `about`.
Status SetCommand(const Json& asked, const std::string& input, Job& job) {
  const std::string released = input.substr(0, input.find('.')) + ".anon.csv";
  if (job.kind == "anonymize") {
    job.arguments = {"anonymize", input, "--plan", "tada.toml", "-o", released, "--report", "report.html", "--json"};
    job.about["output"] = released;
  } else if (job.kind == "evaluate") {
    job.arguments = {"evaluate", input, "--plan", "tada.toml", "--report", "evaluate.html", "--json"};
  } else if (job.kind == "advise") {
    job.arguments = {"advise", input, "--plan", "tada.toml", "-o", std::string(kAdvice), "--report", "advice.html"};
  } else if (job.kind == "choose") {
    const std::string id = TextIn(asked, "id"), chosen = id + ".anon.csv";
    if (!IsCandidate(id)) return InvalidArgument("'id' names a candidate of the advice");
    job.arguments = {"advise", "--choose", id,         "--from",      std::string(kAdvice),
                     "-o",     chosen,     "--report", "report.html", "--json"};
    job.about["output"] = chosen;
  } else {
    job.arguments = {"attack",     job.about.value("output", released),
                     "--original", input,
                     "--plan",     "tada.toml",
                     "--report",   "attack.html",
                     "--json",     "--force"};
  }
  TADA_TRY(extra, ExtraOptions(job.arguments.front(), asked));
  job.arguments.insert(job.arguments.end(), extra.begin(), extra.end());
  job.shown = Words(job.arguments);
  job.arguments.insert(job.arguments.end(), {"--progress", fmt::format("json:{}", kProgressDescriptor)});
  return Ok();
}

std::string HistoryFile(const std::string& folder, const std::string& id) { return folder + "/run-" + id + ".json"; }

/// A job as Finished() wrote it down; nothing if somebody wrote something else there.
std::optional<Job> JobFromHistory(const std::string& text) {
  Job job;
  try {
    const Ordered json = Ordered::parse(text);
    job.id = json.at("id").get<std::string>();
    job.kind = json.value("kind", "");
    job.shown = json.value("command", "");
    job.state = json.value("state", "done");
    job.exit_code = json.value("exit_code", 0);
    job.seconds = json.value("seconds", 0.0);
    job.begun = json.value("begun", "");
    job.errors = json.value("errors", "");
    job.about = json.value("about", Ordered::object());
    job.digests = json.value("digests", std::map<std::string, std::string>{});
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  if (job.id.empty() || !job.about.is_object() || !HasEnded(job)) return std::nullopt;
  return job;
}

/// Takes what it cost out of the report of a release, for "loss by k", and of a candidate that was chosen the plan that makes the same
/// release: until then the folder has the plan of the search.
void TakeReport(Job& job) {
  const auto text = ReadWholeFile(job.folder + "/" + job.kind + "-" + job.id + ".json");
  const Ordered report = text.ok() ? Ordered::parse(*text, nullptr, false) : Ordered();
  if (!report.is_object()) return;
  if (report.contains("loss")) job.about["ncp"] = report["loss"]["ncp"];
  if (job.kind != "choose") return;
  const std::string toml = report.value("plan", "");
  const auto file = PlanFileFromToml(toml);
  if (!file.ok() || !WriteWhole(job.folder + "/tada.toml", true, toml).ok()) return;
  job.about["plan"] = PlanFileJson(*file);
  job.about["toml"] = toml;
}

/// A release that is chosen has a folder of its own: the next one that is chosen would replace its report and its attack.
Status CopyAdvice(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::copy_file(fs::path(from) / kAdvice, fs::path(to) / kAdvice, error);
  if (error) return IoError("Cannot put the advice into the folder of the run: {}", error.message());
  return Ok();
}

HttpResponse NoContent() {
  HttpResponse response;
  response.status = 204;
  return response;
}

}  // namespace

void App::AddJobRoutes(std::vector<Route>& routes) {
  routes.push_back(
      {"POST", "/api/jobs", "Start a job: a command of tada, as a child process", [this](const HttpRequest& request) {
         return WithBody(request, [&](const Json& body) { return StartJob(body); });
       }});
  routes.push_back({"GET", "/api/jobs/{id}", "State and exit code of a job", [this](const HttpRequest& request) {
                      const auto job = jobs_.Find(request.captures[0]);
                      return job ? JsonResponse(JobWithFiles(*job)) : ProblemResponse(404, "There is no such job", "");
                    }});
  routes.push_back({"DELETE", "/api/jobs/{id}", "Cancel a job", [this](const HttpRequest& request) {
                      return jobs_.Cancel(request.captures[0]) ? NoContent()
                                                               : ProblemResponse(404, "There is no such job", "");
                    }});
  routes.push_back(
      {"GET", "/api/jobs/{id}/events", "Progress, as server-sent events", [this](const HttpRequest& request) {
         if (!jobs_.Find(request.captures[0])) return ProblemResponse(404, "There is no such job", "");
         uint64_t after = 0;
         const std::string last = request.Header("last-event-id");
         std::from_chars(last.data(), last.data() + last.size(), after);
         HttpResponse response;
         response.type = "text/event-stream";
         response.events = jobs_.Events(request.captures[0], after);
         return response;
       }});
  routes.push_back({"GET", "/api/jobs/{id}/result", "What a job found, as JSON",
                    [this](const HttpRequest& request) { return ShowResult(request.captures[0]); }});
  routes.push_back({"GET", "/api/jobs/{id}/sample", "The rows of a group, before and after: confidential",
                    [this](const HttpRequest& request) {
                      const auto group = request.query.find("group");
                      return ShowSample(request.captures[0], group == request.query.end() ? "" : group->second);
                    }});
  routes.push_back(
      {"POST", "/api/tickets", "A ticket for one download within a minute", [this](const HttpRequest& request) {
         return WithBody(request, [&](const Json& body) { return MakeTicket(body); });
       }});
  routes.push_back({"GET", "/files/{ticket}", "A file, once",
                    [this](const HttpRequest& request) { return SendTicket(request.captures[0]); }});
  routes.push_back({"GET", "/api/runs", "All jobs, the latest last", [this](const HttpRequest&) {
                      Ordered runs = Ordered::array();
                      for (const Job& job : jobs_.All()) runs.push_back(JobWithFiles(job));
                      return JsonResponse({{"runs", runs}});
                    }});
}

Ordered App::JobWithFiles(const Job& job) const {
  Ordered json = JobJson(job), files = Ordered::array();
  if (HasEnded(job)) {
    std::vector<fs::path> paths;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(job.folder, error)) {
      if (entry.is_regular_file(error) && !entry.is_symlink(error) &&
          (entry.path().extension() != ".json" || entry.path().filename() == kAdvice))
        paths.push_back(entry.path());
    }
    // The release stands first, what is not for publication last; the attack's report, which comes later, then moves none of the others.
    std::ranges::sort(paths, {}, [](const fs::path& path) {
      const std::string name = path.filename().string();
      return std::tuple(KindOf(name).confidential, !IsRelease(name), path);
    });
    const std::string plan =
        job.about.value("toml", "");  // and the hierarchies that it names, without which it cannot be run again
    for (const auto& entry : fs::directory_iterator(job.folder + "/" + std::string(kHierarchies), error)) {
      if (plan.find(fmt::format("\"{}{}\"", kHierarchies, entry.path().filename().string())) != std::string::npos)
        paths.push_back(entry.path());
    }
    for (const fs::path& path : paths) {
      const std::string name = path.lexically_relative(job.folder).string();
      const FileKind kind = KindOf(name);
      Ordered file = {{"name", name},
                      {"bytes", fs::file_size(path, error)},
                      {"words", kind.words},
                      {"confidential", kind.confidential}};
      if (const auto digest = job.digests.find(name); digest != job.digests.end()) file["sha256"] = digest->second;
      files.push_back(std::move(file));
    }
  }
  json["files"] = files;
  return json;
}

HttpResponse App::StartJob(const Json& asked) {
  Job job;
  job.id = RandomHex(8);
  job.kind = TextIn(asked, "kind");
  if (!IsJobKind(job.kind))
    return ProblemResponse(400, "'kind' is anonymize, evaluate, advise, choose or attack", "", 2);
  const bool attacks = job.kind == "attack";  // in the folder of the release
  const bool follows = attacks || job.kind == "choose";
  const auto earlier = follows ? jobs_.Find(TextIn(asked, "after")) : std::nullopt;
  if (follows && (!earlier || !HasEnded(*earlier))) return ProblemResponse(404, "'after' names no finished job", "");
  const auto table = tables_.Find(follows ? earlier->table : TextIn(asked, "table"));
  if (!table) return ProblemResponse(404, "There is no such table", "");
  job.table = table->id;
  if (follows) {
    job.about = earlier->about;
    job.about["after"] = earlier->id;
    job.folder = attacks ? earlier->folder : FolderOf(job);
  } else if (const Status planned = TakePlan(asked, job); !planned.ok()) {
    return ProblemResponse(planned.error());
  }
  job.about["table_name"] = table->name;
  if (const Status told = SetCommand(asked, table->file, job); !told.ok()) return ProblemResponse(told.error());
  const std::string id = job.id, folder = job.folder;
  job.begun = UtcStamp();
  const auto remove_what_was_made = [&] {
    std::error_code error;
    fs::remove_all(attacks ? HistoryFile(folder, id) : folder, error);
  };
  const std::string hierarchies = follows ? earlier->folder + "/hierarchies" : tables_.HierarchyFolder(table->id);
  Status ready = PutFiles(*table, job, attacks ? "" : hierarchies);
  if (ready.ok() && job.kind == "choose") ready = CopyAdvice(earlier->folder, job.folder);
  if (!ready.ok()) {
    remove_what_was_made();
    return ProblemResponse(ready.error());
  }
  WriteUnended(job);
  if (const Status started = jobs_.Start(std::move(job)); !started.ok()) {
    remove_what_was_made();
    return ProblemResponse(429, AsKeys(started.error().message), AsKeys(started.error().hint));
  }
  HttpResponse response = JsonResponse(JobJson(*jobs_.Find(id)), 202);
  response.headers.emplace_back("Location", "/api/jobs/" + id);
  return response;
}

/// Takes over the plan that a first job of a run follows, and a folder for the run.
Status App::TakePlan(const Json& asked, Job& job) const {
  TADA_TRY(file, PlanFileFromJson(asked.contains("plan") ? asked["plan"] : Json::object()));
  TADA_TRY(plan, PlanFromFile(file, {}));
  job.about = {{"plan", PlanFileJson(file)}, {"toml", PlanToToml(plan)}};
  job.folder = FolderOf(job);
  return Ok();
}

std::string App::FolderOf(const Job& job) const {
  return (options_.folder.empty() ? storage_.path() : options_.folder) + "/run-" + job.id;
}

/// Makes the folder of a run, with the table, and for a new one the plan and the hierarchies in `hierarchies`; "": it is not new.
Status App::PutFiles(const ServedTable& table, const Job& job, const std::string& hierarchies) {
  std::error_code error;
  fs::create_directories(job.folder, error);
  if (error) return IoError("Cannot make a folder for the run: {}", error.message());
  fs::permissions(job.folder, fs::perms::owner_all, error);
  fs::create_symlink(table.path, job.folder + "/" + table.file, error);  // there already for the second job of a run
  if (!hierarchies.empty()) {
    if (error) return IoError("Cannot put the table into the folder of the run: {}", error.message());
    // Whole, or there is no run: what is left of a plan could promise less.
    TADA_CHECK_OK(WriteWhole(job.folder + "/tada.toml", true, job.about.value("toml", "")));
    if (fs::exists(hierarchies, error))
      fs::copy(hierarchies, job.folder + "/hierarchies", fs::copy_options::recursive, error);
    if (error) return IoError("Cannot put the hierarchies into the folder of the run: {}", error.message());
  }
  return PutKey(job);
}

/// Puts the key beside a plan that asks for it. There is one for all runs, so that their pseudonyms can be joined; with --folder it stays.
Status App::PutKey(const Job& job) {
  const auto file = PlanFileFromToml(job.about.value("toml", ""));
  if (!file.ok() || !file->values.Has("key")) return Ok();
  const std::string name(kPlanKey), kept = (options_.folder.empty() ? storage_.path() : options_.folder) + "/" + name;
  const std::lock_guard lock(ticket_mutex_);
  std::error_code error;
  if (!fs::exists(kept, error)) TADA_CHECK_OK(MakeKey(kept));
  fs::copy_file(kept, job.folder + "/" + name, fs::copy_options::skip_existing, error);
  if (error) return IoError("Cannot put the key beside the plan: {}", error.message());
  return Ok();
}

/// Before others see the end of a job: nothing that it was still writing when it was killed, digests of what it made, its history, and no
/// link to a table that will be gone.
void App::Finished(Job& job) {
  RemovePending(job.folder);
  const std::string output = job.about.value("output", "");
  std::error_code error;
  if (job.state == "done" && !output.empty() && fs::exists(job.folder + "/" + output, error)) {
    if (const auto digest = files_.Digest(job.folder + "/" + output); digest.ok()) job.digests[output] = *digest;
  }
  if (job.state == "done" && !output.empty() && job.kind != "attack") TakeReport(job);
  WriteHistory(job);
}

/// As the next server finds a job whose end nobody wrote down, because this one was killed.
void App::WriteUnended(Job job) const {
  job.state = "cancelled";
  job.exit_code = 130;
  WriteHistory(job);
}

void App::WriteHistory(const Job& job) const {
  if (options_.folder.empty()) return;
  Ordered history = JobJson(job);
  history["arguments"] = job.arguments;
  history["digests"] = job.digests;
  history["errors"] = job.errors;
  std::ofstream(HistoryFile(job.folder, job.id), std::ios::binary)
      << history.dump(1, ' ', false, Ordered::error_handler_t::replace) << '\n';
}

void App::LoadHistory() {
  if (options_.folder.empty()) return;
  std::error_code error;
  std::vector<Job> found;
  for (const auto& folder : fs::directory_iterator(options_.folder, error)) {
    if (!folder.path().filename().string().starts_with("run-")) continue;
    RemovePending(folder.path().string());  // of runs that were killed: nobody has audited it
    for (const auto& entry : fs::directory_iterator(folder.path(), error)) {
      if (!entry.path().filename().string().starts_with("run-")) continue;
      const auto text = ReadWholeFile(entry.path().string());
      auto job = text.ok() ? JobFromHistory(*text) : std::nullopt;
      if (!job) continue;
      job->folder = folder.path().string();
      found.push_back(std::move(*job));
    }
  }
  std::ranges::sort(found, {}, &Job::begun);
  for (Job& job : found) jobs_.Remember(std::move(job));
}

HttpResponse App::ShowResult(const std::string& id) {
  const auto job = jobs_.Find(id);
  if (!job) return ProblemResponse(404, "There is no such job", "");
  if (!HasEnded(*job)) return ProblemResponse(409, "The job has not ended", "");
  if (job->state != "done") {
    const auto [message, hint] = MessageOf(job->errors);
    if (job->state == "cancelled")
      return ProblemResponse(409, "The job was cancelled: nothing was released", "Run it again.", 130);
    return ProblemResponse(StatusOfExit(job->exit_code), message.empty() ? "The command ended without a word" : message,
                           hint, job->exit_code);
  }
  const std::string path =
      job->folder + (job->kind == "advise" ? "/advice.json" : "/" + job->kind + "-" + job->id + ".json");
  auto text = ReadWholeFile(path);
  if (!text.ok()) return ProblemResponse(404, "The result is gone", "");
  HttpResponse response;
  response.body = std::move(*text);
  return response;
}

HttpResponse App::MakeTicket(const Json& asked) {
  const auto job = jobs_.Find(TextIn(asked, "job"));
  if (!job || !HasEnded(*job)) return ProblemResponse(404, "There is no such job", "");
  const std::string name = TextIn(asked, "file");
  const Ordered told = JobWithFiles(*job);
  const bool known = std::ranges::any_of(told["files"], [&](const Ordered& file) { return file["name"] == name; });
  if (!known) return ProblemResponse(404, "The job has no such file", "");
  const std::string ticket = RandomHex(32);
  const std::lock_guard lock(ticket_mutex_);
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(tickets_, [&](const auto& entry) { return entry.second.until < now; });
  tickets_[ticket] = {job->folder + "/" + name, name, now + kTicketTime};
  return JsonResponse({{"url", "/files/" + ticket}, {"seconds", kTicketTime.count()}}, 201);
}

HttpResponse App::SendTicket(const std::string& ticket) {
  Ticket found;
  {
    const std::lock_guard lock(ticket_mutex_);
    const auto at = tickets_.find(ticket);
    if (at == tickets_.end())
      return ProblemResponse(404, "This link has been used", "Ask for the file again on the page.");
    found = at->second;
    tickets_.erase(at);
  }
  if (found.until < std::chrono::steady_clock::now())
    return ProblemResponse(404, "This link is too old", "Ask for the file again on the page.");
  HttpResponse response;
  response.file = found.path;
  const bool html = found.name.ends_with(".html");
  response.type = found.name.ends_with(".csv")    ? "text/csv; charset=utf-8"
                  : html                          ? "text/html; charset=utf-8"
                  : found.name.ends_with(".toml") ? "text/plain; charset=utf-8"
                                                  : "application/octet-stream";
  response.headers.emplace_back(
      "Content-Disposition",
      fmt::format("attachment; filename=\"{}\"", fs::path(found.name).filename().string()));  // of the server's making
  return response;
}

HttpResponse App::ShowSample(const std::string& id, const std::string& group) {
  const auto job = jobs_.Find(id);
  if (!job) return ProblemResponse(404, "There is no such job", "");
  if ((job->kind != "anonymize" && job->kind != "choose") || job->state != "done")
    return ProblemResponse(404, "The job has no groups to show", "");
  uint64_t number = 0;
  const auto [end, code] = std::from_chars(group.data(), group.data() + group.size(), number);
  if (code != std::errc() && !group.empty()) return ProblemResponse(400, "'group' is a number", "", 2);
  std::shared_ptr<const Sampled> made;
  {
    const std::lock_guard lock(sample_mutex_);  // one is made at a time
    if (sampled_ == nullptr || sampled_->job != id) {
      auto fresh = MakeSampled(*job);
      if (!fresh.ok()) return ProblemResponse(fresh.error());
      sampled_ = *fresh;
    }
    made = sampled_;
  }
  const auto rows = RowsOfGroup(made->file.table, made->made, number);
  if (!rows.ok()) return ProblemResponse(rows.error());
  return JsonResponse(GroupRowsJson(*rows));
}

/// The groups of a release, made again: the same input and plan give the same ones.
Result<std::shared_ptr<const App::Sampled>> App::MakeSampled(const Job& job) {
  TADA_TRY(text, ReadWholeFile(job.folder + "/tada.toml"));
  TADA_TRY(file, ParsePlanFile(text, "tada.toml"));
  TADA_TRY(plan, PlanFromFile(file, {}));
  for (auto* columns : {&plan.quasi, &plan.sensitive, &plan.label, &plan.keep}) {
    for (PlannedColumn& column : *columns) {  // files stand beside the plan
      if (column.hierarchy.starts_with("hierarchies/")) column.hierarchy = job.folder + "/" + column.hierarchy;
    }
  }
  if (!plan.key.empty()) plan.key = job.folder + "/" + plan.key;
  const auto table = tables_.Find(job.table);
  if (!table) return InvalidArgument("The table of this run is not open");
  const Workers workers(0, &stop_);
  NoProgress silent;
  auto sampled = std::make_shared<Sampled>();
  sampled->job = job.id;
  TADA_TRY(read, files_.Read(table->path, OriginalReadOptions(plan), workers, silent));
  sampled->file = std::move(read);
  TADA_TRY(made, AnonymizeOrChoose(sampled->file.table, plan, workers, silent));
  sampled->made = std::move(made);
  return std::shared_ptr<const Sampled>(std::move(sampled));
}

}  // namespace tada
