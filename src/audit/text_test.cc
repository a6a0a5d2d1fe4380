#include "audit/text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "testing/tables.h"

namespace tada {
namespace {

TEST(Text, PutsTheVerdictFirstAndIsValidJson) {
  const Table release = testing::MakeTable("a s\n\xff x\nb y\nb z\n");
  AuditOptions options;
  options.quasi = {0};
  options.sensitive = {1};
  options.requirement.k = options.requirement.l = 2;
  const Verdict verdict = Audit(release, options, Workers(1)).value();
  const std::string text = VerdictText(verdict);
  EXPECT_TRUE(text.starts_with("FAILED\n"));
  EXPECT_NE(text.find("Reached  k=1 l=1\n"), std::string::npos);
  EXPECT_NE(text.find("  rows   1\n"), std::string::npos);
  const auto json = nlohmann::json::parse(VerdictJson(verdict));
  EXPECT_EQ(json["passed"], false);
  EXPECT_EQ(json["reached"]["groups"], 2);
  EXPECT_EQ(json["worst"]["rows"], std::vector<int>{1});
  EXPECT_EQ(json["original"], nullptr);
}

TEST(Text, FoldsManyClassSizesIntoFewBars) {
  Verdict verdict;
  uint64_t classes = 0;
  for (uint64_t size = 5; size < 4000; size += 7) verdict.class_sizes.emplace_back(size, 2), classes += 2;
  const std::string text = VerdictText(verdict);
  uint64_t counted = 0;
  std::istringstream lines(text.substr(text.find("Class sizes")));
  std::string line;
  std::getline(lines, line);
  int bars = 0;
  while (std::getline(lines, line) && line.starts_with("  ")) {
    counted += std::stoul(line.substr(line.rfind(' ')));
    ++bars;
  }
  EXPECT_EQ(counted, classes);
  EXPECT_LE(bars, 12);
}

}  // namespace
}  // namespace tada
