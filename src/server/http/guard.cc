#include "server/http/guard.h"

#include "server/http/problem.h"
#include "server/http/secret.h"

namespace tada {
namespace {

bool CameFromElsewhere(const HttpRequest& request) {
  const std::vector<std::string> site = request.All("sec-fetch-site");
  if (site.empty()) return false;
  if (site.size() > 1) return true;
  if (site[0] == "same-origin" || site[0] == "none") return false;
  return !(request.path == "/" && request.method == "GET" && request.Header("sec-fetch-mode") == "navigate" &&
           request.Header("sec-fetch-dest") == "document");
}

bool HasToken(const HttpRequest& request, const std::string& token) {
  const std::string given = request.Header("authorization");
  constexpr std::string_view kScheme = "Bearer ";
  return given.starts_with(kScheme) && EqualSecrets(std::string_view(given).substr(kScheme.size()), token);
}

}  // namespace

bool IsOpenPath(std::string_view path) {
  return path == "/" || path.starts_with("/assets/") || path == "/api/openapi.json" || path.starts_with("/files/");
}

std::optional<HttpResponse> Guard::Refuse(const HttpRequest& request) const {
  const std::vector<std::string> host = request.All("host");
  if (host.size() != 1 || host[0] != address) {
    return ProblemResponse(421, "This server does not answer to that name",
                           "Open the address that 'tada serve' printed.");
  }
  for (const std::string& origin : request.All("origin")) {
    if (origin != "http://" + address) return ProblemResponse(403, "Another site may not ask this server", "");
  }
  if (CameFromElsewhere(request)) return ProblemResponse(403, "Another site may not ask this server", "");
  if (IsOpenPath(request.path) || HasToken(request, token)) return std::nullopt;
  HttpResponse refused =
      ProblemResponse(401, "The token is missing or wrong", "Open the address that 'tada serve' printed.");
  refused.headers.emplace_back("WWW-Authenticate", "Bearer");
  return refused;
}

const std::vector<std::pair<std::string_view, std::string_view>>& SecurityHeaders() {
  static const std::vector<std::pair<std::string_view, std::string_view>> kHeaders = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src "
       "'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
  return kHeaders;
}

}  // namespace tada
