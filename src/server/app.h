#pragma once

// What the server answers: every route of the interface (docs/serve.md; /api/openapi.json), over tables, jobs and tickets.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "files/files.h"
#include "run/anonymize/anonymize.h"
#include "server/http/guard.h"
#include "server/http/listener.h"
#include "server/http/router.h"
#include "server/jobs.h"
#include "server/storage.h"
#include "server/tables.h"

namespace tada {

struct AppOptions {
  std::string folder;  ///< where plans, releases and history are kept; "": nothing is
  uint64_t max_upload = uint64_t{2} << 30;
  std::function<Status(const std::string& path)> make_demo;  ///< writes the made-up people to a file
};

class App final : public Application {
 public:
  App(Files& files, const Storage& storage, Guard guard, AppOptions options, Cancel& stop);

  Tables& tables() { return tables_; }
  /// Takes the made-up people into the tables, once; the id.
  Result<std::string> AddDemo();
  /// Takes up the runs that the folder remembers.
  void LoadHistory();

  std::optional<HttpResponse> Refuse(HttpRequest& head) override;
  Result<std::string> UploadPath(const HttpRequest& head) override;
  bool AtOnce(const HttpRequest& request) override { return request.route->at_once; }
  HttpResponse Answer(const HttpRequest& request) override;

  /// The description of the interface, for /api/openapi.json.
  static nlohmann::ordered_json OpenApi(const std::vector<Route>& routes);

 private:
  struct Ticket {
    std::string path, name;
    std::chrono::steady_clock::time_point until;
  };

  /// A release made again in memory, for a look at its groups.
  struct Sampled {
    std::string job;
    TableFile file;
    Anonymized made;
  };

  std::vector<Route> MakeRoutes();
  void AddTableRoutes(std::vector<Route>& routes);
  void AddJobRoutes(std::vector<Route>& routes);

  HttpResponse ShowTable(const std::string& id);
  HttpResponse ReadTable(const std::string& id, const nlohmann::json& asked);
  HttpResponse ShowRisk(const std::string& id, const nlohmann::json& asked);
  HttpResponse ShowFeasible(const std::string& id, const nlohmann::json& asked);
  HttpResponse ShowPlan(const nlohmann::json& asked);
  HttpResponse ShowHierarchy(const std::string& id, const std::string& column, const std::string& builder);
  HttpResponse SaveHierarchy(const std::string& id, const std::string& column, const nlohmann::json& asked);
  HttpResponse StartJob(const nlohmann::json& asked);
  HttpResponse ShowResult(const std::string& id);
  HttpResponse ShowSample(const std::string& id, const std::string& group);
  Result<std::shared_ptr<const Sampled>> MakeSampled(const Job& job);
  HttpResponse MakeTicket(const nlohmann::json& asked);
  HttpResponse SendTicket(const std::string& ticket);
  Status TakePlan(const nlohmann::json& asked, Job& job) const;
  /// Where a run of its own works and leaves what it makes.
  std::string FolderOf(const Job& job) const;
  Status PutFiles(const ServedTable& table, const Job& job, const std::string& hierarchies);
  Status PutKey(const Job& job);
  nlohmann::ordered_json JobWithFiles(const Job& job) const;
  void Finished(Job& job);
  void WriteUnended(Job job) const;
  void WriteHistory(const Job& job) const;

  Files& files_;
  const Storage& storage_;
  Guard guard_;
  AppOptions options_;
  Cancel& stop_;
  Tables tables_;
  std::mutex demo_mutex_;
  Jobs jobs_;
  std::mutex ticket_mutex_;
  std::map<std::string, Ticket> tickets_;
  std::mutex sample_mutex_;
  std::shared_ptr<const Sampled> sampled_;
  Router router_;
};

/// A response with JSON.
HttpResponse JsonResponse(const nlohmann::ordered_json& json, int status = 200);

/// An embedded part of the page: "index.html", "app.js". Null body if there is none.
struct Asset {
  std::string_view name, type;
  std::string_view bytes;  ///< gzipped
};
const Asset* FindAsset(std::string_view name);

}  // namespace tada
