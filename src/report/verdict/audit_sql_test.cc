#include "report/verdict/audit_sql.h"

#include <gtest/gtest.h>

#include "table/column_builder.h"

namespace tada {
namespace {

bool Has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

Plan PlanOf(std::vector<std::string> quasi, std::vector<std::string> sensitive) {
  Plan plan;
  for (std::string& name : quasi) plan.quasi.push_back({.name = std::move(name)});
  for (std::string& name : sensitive) plan.sensitive.push_back({.name = std::move(name)});
  plan.requirement.k = 3;
  plan.requirement.l = 2;
  return plan;
}

Column MakeColumn(const std::string& name, const std::vector<std::string>& cells) {
  ColumnBuilder builder(name, {});
  for (const std::string& cell : cells) builder.AppendText(cell);
  return builder.Finish().value();
}

Table TableOf(std::vector<Column> columns) { return Table(std::move(columns)); }

TEST(AuditSql, AsksForKAndForTheLOfEverySensitiveColumn) {
  const Table table = TableOf({MakeColumn("age", {"1"}), MakeColumn("s", {"flu"}), MakeColumn("t", {"x"})});
  const std::string query = AuditSql(table, PlanOf({"age"}, {"s", "t"}), {.table = "out"}).value();
  EXPECT_TRUE(Has(query, "'k' AS \"check\", coalesce(min(size), 0) >= 3 AS passed"));
  EXPECT_TRUE(Has(query, "'l of s' AS \"check\", coalesce(min(l1), 0) >= 2 AS passed"));
  EXPECT_TRUE(Has(query, "'l of t' AS \"check\", coalesce(min(l2), 0) >= 2 AS passed"));
  EXPECT_TRUE(query.ends_with("FROM classes;\n"));
}

TEST(AuditSql, NamesAndTextsCannotEndTheirQuotes) {
  const Table table = TableOf({MakeColumn("a\"; DROP", {"1"}), MakeColumn("s'x", {"flu"})});
  AuditSqlOptions options{.table = "my \"schema\".out", .file = "o'ut\n; DROP.csv", .format = "csv"};
  const std::string query = AuditSql(table, PlanOf({"a\"; DROP"}, {"s'x"}), options).value();
  EXPECT_TRUE(Has(query, "CAST(\"a\"\"; DROP\" AS text)"));
  EXPECT_TRUE(Has(query, "'l of s''x'"));
  EXPECT_TRUE(Has(query, "FROM \"my \"\"schema\"\"\".\"out\"\n"));
  EXPECT_FALSE(Has(query, "\n; DROP"));
}

TEST(AuditSql, FoldsSpellingsOfOneNumberAndOfMissing) {
  Plan plan;
  plan.requirement.missing_counts = true;
  std::vector<FoldPair> pairs = FoldPairs(MakeColumn("s", {"7", "007", "8", "?", ""}), plan);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].text, "?");
  EXPECT_EQ(pairs[0].value, "");
  EXPECT_NE(pairs[1].text, pairs[1].value);
  EXPECT_TRUE(pairs[1].text == "7" || pairs[1].text == "007");
  plan.requirement.missing_counts = false;
  pairs = FoldPairs(MakeColumn("s", {"flu", "Flu", "N/A"}), plan);
  ASSERT_EQ(pairs.size(), 4u);  // the empty text, ?, N/A; and flu, which is Flu
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(pairs[i].value, std::nullopt) << pairs[i].text;
  EXPECT_EQ(pairs[3].text, "flu");
  EXPECT_EQ(pairs[3].value, "Flu");
}

TEST(AuditSql, RefusesWhatTheQueryCannotSay) {
  const Table table = TableOf({MakeColumn("age", {"1"}), MakeColumn("s", {"flu"})});
  Plan plan = PlanOf({"age"}, {"s"});
  plan.requirement.diversity = Diversity::kEntropy;
  EXPECT_FALSE(AuditSql(table, plan, {.table = "out"}).ok());
  plan = PlanOf({"age"}, {});
  plan.controller_column = "s";
  EXPECT_FALSE(AuditSql(table, plan, {.table = "out"}).ok());
}

TEST(AuditSql, NamesTheTableLikeTheFile) {
  EXPECT_EQ(SqlTableName("folder.d/out.csv.gz"), "out");
  EXPECT_EQ(SqlTableName("-"), "release");
  EXPECT_EQ(SqlTableName("postgresql://me@/db?host=%2Ftmp%2Fa&table=research.my%20visits&port=1"),
            "research.my visits");
  EXPECT_EQ(SqlTableName("postgresql://me@/db?table=visits"), "visits");
  EXPECT_EQ(SqlTableName("postgresql://me@/db?host=x"), "release");
  EXPECT_EQ(SqlTableName(".csv"), ".csv");
}

}  // namespace
}  // namespace tada
