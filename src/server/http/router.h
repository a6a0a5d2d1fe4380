#pragma once

// Which function answers which request. A route is a method and a path with {} for one part of it; what stands there is
// decoded and handed on, and never names a file.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message.h"

namespace tada {

struct Route {
  std::string_view method;
  std::string_view path;     ///< "/api/tables/{id}/risk"
  std::string_view summary;  ///< for the OpenAPI description
  std::function<HttpResponse(const HttpRequest&)> answer;
  bool takes_file = false;  ///< the body goes to disk, not into memory
  bool at_once = false;     ///< takes next to no time: the network's own thread answers
};

class Router {
 public:
  explicit Router(std::vector<Route> routes);
  const std::vector<Route>& routes() const { return routes_; }

  /// The route of a request, which is noted in it with its captures; null, and `refused` with 400, 404 or 405, if there is none.
  const Route* Find(HttpRequest& request, HttpResponse& refused) const;

 private:
  std::vector<Route> routes_;
  std::vector<std::vector<std::string_view>> parts_;  ///< of the routes' paths
};

}  // namespace tada
