#include "server/plan_json.h"

#include <gtest/gtest.h>

#include "base/option_mark.h"
#include "server/jobs.h"
#include "server/storage.h"

namespace tada {
namespace {

using Json = nlohmann::json;

TEST(PlanJson, GoesToAPlanAndBack) {
  const Json json =
      Json::parse(R"({"values": {"quasi": ["age", "zip:categorical"], "k": 7, "keep-order": true, "method": "mondrian"},
                                    "columns": {"age": {"hierarchy": "width:5"}}})");
  const auto file = PlanFileFromJson(json);
  ASSERT_TRUE(file.ok());
  const auto plan = PlanFromFile(*file, {});
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_EQ(plan->requirement.k, 7);
  EXPECT_EQ(plan->quasi[0].hierarchy, "width:5");
  EXPECT_TRUE(plan->keep_order);
  const auto again = PlanFileFromJson(Json::parse(PlanFileJson(*file).dump()));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(PlanToToml(*PlanFromFile(*again, {})), PlanToToml(*plan));
}

TEST(PlanJson, RefusesWhatIsNoPlan) {
  for (const char* text :
       {"[]", "1", R"({"values": []})", R"({"values": {"k": {}}})", R"({"values": {"quasi": [[1]]}})",
        R"({"columns": []})", R"({"columns": {"a": 1}})", R"({"columns": {"a": {"hierarchy": 1}}})",
        R"({"columns": {"a": {"order": 3}}})", R"({"controllers": {"x": {"nothing": 1}}})"}) {
    EXPECT_FALSE(PlanFileFromJson(Json::parse(text)).ok()) << text;
  }
}

TEST(PlanJson, NamesNoFile) {
  for (const char* text :
       {R"({"values": {"hierarchies": "/etc"}})", R"({"values": {"key": "/elsewhere/key"}})",
        R"({"values": {"profile": "/etc/passwd"}})", R"({"values": {"hierarchy": ["a=/etc/passwd"]}})",
        R"({"values": {"workload": "q.toml"}})", R"({"columns": {"a": {"hierarchy": "../a.csv"}}})",
        R"({"columns": {"a": {"hierarchy": "hierarchies/column-../x.csv"}}})"}) {
    EXPECT_FALSE(PlanFileFromJson(Json::parse(text)).ok()) << text;
  }
  EXPECT_FALSE(PlanFileFromToml("hierarchies = \"/etc\"\n").ok());
  for (const char* text :
       {R"({"values": {"key": "tada.key", "profile": "risk:0.1", "hierarchy": ["a=0-120/5/10", "b=prefix:5/3"]}})",
        R"({"columns": {"a": {"hierarchy": "hierarchies/column-12.csv"}}})"}) {
    EXPECT_TRUE(PlanFileFromJson(Json::parse(text)).ok()) << text;
  }
}

TEST(PlanJson, FindsTheFieldThatAMessageSpeaksOf) {
  EXPECT_EQ(FieldOf(TADA_OPTION("k") " must be at least 1, not 0"), "k");
  EXPECT_EQ(FieldOf("No quasi-identifier is given: " TADA_OPTION("quasi") " names the columns"), "quasi");
  EXPECT_EQ(FieldOf("a well-known fact"), "");
  EXPECT_EQ(FieldOf("ends in --"), "");
}

TEST(PlanJson, PythonIsQuoted) {
  const auto file = PlanFileFromJson(Json::parse(R"({"values": {"quasi": ["a\"b\n"], "k": 3}})"));
  const std::string call = PythonCall(*file, "in.csv", "out.csv");
  EXPECT_NE(call.find("quasi=[\"a\\\"b\\x0a\"]"), std::string::npos) << call;
  EXPECT_NE(call.find("k=3"), std::string::npos);
}

TEST(FileName, IsPlainAndHasAnExtension) {
  EXPECT_EQ(FileNameFor("people.csv"), "people.csv");
  EXPECT_EQ(FileNameFor("../../etc/passwd"), "passwd.csv");
  EXPECT_EQ(FileNameFor("C:\\data\\a b.parquet"), "a_b.parquet");
  EXPECT_EQ(FileNameFor("-rf.csv"), "rf.csv");
  EXPECT_EQ(FileNameFor(".csv"), "csv.csv");
  for (const char* known : {"a.jsonl", "a.ndjson", "a.json", "a.xlsx", "a.csv.bz2", "a.pq", "A.CSV", "a.PARQUET"})
    EXPECT_EQ(FileNameFor(known), known);
  EXPECT_EQ(FileNameFor("a.tsv"), "a.tsv.csv");
  EXPECT_EQ(FileNameFor("a.gz"), "a.csv.gz");
  EXPECT_EQ(FileNameFor("a.TXT.GZ"), "a.TXT.csv.gz");
  for (const char* unreadable : {"a.zip", "a.xls", "a.jsonl.gz", "a.parquet.gz"})  // the reader says what it reads
    EXPECT_EQ(FileNameFor(unreadable), unreadable);
  EXPECT_EQ(FileNameFor(""), "table.csv");
  EXPECT_LE(FileNameFor(std::string(10000, 'x') + ".csv.gz").size(), 90u);
  EXPECT_TRUE(FileNameFor(std::string(10000, 'x') + ".csv.gz").ends_with(".csv.gz"));
}

TEST(Message, IsTakenFromStandardError) {
  const auto [message, hint] = MessageOf("tada: warning: x\ntada: error: What is wrong\ntada: hint: What to do\n");
  EXPECT_EQ(message, "What is wrong");
  EXPECT_EQ(hint, "What to do");
  EXPECT_EQ(MessageOf("").first, "");
}

}  // namespace
}  // namespace tada
