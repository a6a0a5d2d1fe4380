#include "server/json_body.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

int StatusFor(const std::string& body) {
  HttpRequest request;
  request.body = body;
  return WithBody(request,
                  [](const nlohmann::json& json) {
                    const nlohmann::json copy = json;  // takes a call per level
                    HttpResponse response;
                    response.status = copy.is_object() ? 200 : 500;
                    return response;
                  })
      .status;
}

std::string Nested(size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(JsonBody, IsAnObject) {
  EXPECT_EQ(StatusFor(R"({"plan": {"values": {"quasi": ["age"], "k": 5}}})"), 200);
  for (const char* wrong : {"", "{", "[1]", "1", "null", "\"text\"", "{\"a\": 1} x", "\xff"})
    EXPECT_EQ(StatusFor(wrong), 400);
}

TEST(JsonBody, IsRefusedWhenItsLevelsWouldTakeTheStack) {
  EXPECT_EQ(StatusFor("{\"plan\": " + Nested(20) + "}"), 200);
  EXPECT_EQ(StatusFor("{\"plan\": " + Nested(500'000) + "}"), 400);
  EXPECT_EQ(StatusFor("{\"plan\": " + std::string(1'000'000, '[')), 400);
}

}  // namespace
}  // namespace tada
