#include "report/verdict/verdict_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testing/tables.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

Verdict Judge(const Table& release, AuditOptions options) {
  options.quasi = {0};
  options.sensitive = {1};
  options.requirement.k = options.requirement.l = 2;
  return Audit(release, options, Workers(1)).value();
}

TEST(VerdictJson, HasTheKeysThatScriptsReadInTheirOrder) {
  const Json json = Json::parse(VerdictJson(Judge(testing::MakeTable("a s\na x\nb y\nb z\n"), {})));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"tada",
                                            "passed",
                                            "verified",
                                            "requirement",
                                            "quasi",
                                            "sensitive",
                                            "k",
                                            "l",
                                            "l_of_column",
                                            "folded",
                                            "rows",
                                            "classes",
                                            "largest_class",
                                            "masked_rows",
                                            "breaking_classes",
                                            "breaking_rows",
                                            "worst",
                                            "class_sizes",
                                            "risk",
                                            "cover",
                                            "row_match",
                                            "rows_match",
                                            "withheld_rows",
                                            "problems",
                                            "unverified",
                                            "notes"}));
  EXPECT_EQ(json["passed"], false);
  EXPECT_EQ(json["classes"], 2);
  EXPECT_EQ(json["worst"]["rows"], std::vector<int>{1});
  EXPECT_EQ(json["class_sizes"], Json::parse("[[1,1],[2,1]]"));
  EXPECT_EQ(json["row_match"], "not checked");
  EXPECT_TRUE(json["cover"].empty());
}

TEST(VerdictJson, SaysHowRowsWereMatched) {
  const Table release = testing::MakeTable("a s\n[1,2] x\n[1,2] y\n"), original = testing::MakeTable("a s\n1 x\n2 y\n");
  AuditOptions options;
  options.original = &original;
  options.original_column = {0, 1};
  EXPECT_EQ(Json::parse(VerdictJson(Judge(release, options)))["row_match"], "same order");
  options.order = std::make_shared<const std::vector<RowId>>(std::vector<RowId>{0, 1});
  EXPECT_EQ(Json::parse(VerdictJson(Judge(release, options)))["row_match"], "given order");
}

// A cell of another tool's file may hold any bytes; JSON must be UTF-8 all the same.
TEST(VerdictJson, IsValidWhateverTheBytesOfACell) {
  const Json json = Json::parse(VerdictJson(Judge(testing::MakeTable("a s\n\xff x\nb y\nb z\n"), {})));
  EXPECT_EQ(json["worst"]["cells"]["a"], "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace tada
