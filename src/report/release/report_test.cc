#include "report/release/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/release/outcome_for_tests.h"
#include "report/release/report_words.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

TEST(Report, HasTheDocumentedKeysInOrder) {
  const Json report = Json::parse(ReportJson(testing::SampleOutcome()));
  std::vector<std::string> keys;
  for (const auto& [key, value] : report.items()) keys.push_back(key);
  ASSERT_GE(keys.size(), 9u);
  keys.resize(9);
  EXPECT_EQ(keys, (std::vector<std::string>{"tada", "method", "stages", "seed", "requirement", "reached", "loss",
                                            "seconds", "peak_memory_mb"}));
  EXPECT_EQ(report["requirement"], Json::parse(R"({"k":10,"l":3,"diversity":"distinct"})"));
  EXPECT_EQ(report["reached"]["rows"], 4000);
  EXPECT_EQ(report["reached"]["groups"], 283);
  EXPECT_EQ(report["reached"]["masked"], 0);
  EXPECT_EQ(report["reached"]["largest_group"], 31);
  EXPECT_DOUBLE_EQ(report["loss"]["ncp"].get<double>(), 0.1873);
  EXPECT_DOUBLE_EQ(report["loss"]["per_column"]["zip"].get<double>(), 0.4127);
  EXPECT_DOUBLE_EQ(report["seconds"]["mondrian"].get<double>(), 0.009);
  EXPECT_EQ(report["release_sha256"], testing::SampleOutcome().release_sha256);
  EXPECT_EQ(report["row_order"], "canonical");
}

TEST(Report, SaysTheLossByLeavesWhereThereAreHierarchies) {
  Outcome outcome = testing::SampleOutcome();
  outcome.input_score.ncp_leaves = 0.25;
  outcome.input_score.per_column_leaves = {{"age", 0.2}, {"sex", 0.3}};
  EXPECT_FALSE(Json::parse(ReportJson(outcome))["loss"].contains("ncp_leaves"));  // how many values are below labels
  outcome.report_raw = true;
  const Json loss = Json::parse(ReportJson(outcome))["loss"];
  EXPECT_DOUBLE_EQ(loss["ncp"].get<double>(), 0.1873);
  EXPECT_DOUBLE_EQ(loss["ncp_leaves"].get<double>(), 0.25);
  EXPECT_DOUBLE_EQ(loss["per_column_leaves"]["sex"].get<double>(), 0.3);
  EXPECT_NE(LossWords(outcome).find("by leaves of hierarchies: 0.2500"), std::string::npos);
}

TEST(Report, SaysHowFarFromTheLeastLossItIsOnlyIfAskedForRawFigures) {
  Outcome outcome = testing::SampleOutcome();
  outcome.input_score.ncp = 0.15;
  outcome.least_ncp = 0.1;
  EXPECT_FALSE(Json::parse(ReportJson(outcome))["loss"].contains("ncp_least"));
  EXPECT_EQ(LossWords(outcome).find("least possible"), std::string::npos);
  outcome.report_raw = true;
  const Json loss = Json::parse(ReportJson(outcome))["loss"];
  EXPECT_DOUBLE_EQ(loss["ncp_least"].get<double>(), 0.1);
  EXPECT_NEAR(loss["above_least"].get<double>(), 0.5, 1e-12);
  EXPECT_NE(LossWords(outcome).find("at most 50% above the least possible"), std::string::npos);
  outcome.plan.requirement.l = 1;
  EXPECT_NE(AboveLeastWords(outcome).find("at this k loses less than 0.1000"), std::string::npos);
  outcome.plan.requirement.l = 2;
  EXPECT_NE(AboveLeastWords(outcome).find("at this k and l loses less than 0.1000"), std::string::npos);
  outcome.least_ncp = 0;
  EXPECT_FALSE(Json::parse(ReportJson(outcome))["loss"].contains("above_least"));
  EXPECT_EQ(AboveLeastWords(outcome), "");
}

TEST(Report, HoldsNoRawValueUnlessAskedTo) {
  Outcome outcome = testing::SampleOutcome();
  outcome.sections.push_back({.key = "tree",
                              .title = "Tree",
                              .facts = Fact::Map{{"threshold", "raw-threshold"}},
                              .blocks = {{"raw-threshold"}},
                              .raw = true});
  EXPECT_EQ(ReportJson(outcome).find("raw-"), std::string::npos);
  EXPECT_EQ(ReportJson(outcome).find(outcome.input_sha256), std::string::npos);
  EXPECT_FALSE(Json::parse(ReportJson(outcome))["confidential"].get<bool>());
  outcome.report_raw = true;
  const std::string text = ReportJson(outcome);
  for (const char* raw : {"raw-example", "raw-smallest", "raw-largest", "raw-id", "raw-threshold"}) {
    EXPECT_NE(text.find(raw), std::string::npos) << raw;
  }
  EXPECT_TRUE(Json::parse(text)["confidential"].get<bool>());
  EXPECT_EQ(Json::parse(text)["input"]["sha256"], outcome.input_sha256);
}

TEST(Report, SaysThatLIsOneWhenNothingIsSensitive) {
  Outcome outcome = testing::SampleOutcome();
  outcome.plan.sensitive.clear();
  outcome.verdict.l = 0;
  EXPECT_EQ(Json::parse(ReportJson(outcome))["reached"]["l"], 1);
}

TEST(Report, TakesWhatStagesAddButNotOverItsOwnKeys) {
  Outcome outcome = testing::SampleOutcome();
  outcome.sections.push_back({.key = "clusters", .title = "Clusters", .facts = Fact::List{1, 2}});
  EXPECT_EQ(Json::parse(ReportJson(outcome))["clusters"], Json::parse("[1,2]"));
  outcome.sections.back().key = "reached";
  EXPECT_THROW(ReportJson(outcome), InternalError);
}

TEST(Report, WritesFactsAsTheyAre) {
  Outcome outcome = testing::SampleOutcome();
  outcome.sections.push_back(
      {.key = "facts",
       .facts =
           Fact::Map{{"z", Fact()}, {"a", true}, {"list", Fact::List{-1, 2U, 0.5, "te\"xt"}}, {"none", Fact::Map{}}}});
  EXPECT_EQ(Json::parse(ReportJson(outcome))["facts"].dump(),
            R"({"z":null,"a":true,"list":[-1,2,0.5,"te\"xt"],"none":{}})");
}

TEST(Report, SaysWhatEachStageDid) {
  Outcome outcome = testing::SampleOutcome();
  outcome.about = {{"tree", "A tree."}, {"mondrian", "Cuts."}};
  EXPECT_EQ(Json::parse(ReportJson(outcome))["about"],
            Json::parse(R"([{"stage": "tree", "words": "A tree."}, {"stage": "mondrian", "words": "Cuts."}])"));
  EXPECT_TRUE(MethodWords(outcome).starts_with("All people start as one group. A tree. Cuts. All people of a group"));
  EXPECT_EQ(MethodWords(outcome).find("hierarchy"), std::string::npos);
  outcome.plan.quasi[0].hierarchy = "count:2";
  outcome.plan.controllers = 2;
  EXPECT_TRUE(MethodWords(outcome).starts_with("All people of a controller start as one group."));
  EXPECT_NE(MethodWords(outcome).find("in a column with a hierarchy, the label"), std::string::npos);
}

TEST(Report, SurvivesBytesThatAreNotUtf8InAPath) {
  Outcome outcome = testing::SampleOutcome();
  outcome.input_path = "bad\xFFname.csv";
  EXPECT_TRUE(Json::accept(ReportJson(outcome)));
}

}  // namespace
}  // namespace tada
