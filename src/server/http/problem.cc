#include "server/http/problem.h"

#include <nlohmann/json.hpp>

#include "base/exit_code.h"
#include "base/option_mark.h"

namespace tada {
namespace {

std::string_view Title(int status) {
  switch (status) {
    case 400:
      return "Bad request";
    case 401:
      return "No token";
    case 403:
      return "Forbidden";
    case 404:
      return "Not found";
    case 405:
      return "Method not allowed";
    case 409:
      return "Conflict";
    case 413:
      return "Too large";
    case 421:
      return "Misdirected request";
    case 422:
      return "The table cannot be read";
    case 429:
      return "Too many jobs";
    case 431:
      return "Headers too large";
    case 507:
      return "Cannot be written";
    default:
      return "Error";
  }
}

}  // namespace

HttpResponse ProblemResponse(int status, const std::string& message, const std::string& hint, int exit_code) {
  nlohmann::ordered_json json = {{"title", Title(status)}, {"status", status}, {"detail", message}};
  if (!hint.empty()) json["hint"] = hint;
  if (exit_code != 0) json["exit_code"] = exit_code;
  HttpResponse response;
  response.status = status;
  response.type = "application/problem+json";
  response.body = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return response;
}

int StatusOfExit(int exit_code) {
  switch (exit_code) {
    case 2:
      return 400;
    case 3:
      return 422;
    case 4:
      return 409;
    case 5:
      return 507;
    default:
      return 500;
  }
}

HttpResponse ProblemResponse(const Error& error) {
  const int exit_code = ExitCode(error.code);
  return ProblemResponse(StatusOfExit(exit_code), AsKeys(error.message), AsKeys(error.hint), exit_code);
}

}  // namespace tada
