#pragma once

// Who may ask the server anything. It listens on loopback alone, but so do pages of other sites in the same browser, and other
// users of the machine: docs/serve.md and SECURITY.md say what each rule is against.
//   Host            exactly one, the server's own address: another name that leads here (DNS rebinding) is turned away.
//   Origin          if there is one, the server's own.
//   Sec-Fetch-Site  same-origin, or none for what a person typed; the empty page itself may be opened from anywhere, since the
//                   browser is sent to it by a file.
//   token           256 random bits, as `Authorization: Bearer`, for everything that is or may become data.

#include <optional>
#include <string>

#include "server/http/message.h"

namespace tada {

struct Guard {
  std::string address;  ///< "127.0.0.1:PORT"
  std::string token;

  /// What to answer instead, if the request is not to be served; looks at nothing but its head.
  std::optional<HttpResponse> Refuse(const HttpRequest& request) const;
};

/// Whether a path is served without a token: the page itself and its parts, and files whose ticket is in the path.
bool IsOpenPath(std::string_view path);

/// Headers of every response.
const std::vector<std::pair<std::string_view, std::string_view>>& SecurityHeaders();

}  // namespace tada
