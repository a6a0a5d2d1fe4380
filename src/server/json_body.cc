#include "server/json_body.h"

#include "server/http/problem.h"

namespace tada {
namespace {

constexpr int kMostLevels = 32;

}  // namespace

HttpResponse WithBody(const HttpRequest& request, const std::function<HttpResponse(const nlohmann::json&)>& answer) {
  bool deep = false;
  const auto keep = [&](int level, nlohmann::json::parse_event_t, nlohmann::json&) {
    deep = deep || level > kMostLevels;
    return !deep;
  };
  const nlohmann::json body = nlohmann::json::parse(request.body, keep, false);
  if (deep) return ProblemResponse(400, "The body is nested too deeply", "", 2);
  if (!body.is_object()) return ProblemResponse(400, "The body has to be a JSON object", "", 2);
  return answer(body);
}

}  // namespace tada
