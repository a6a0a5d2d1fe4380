#include "run/inspect/inspect.h"

#include <gtest/gtest.h>

#include "testing/tables.h"

namespace tada {
namespace {

std::optional<ColumnRole> RoleOf(std::string_view name) {
  std::string reason;
  return RoleFromName(name, &reason);
}

const ColumnProfile& Find(const Profile& profile, std::string_view name) {
  for (const ColumnProfile& column : profile.columns) {
    if (column.name == name) return column;
  }
  throw std::runtime_error("no such column");
}

/// Thirty people: a number, a name, a postcode with zeros, an age that five share, a disease, a label.
Table People() {
  std::string text = "nr person zip age disease y same\n";
  for (int i = 0; i < 30; ++i) {
    text += fmt::format("{} p{} 0{} {} {} {} x\n", 100 + i, i, 1000 + i % 3, 20 + i / 5, i % 2 == 0 ? "flu" : "_",
                        i % 4 == 0 ? "yes" : "no");
  }
  return testing::MakeTable(text);
}

TEST(RoleFromName, KnowsWordsOfSeveralLanguages) {
  for (const char* name : {"id", "customer_id", "E-Mail", "SSN", "phoneNumber", "Nachname", "prenom", "telefono"}) {
    EXPECT_EQ(RoleOf(name), ColumnRole::kDrop) << name;
  }
  for (const char* name : {"age", "birthDate", "zip_code", "ZIPCODE", "gender", "marital-status", "native-country",
                           "Geschlecht", "geburtsdatum", "edad", "ville", "country_name"}) {
    EXPECT_EQ(RoleOf(name), ColumnRole::kQuasi) << name;
  }
  for (const char* name : {"disease", "Diagnosis", "annual_income", "salary", "default", "krankheit", "revenu"}) {
    EXPECT_EQ(RoleOf(name), ColumnRole::kSensitive) << name;
  }
  for (const char* name : {"y", "label", "class", "target"}) EXPECT_EQ(RoleOf(name), ColumnRole::kLabel) << name;
}

TEST(RoleFromName, DoesNotFindShortWordsInsideOthers) {
  for (const char* name : {"usage", "poutcome", "workers", "var_1", "agent", "humid", ""}) {
    EXPECT_EQ(RoleOf(name), std::nullopt) << name;
  }
}

TEST(Inspect, ProposesRolesFromNamesAndValues) {
  const Profile profile = Inspect(People(), {});
  EXPECT_EQ(profile.rows, 30u);
  EXPECT_EQ(Find(profile, "nr").role, ColumnRole::kDrop);
  EXPECT_EQ(Find(profile, "nr").reason,
            "other unique numbers, codes and texts: \"nr\" in its name, and 30 values for 30 rows");
  EXPECT_EQ(Find(profile, "person").role, ColumnRole::kDrop);
  EXPECT_EQ(Find(profile, "person").uniqueness, 1.0);
  EXPECT_EQ(Find(profile, "zip").role, ColumnRole::kQuasi);
  EXPECT_EQ(Find(profile, "zip").kind, Kind::kCategorical);
  EXPECT_EQ(Find(profile, "age").role, ColumnRole::kQuasi);
  EXPECT_EQ(Find(profile, "age").kind, Kind::kNumeric);
  EXPECT_EQ(Find(profile, "disease").role, ColumnRole::kSensitive);
  EXPECT_EQ(Find(profile, "disease").missing, 15u);
  EXPECT_EQ(Find(profile, "disease").distinct, 1u);
  EXPECT_EQ(Find(profile, "y").role, ColumnRole::kLabel);
  EXPECT_EQ(Find(profile, "same").role, ColumnRole::kDrop);
}

TEST(Inspect, CountsClassesOfTheQuasiIdentifiers) {
  Plan plan;
  plan.requirement.k = 2;
  const Profile profile = Inspect(People(), plan);  // every age has five rows, over three postcodes: 2, 2 and 1
  EXPECT_EQ(profile.classes, 18u);
  EXPECT_EQ(profile.unique_rows, 6u);
  EXPECT_EQ(profile.rows_below_k, 6u);
  EXPECT_EQ(profile.smallest_class, 1u);
  EXPECT_EQ(profile.largest_class, 2u);
  EXPECT_EQ(profile.class_sizes, (std::vector<std::pair<uint64_t, uint64_t>>{{1, 6}, {2, 12}}));
}

TEST(Inspect, RolesThatThePlanNamesWinOverProposals) {
  Plan plan;
  plan.keep = {{.name = "zip"}};
  plan.quasi = {{.name = "disease"}};
  plan.label = {{.name = "age"}};
  const Profile profile = Inspect(People(), plan);
  EXPECT_EQ(Find(profile, "zip").role, ColumnRole::kKeep);
  EXPECT_EQ(Find(profile, "disease").role, ColumnRole::kQuasi);
  EXPECT_TRUE(Find(profile, "disease").given);
  EXPECT_EQ(Find(profile, "y").role, ColumnRole::kQuasi);  // one label is enough
}

TEST(Inspect, AlwaysFindsAQuasiIdentifier) {
  const Profile profile = Inspect(testing::MakeTable("income\n1\n2\n2\n"), {});
  EXPECT_EQ(Find(profile, "income").role, ColumnRole::kQuasi);
}

TEST(Inspect, ATableWithoutRowsHasAProfile) {
  const Profile profile = Inspect(testing::MakeTable("age income\n"), {});
  EXPECT_EQ(profile.rows, 0u);
  EXPECT_EQ(profile.classes, 0u);
}

TEST(DraftPlan, IsAPlanAsItIs) {
  Plan given;
  given.missing = {"", "NA"};
  given.keep = {{.name = "same"}};
  const Profile profile = Inspect(People(), given);
  const std::string toml = DraftPlanToml(profile, given, "people\n.csv");
  const Result<PlanFile> file = ParsePlanFile(toml, "tada.toml");
  ASSERT_TRUE(file.ok()) << file.error().message << toml;
  const Result<Plan> plan = PlanFromFile(*file, {});
  ASSERT_TRUE(plan.ok()) << plan.error().message << toml;
  ASSERT_EQ(plan->quasi.size(), 2u);
  EXPECT_EQ(plan->quasi[0].name, "zip");
  EXPECT_EQ(plan->quasi[0].kind, Kind::kCategorical);
  EXPECT_EQ(plan->keep[0].name, "same");
  EXPECT_EQ(plan->requirement.k, 5);
  EXPECT_EQ(plan->requirement.l, 2);
  EXPECT_EQ(plan->missing, given.missing);
}

TEST(DraftPlan, AsksForNoMoreThanTheTableCanGive) {
  const Profile profile = Inspect(testing::MakeTable("age disease\n1 flu\n2 flu\n2 flu\n"), {});
  const Result<PlanFile> file = ParsePlanFile(DraftPlanToml(profile, {}, "small.csv"), "tada.toml");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->values.Integer("k", 0), 3);
  EXPECT_EQ(file->values.Integer("l", 0), 1);
}

}  // namespace
}  // namespace tada
