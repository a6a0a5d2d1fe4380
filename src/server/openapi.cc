// The description of the interface, OpenAPI 3.1: from the list of routes, with what their bodies look like.

#include <map>

#include "base/version.h"
#include "server/app.h"

namespace tada {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// The bodies of requests, as JSON schemas, by method and path.
const std::map<std::string, std::string_view>& Bodies() {
  static const std::map<std::string, std::string_view> kBodies = {
      {"POST /api/tables/{id}/risk", R"({"type":"object","properties":{
        "quasi":{"type":"array","items":{"type":"string"}},"person":{"type":"array","items":{"type":"string"}},
        "k":{"type":"integer","minimum":1}}})"},
      {"POST /api/tables/{id}/reading",
       R"({"type":"object","properties":{"plan":{"$ref":"#/components/schemas/Plan"}}})"},
      {"POST /api/tables/{id}/feasible",
       R"({"type":"object","properties":{"plan":{"$ref":"#/components/schemas/Plan"}}})"},
      {"POST /api/plan", R"({"type":"object","properties":{"table":{"type":"string"},"toml":{"type":"string"},
        "plan":{"$ref":"#/components/schemas/Plan"}}})"},
      {"POST /api/tables/{id}/hierarchies/{column}", R"({"type":"object","required":["lines"],"properties":{
        "lines":{"type":"array","items":{"type":"array","items":{"type":"string"}}},"check_only":{"type":"boolean"}}})"},
      {"POST /api/jobs", R"({"type":"object","required":["kind"],"properties":{
        "kind":{"enum":["anonymize","evaluate","advise","choose","attack"]},"table":{"type":"string"},
        "after":{"type":"string"},"id":{"type":"string"},"plan":{"$ref":"#/components/schemas/Plan"},
        "options":{"type":"object"}}})"},
      {"POST /api/tickets", R"({"type":"object","required":["job","file"],"properties":{
        "job":{"type":"string"},"file":{"type":"string"}}})"},
  };
  return kBodies;
}

constexpr std::string_view kPlanSchema =
    R"({"type":"object","description":"A plan: options by name, as in a plan file","properties":{
  "values":{"type":"object"},"columns":{"type":"object","additionalProperties":{"type":"object"}},
  "controllers":{"type":"object","additionalProperties":{"type":"object"}},
  "methods":{"type":"object","additionalProperties":{"type":"object"}}}})";

OrderedJson Parameters(std::string_view path) {
  OrderedJson parameters = OrderedJson::array();
  for (size_t at = path.find('{'); at != std::string_view::npos; at = path.find('{', at + 1)) {
    parameters.push_back({{"name", path.substr(at + 1, path.find('}', at) - at - 1)},
                          {"in", "path"},
                          {"required", true},
                          {"schema", {{"type", "string"}, {"minLength", 1}}}});
  }
  const auto query = [&](std::string_view name) {
    parameters.push_back({{"name", name}, {"in", "query"}, {"schema", {{"type", "string"}}}});
  };
  if (path.ends_with("/hierarchies/{column}")) query("builder");
  if (path.ends_with("/sample")) query("group");
  return parameters;
}

std::string_view Success(const std::string& key) {
  if (key == "POST /api/jobs") return "202";
  if (key == "PUT /api/tables/{name}" || key == "POST /api/tickets" || key == "POST /api/demo") return "201";
  if (key.starts_with("DELETE") || key == "POST /api/stop") return "204";
  return "200";
}

std::string_view TypeOf(const std::string& key) {
  if (key == "GET /") return "text/html; charset=utf-8";
  if (key == "GET /assets/{name}" || key == "GET /files/{ticket}") return "*/*";
  if (key.ends_with("/events")) return "text/event-stream";
  return "application/json";
}

OrderedJson Operation(const Route& route) {
  const std::string key = std::string(route.method) + " " + std::string(route.path);
  OrderedJson operation = {{"summary", route.summary}, {"operationId", key}};
  if (OrderedJson parameters = Parameters(route.path); !parameters.empty()) operation["parameters"] = parameters;
  if (const auto body = Bodies().find(key); body != Bodies().end()) {
    operation["requestBody"] = {{"required", true},
                                {"content", {{"application/json", {{"schema", OrderedJson::parse(body->second)}}}}}};
  } else if (route.takes_file) {
    operation["requestBody"] = {
        {"required", true},
        {"content", {{"application/octet-stream", {{"schema", {{"type", "string"}, {"format", "binary"}}}}}}}};
  }
  OrderedJson done = {{"description", "Done"}};
  const std::string_view code = Success(key);
  if (code != "204") done["content"] = {{std::string(TypeOf(key)), OrderedJson::object()}};
  const OrderedJson problem = {
      {"description", "What is wrong, and what to do"},
      {"content", {{"application/problem+json", {{"schema", {{"$ref", "#/components/schemas/Problem"}}}}}}}};
  operation["responses"] = {{std::string(code), done}, {"default", problem}};
  if (IsOpenPath(route.path)) operation["security"] = OrderedJson::array();
  return operation;
}

}  // namespace

OrderedJson App::OpenApi(const std::vector<Route>& routes) {
  OrderedJson paths = OrderedJson::object();
  for (const Route& route : routes) {
    std::string method(route.method);
    for (char& c : method) c = static_cast<char>(c + ('a' - 'A'));
    paths[std::string(route.path)][method] = Operation(route);
  }
  const OrderedJson problem =
      OrderedJson::parse(R"({"type":"object","required":["title","status","detail"],"properties":{
    "title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},"hint":{"type":"string"},
    "exit_code":{"type":"integer","description":"of the command line"}}})");
  return {
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "tada serve"}, {"version", kVersion}, {"description", "The interface behind the page. Local only."}}},
      {"security", OrderedJson::array({{{"token", OrderedJson::array()}}})},
      {"paths", paths},
      {"components",
       {{"schemas", {{"Problem", problem}, {"Plan", OrderedJson::parse(kPlanSchema)}}},
        {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}}}};
}

}  // namespace tada
