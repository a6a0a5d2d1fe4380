// Any bytes as requests to the whole server, one after the other: every route with its body, over a small table, an upload and jobs whose
// program does nothing. Each is answered, none by a bug of ours, and an answer that says it is JSON is.
//   input   requests, separated by lines "----": a line "METHOD TARGET", then the body. TABLE, UPLOAD and JOB stand for the ids that the
//           server gave to the table, to the last upload and to the last job.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "files/arrow/arrow_files.h"
#include "folder.h"
#include "server/app.h"
#include "server/child.h"

namespace {

using namespace tada;

constexpr size_t kMostRequests = 6;

void Require(bool holds, const char* what, const HttpRequest& request, const HttpResponse& response) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s %s\n%s\n%d %s\n", what, request.method.c_str(), request.path.c_str(),
               request.body.c_str(), response.status, response.body.c_str());
  std::abort();
}

Status WriteSmallTable(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << "id,age,zip,sex,job,disease\n";
  for (int row = 0; row < 24; ++row) {
    file << row << ',' << 20 + row * 7 % 50 << ",0" << 1000 + row % 5 << ',' << (row % 2 == 0 ? "f" : "m") << ','
         << "abcdef"[row % 6] << ',' << "xyz"[row % 3] << '\n';
  }
  return Ok();
}

/// The server with what it has learnt so far, as somebody would talk to it who has the token.
class Server {
 public:
  explicit Server(const Storage& storage)
      : app_(files_, storage, Guard{kAddress, std::string(64, 'a')}, {.make_demo = WriteSmallTable}, stop_) {
    const auto table = app_.AddDemo();
    if (!table.ok()) std::abort();
    table_ = *table;
  }

  void Ask(const std::string& text) {
    const size_t end = std::min(text.find('\n'), text.size()), space = std::min(text.find(' '), end);
    HttpRequest request{.method = text.substr(0, space)};
    request.headers = {{"host", kAddress}, {"authorization", "Bearer " + std::string(64, 'a')}};
    if (!SplitTarget(Named(text.substr(std::min(space + 1, end), end - std::min(space + 1, end))), request)) return;
    request.body = end < text.size() ? Named(text.substr(end + 1)) : "";
    if (const auto refused = app_.Refuse(request)) {
      Require(refused->status >= 400 && refused->status < 500, "refused by no reason of the request's", request,
              *refused);
      return;
    }
    const auto path = app_.UploadPath(request);
    if (!path.ok()) std::abort();
    if (!path->empty()) {
      request.body_file = *path;
      std::ofstream(*path, std::ios::binary) << request.body;
    }
    Follow(request, app_.Answer(request));
  }

 private:
  static constexpr const char* kAddress = "127.0.0.1:8642";

  std::string Named(std::string text) const {
    for (const auto& [word, id] : {std::pair{"TABLE", &table_}, {"UPLOAD", &upload_}, {"JOB", &job_}}) {
      for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += id->size())
        text.replace(at, std::char_traits<char>::length(word), *id);
    }
    return text;
  }

  void Follow(const HttpRequest& request, const HttpResponse& response) {
    Require(response.status >= 200 && response.status < 600 && response.status != 500, "a bug", request, response);
    const std::string body(response.embedded.empty() ? std::string_view(response.body) : response.embedded);
    if (request.route->path.ends_with("/result") && response.status == 200) return;  // the program wrote nothing
    if (!response.file.empty() || response.events || response.status == 204 || body.starts_with("\x1f\x8b")) return;
    const auto json = nlohmann::json::parse(body, nullptr, false);
    Require(json.is_object(), "no JSON", request, response);
    if (response.status == 201 && !request.body_file.empty()) upload_ = json["id"];
    if (response.status == 202) Wait(json["id"]);
  }

  /// Until the job has ended, so that what follows does not hang on who is faster.
  void Wait(const std::string& id) {
    job_ = id;
    HttpRequest request{.method = "GET", .path = "/api/jobs/" + id};
    request.headers = {{"host", kAddress}, {"authorization", "Bearer " + std::string(64, 'a')}};
    if (app_.Refuse(request)) std::abort();
    for (;;) {
      const auto json = nlohmann::json::parse(app_.Answer(request).body);
      if (json["state"] != "waiting" && json["state"] != "running") return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  ArrowFiles files_;
  Cancel stop_;
  App app_;
  std::string table_, upload_ = "none", job_ = "none";
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Folder folder;
  static const bool ready = [] {
    // In a place of its own: what servers that are gone left elsewhere is not this program's to remove.
    for (const char* place : {"XDG_RUNTIME_DIR", "TMPDIR"}) setenv(place, (folder / ".").c_str(), 1);
    SetChildProgram({"/bin/true"});
    return true;
  }();
  static_cast<void>(ready);
  const auto storage = Storage::Open();
  if (!storage.ok()) return 0;
  Server server(*storage);
  std::string rest(reinterpret_cast<const char*>(data), size);
  for (size_t number = 0; number < kMostRequests && !rest.empty(); ++number) {
    const size_t end = rest.find("\n----\n");
    server.Ask(rest.substr(0, end));
    rest = end == std::string::npos ? "" : rest.substr(end + 6);
  }
  return 0;
}
