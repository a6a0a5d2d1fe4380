#include "server/http/router.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

const Router kRouter({{"GET", "/", "", {}},
                      {"GET", "/api/tables/{id}", "", {}},
                      {"DELETE", "/api/tables/{id}", "", {}},
                      {"GET", "/api/tables/{id}/hierarchies/{column}", "", {}}});

int StatusOf(const std::string& method, const std::string& target, std::vector<std::string>* captures = nullptr) {
  HttpRequest request{.method = method};
  if (!SplitTarget(target, request)) return 400;
  HttpResponse refused;
  const Route* route = kRouter.Find(request, refused);
  if (captures != nullptr) *captures = request.captures;
  return route != nullptr ? 200 : refused.status;
}

TEST(Router, FindsRoutesAndDecodesWhatTheyCapture) {
  std::vector<std::string> captures;
  EXPECT_EQ(StatusOf("GET", "/"), 200);
  EXPECT_EQ(StatusOf("GET", "/api/tables/7?x=1", &captures), 200);
  EXPECT_EQ(captures, std::vector<std::string>{"7"});
  EXPECT_EQ(StatusOf("GET", "/api/tables/7/hierarchies/a%2Fb%20%C3%A9", &captures), 200);
  EXPECT_EQ(captures, (std::vector<std::string>{"7", "a/b \xC3\xA9"}));
}

TEST(Router, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(StatusOf("GET", "/api"), 404);
  EXPECT_EQ(StatusOf("GET", "/api/tables/"), 404);
  EXPECT_EQ(StatusOf("GET", "/api/tables/7/"), 404);
  EXPECT_EQ(StatusOf("GET", "//"), 404);
  EXPECT_EQ(StatusOf("POST", "/api/tables/7"), 405);
  EXPECT_EQ(StatusOf("get", "/"), 405);
}

TEST(Router, RefusesAddressesThatAreNotWellFormed) {
  for (const char* target : {"", "x", "http://evil.example/", "*", "/?a=%", "/?%zz=1"})
    EXPECT_EQ(StatusOf("GET", target), 400) << target;
  for (const char* target : {"/api/tables/%", "/api/tables/%0", "/api/tables/%g0", "/api/tables/%00", "/api/tables/%ff",
                             "/api/tables/%c0%af"})
    EXPECT_EQ(StatusOf("GET", target), 400) << target;
}

TEST(Target, SplitsTheQuery) {
  HttpRequest request;
  ASSERT_TRUE(SplitTarget("/a%20b?c=d%26e&f&=g", request));
  EXPECT_EQ(request.path, "/a%20b");
  EXPECT_EQ(request.query, (std::map<std::string, std::string>{{"c", "d&e"}, {"f", ""}, {"", "g"}}));
}

}  // namespace
}  // namespace tada
