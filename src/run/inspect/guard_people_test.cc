#include "run/inspect/guard_people.h"

#include <gtest/gtest.h>

#include "testing/tables.h"

namespace tada {
namespace {

TEST(GuardPeople, KnowsNamesThatTellPeopleApart) {
  for (const char* name : {"patient_id", "PatientID", "patientid", "person", "Kunden-Nr", "kundennummer", "customer no",
                           "SSN", "id", "user_name", "codice_paziente"}) {
    EXPECT_TRUE(NamesPeople(name)) << name;
  }
  for (const char* name :
       {"age", "patient_age", "customer_segment", "country_id", "width", "client_type", "name_of_drug", "hospital"}) {
    EXPECT_FALSE(NamesPeople(name)) << name;
  }
}

TEST(GuardPeople, LooksForManyValuesThatRepeat) {
  EXPECT_TRUE(RepeatsPeople(testing::MakeTable("id\na\na\nb\nc\nd\n").column(0)));
  EXPECT_FALSE(RepeatsPeople(testing::MakeTable("id\na\nb\nc\nd\n").column(0))) << "all different";
  EXPECT_FALSE(RepeatsPeople(testing::MakeTable("id\na\nb\nc\n_\n_\n").column(0))) << "missing names nobody";
  std::string kinds = "id\n";
  for (int i = 0; i < 400; ++i) kinds += fmt::format("k{}\n", i % 3);
  EXPECT_FALSE(RepeatsPeople(testing::MakeTable(kinds).column(0))) << "three kinds of rows";
}

TEST(GuardPeople, LeavesPlansAloneThatSayWhoThePeopleAre) {
  Plan plan;
  EXPECT_EQ(ColumnsToGuard(plan, {"age", "patient_id"}), std::vector<std::string>{"patient_id"});
  plan.rows_are_people = true;
  EXPECT_TRUE(ColumnsToGuard(plan, {"age", "patient_id"}).empty());
  plan.rows_are_people = false;
  plan.person = {{.name = "zip"}};
  EXPECT_TRUE(ColumnsToGuard(plan, {"age", "patient_id"}).empty());
}

}  // namespace
}  // namespace tada
