#pragma once

// The JSON of a request. Whoever sends it may nest it as deeply as a megabyte allows, and copies of JSON take a call per level: it is
// refused beyond what any request needs, before it costs the server its stack.

#include <functional>
#include <nlohmann/json.hpp>

#include "server/http/message.h"

namespace tada {

/// Calls `answer` with the body of a request, which has to be an object of few levels; otherwise says what is wrong with it.
HttpResponse WithBody(const HttpRequest& request, const std::function<HttpResponse(const nlohmann::json&)>& answer);

}  // namespace tada
