#include "server/app.h"

#include <filesystem>

#include "base/option_mark.h"
#include "commands/options_json.h"
#include "server/http/problem.h"

namespace tada {
namespace {

using Json = nlohmann::json;

HttpResponse SendAsset(std::string_view name) {
  const Asset* asset = FindAsset(name);
  if (asset == nullptr) return ProblemResponse(404, "There is nothing at this address", "");
  HttpResponse response;
  response.type = asset->type;
  response.embedded = asset->bytes;
  response.headers.emplace_back("Content-Encoding", "gzip");
  return response;
}

}  // namespace

HttpResponse JsonResponse(const nlohmann::ordered_json& json, int status) {
  HttpResponse response;
  response.status = status;
  response.body = AsKeys(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return response;
}

App::App(Files& files, const Storage& storage, Guard guard, AppOptions options, Cancel& stop)
    : files_(files),
      storage_(storage),
      guard_(std::move(guard)),
      options_(std::move(options)),
      stop_(stop),
      tables_(files, storage),
      jobs_([this](Job& job) { Finished(job); }),
      router_(MakeRoutes()) {}

std::vector<Route> App::MakeRoutes() {
  std::vector<Route> routes;
  routes.push_back({"GET", "/", "The page", [](const HttpRequest&) { return SendAsset("index.html"); }});
  routes.push_back({"GET", "/assets/{name}", "A part of the page: script, style, font",
                    [](const HttpRequest& request) { return SendAsset(request.captures[0]); }});
  routes.push_back({"GET", "/api/openapi.json", "This description", [this](const HttpRequest&) {
                      static const std::string kText = OpenApi(router_.routes()).dump();
                      HttpResponse response;
                      response.embedded = kText;
                      return response;
                    }});
  routes.push_back({"GET", "/api/options", "Options, methods and requirements", [](const HttpRequest&) {
                      static const std::string kText = OptionsJson().dump();
                      HttpResponse response;
                      response.embedded = kText;
                      return response;
                    }});
  routes.push_back({"POST", "/api/stop", "Stop the server", [this](const HttpRequest&) {
                      HttpResponse response;
                      response.status = 204;
                      response.then = [this] { stop_.Request(); };
                      return response;
                    }});
  AddTableRoutes(routes);
  AddJobRoutes(routes);
  return routes;
}

std::optional<HttpResponse> App::Refuse(HttpRequest& head) {
  if (auto refused = guard_.Refuse(head)) return refused;
  HttpResponse refused;
  if (router_.Find(head, refused) == nullptr) return refused;
  return std::nullopt;
}

Result<std::string> App::UploadPath(const HttpRequest& head) {
  HttpRequest copy = head;
  HttpResponse ignored;
  const Route* route = router_.Find(copy, ignored);
  if (route == nullptr || !route->takes_file) return std::string();
  return tables_.UploadPath(copy.captures[0], 2 * options_.max_upload);
}

HttpResponse App::Answer(const HttpRequest& request) {
  try {
    HttpRequest copy = request;
    HttpResponse refused;
    const Route* route = router_.Find(copy, refused);
    return route == nullptr ? refused : route->answer(copy);
  } catch (const Interrupted&) {
    return ProblemResponse(409, "A newer question was asked", "", 130);
  } catch (const std::bad_alloc&) {
    return ProblemResponse(507, "Not enough memory", "Use a smaller table, or a machine with more memory.", 70);
  } catch (const std::exception&) {
    return ProblemResponse(500, "This is a bug in tada", "Please report what you did; attach no personal data.", 70);
  }
}

}  // namespace tada
