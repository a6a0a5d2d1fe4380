#include "server/http/router.h"

#include <fmt/format.h>

#include <algorithm>

#include "server/http/problem.h"

namespace tada {
namespace {

std::vector<std::string_view> Parts(std::string_view path) {
  std::vector<std::string_view> parts;
  path.remove_prefix(1);
  for (;;) {
    const size_t end = path.find('/');
    parts.push_back(path.substr(0, end));
    if (end == std::string_view::npos) return parts;
    path.remove_prefix(end + 1);
  }
}

bool Matches(const std::vector<std::string_view>& pattern, const std::vector<std::string_view>& parts) {
  return std::ranges::equal(pattern, parts, [](std::string_view wanted, std::string_view part) {
    return wanted.starts_with('{') ? !part.empty() : wanted == part;
  });
}

}  // namespace

Router::Router(std::vector<Route> routes) : routes_(std::move(routes)) {
  for (const Route& route : routes_) parts_.push_back(Parts(route.path));
}

const Route* Router::Find(HttpRequest& request, HttpResponse& refused) const {
  const std::vector<std::string_view> parts = Parts(request.path);
  std::vector<std::string_view> methods;
  for (size_t number = 0; number < routes_.size(); ++number) {
    const Route& route = routes_[number];
    const std::vector<std::string_view>& pattern = parts_[number];
    if (!Matches(pattern, parts)) continue;
    if (route.method != request.method) {
      methods.push_back(route.method);
      continue;
    }
    request.captures.clear();
    for (size_t i = 0; i < pattern.size(); ++i) {
      if (!pattern[i].starts_with('{')) continue;
      auto capture = PercentDecode(parts[i]);
      if (!capture) {
        refused = ProblemResponse(400, "The address is not well formed", "");
        return nullptr;
      }
      request.captures.push_back(*capture);
    }
    request.route = &route;
    return &route;
  }
  if (methods.empty()) {
    refused = ProblemResponse(404, "There is nothing at this address", "");
  } else {
    refused = ProblemResponse(405, "This address takes another method", "");
    refused.headers.emplace_back("Allow", fmt::format("{}", fmt::join(methods, ", ")));
  }
  return nullptr;
}

}  // namespace tada
