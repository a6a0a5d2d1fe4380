// Any bytes as a request to the server: its target, headers and body, and as a plan in JSON. Nothing may crash; what is let through
// has the server's own address and token; a plan that is taken can be written and is taken again.

#include <cstdint>
#include <cstdlib>

#include "server/http/guard.h"
#include "server/http/router.h"
#include "server/plan_json.h"
#include "server/storage.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void AskRouter(const std::string& text) {
  using namespace tada;
  static const Guard kGuard{"127.0.0.1:8642", std::string(64, 'a')};
  static const Router kRouter({{"GET", "/", "", {}},
                               {"GET", "/assets/{name}", "", {}},
                               {"GET", "/api/tables/{id}/hierarchies/{column}", "", {}}});
  HttpRequest request{.method = "GET"};
  size_t at = text.find('\n');
  if (!SplitTarget(text.substr(0, at), request)) return;
  while (at != std::string::npos) {  // the lines that follow are headers
    const size_t end = text.find('\n', at + 1);
    const std::string line = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    const size_t colon = line.find(':');
    if (colon != std::string::npos) request.headers.emplace_back(line.substr(0, colon), line.substr(colon + 1));
    at = end;
  }
  if (!kGuard.Refuse(request)) {
    Require(request.All("host") == std::vector<std::string>{kGuard.address});
    Require(IsOpenPath(request.path) || request.Header("authorization") == "Bearer " + kGuard.token);
  }
  HttpResponse refused;
  if (kRouter.Find(request, refused) == nullptr) Require(refused.status >= 400);
}

void ReadPlan(const std::string& text) {
  using namespace tada;
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return;
  const auto file = PlanFileFromJson(json);
  if (!file.ok()) {
    FieldOf(file.error().message);
    return;
  }
  PythonCall(*file, "in.csv", "out.csv");
  if (const auto plan = PlanFromFile(*file, {}); plan.ok()) {
    const std::string toml = PlanToToml(*plan);
    const auto again = ParsePlanFile(toml, "tada.toml");
    Require(again.ok() && PlanFromFile(*again, {}).ok());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  AskRouter(text);
  ReadPlan(text);
  const std::string name = tada::FileNameFor(text);
  Require(!name.empty() && name.find('/') == std::string::npos && name.front() != '.' && name.front() != '-');
  return 0;
}
