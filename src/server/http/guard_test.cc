#include "server/http/guard.h"

#include <gtest/gtest.h>

#include "server/http/secret.h"

namespace tada {
namespace {

const Guard kGuard{"127.0.0.1:8642", std::string(64, 'a')};

HttpRequest Asked(std::string path, std::vector<std::pair<std::string, std::string>> more = {}) {
  HttpRequest request{.method = "GET", .path = std::move(path), .headers = {{"host", "127.0.0.1:8642"}}};
  request.headers.insert(request.headers.end(), more.begin(), more.end());
  return request;
}
int StatusOf(const HttpRequest& request) {
  const auto refused = kGuard.Refuse(request);
  return refused ? refused->status : 200;
}
const std::pair<std::string, std::string> kToken = {"authorization", "Bearer " + std::string(64, 'a')};

TEST(Guard, AnswersWhoKnowsTheToken) {
  EXPECT_EQ(StatusOf(Asked("/api/tables", {kToken})), 200);
  EXPECT_EQ(StatusOf(Asked("/api/tables")), 401);
  EXPECT_EQ(StatusOf(Asked("/api/tables", {{"authorization", std::string(64, 'a')}})), 401);
  EXPECT_EQ(StatusOf(Asked("/api/tables", {kToken, kToken})), 401);
  EXPECT_EQ(StatusOf(Asked("/")), 200);
  EXPECT_EQ(StatusOf(Asked("/assets/app.js")), 200);
}

TEST(Guard, KnowsItsOwnNameAlone) {
  for (const char* host : {"localhost:8642", "127.0.0.1", "127.0.0.1:8643", "evil.example", ""}) {
    HttpRequest request = Asked("/", {kToken});
    request.headers[0].second = host;
    EXPECT_EQ(StatusOf(request), 421) << host;
  }
  EXPECT_EQ(StatusOf(Asked("/", {{"host", "127.0.0.1:8642"}})), 421) << "two of them";
  EXPECT_EQ(StatusOf(HttpRequest{.method = "GET", .path = "/"}), 421) << "none";
}

TEST(Guard, TurnsOtherSitesAway) {
  EXPECT_EQ(StatusOf(Asked("/api/tables", {kToken, {"origin", "http://127.0.0.1:8642"}})), 200);
  EXPECT_EQ(StatusOf(Asked("/api/tables", {kToken, {"origin", "https://evil.example"}})), 403);
  EXPECT_EQ(StatusOf(Asked("/api/tables", {kToken, {"origin", "null"}})), 403);
  EXPECT_EQ(StatusOf(Asked("/api/tables", {kToken, {"sec-fetch-site", "cross-site"}})), 403);
  EXPECT_EQ(StatusOf(Asked("/api/tables", {kToken, {"sec-fetch-site", "same-site"}})), 403);
  EXPECT_EQ(StatusOf(Asked("/api/tables", {kToken, {"sec-fetch-site", "same-origin"}})), 200);
}

TEST(Guard, LetsThePageBeOpenedFromAFile) {
  const std::pair<std::string, std::string> site = {"sec-fetch-site", "cross-site"},
                                            mode = {"sec-fetch-mode", "navigate"};
  EXPECT_EQ(StatusOf(Asked("/", {site, mode, {"sec-fetch-dest", "document"}})), 200);
  EXPECT_EQ(StatusOf(Asked("/", {site, mode, {"sec-fetch-dest", "iframe"}})), 403);
  EXPECT_EQ(StatusOf(Asked("/api/openapi.json", {site, mode, {"sec-fetch-dest", "document"}})), 403);
}

TEST(Secret, IsRandomAndComparedWhole) {
  EXPECT_EQ(RandomHex(32).size(), 64u);
  EXPECT_NE(RandomHex(32), RandomHex(32));
  EXPECT_TRUE(EqualSecrets("abc", "abc"));
  EXPECT_FALSE(EqualSecrets("abc", "abd"));
  EXPECT_FALSE(EqualSecrets("abc", "abcd"));
}

}  // namespace
}  // namespace tada
