#pragma once

// Requests and responses as plain data, so that routes and rules can be tested without a network.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tada {

struct Route;

struct HttpRequest {
  std::string method;  ///< "GET"
  std::string path;    ///< as it was sent, without the query
  std::map<std::string, std::string> query;
  std::vector<std::pair<std::string, std::string>>
      headers;  ///< names in small letters, in order, as often as they came
  std::string body;
  std::string body_file;              ///< where the body of an upload is; "" for other requests
  const Route* route = nullptr;       ///< what answers it, once it was found
  std::vector<std::string> captures;  ///< what stands for {} in the route, decoded

  /// The values of a header, which may have come more than once.
  std::vector<std::string> All(std::string_view name) const;
  /// Its only value; "" if it is absent or came more than once.
  std::string Header(std::string_view name) const;
};

/// A stream of server-sent events, asked again and again until it ends.
class EventSource {
 public:
  virtual ~EventSource() = default;
  /// The events since the last call, as they are sent; "" if there are none. Sets `last` behind the final one.
  virtual std::string Next(bool& last) = 0;
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string_view embedded;  ///< sent instead of the body: part of the program, never freed
  std::string file;           ///< sent instead of the body: a file of the server's
  std::shared_ptr<EventSource> events;
  std::vector<std::pair<std::string, std::string>> headers;
  std::function<void()> then;  ///< done once it is sent
};

/// The path and the query of a target, "/a%20b?c=d"; nothing if it is no absolute path or not well formed.
bool SplitTarget(std::string_view target, HttpRequest& request);

/// %41 to A; nothing if a percent sign is not followed by two digits, or the text is no UTF-8 or holds a zero byte.
std::optional<std::string> PercentDecode(std::string_view text);

}  // namespace tada
