#include "plan/policy.h"

#include <gtest/gtest.h>

#include <fstream>

#include "plan/plan.h"

namespace tada {
namespace {

TEST(Policy, RiskNeedsAtLeastAsManyPeople) {
  for (const auto& [profile, k] : std::initializer_list<std::pair<const char*, int64_t>>{
           {"risk:0.09", 12}, {"risk:0.1", 10}, {"risk:0.2", 5}, {"risk:0.333", 4}, {"risk:1", 1}, {"risk:0.05", 20}}) {
    const Result<Policy> policy = ReadPolicy(profile);
    ASSERT_TRUE(policy.ok()) << profile;
    EXPECT_EQ(policy->k, k) << profile;
  }
  for (const char* wrong : {"risk:0", "risk:-1", "risk:2", "risk:", "risk:x"})
    EXPECT_FALSE(ReadPolicy(wrong).ok()) << wrong;
}

TEST(Policy, KnowsThoseThatHaveNames) {
  EXPECT_EQ(ReadPolicy("cms")->k, 11);
  EXPECT_TRUE(ReadPolicy("hipaa-safe-harbor")->no_pseudonyms);
  EXPECT_TRUE(ReadPolicy("")->name.empty());
  EXPECT_TRUE(ReadPolicy("")->Rules().empty());
  EXPECT_FALSE(ReadPolicy("no-such-policy").ok());
}

OptionValues Asked(std::initializer_list<std::pair<const char*, const char*>> options) {
  OptionValues values;
  values.Set("quasi", std::vector<std::string>{"age"});
  for (const auto& [name, text] : options) values.Set(name, std::vector<std::string>{text});
  return values;
}

TEST(Policy, SetsWhatIsNotGivenAndRefusesWhatIsWeaker) {
  EXPECT_EQ(PlanFromValues(Asked({{"profile", "cms"}}))->requirement.k, 11);
  EXPECT_EQ(PlanFromValues(Asked({{"profile", "cms"}, {"k", "20"}}))->requirement.k, 20);
  EXPECT_FALSE(PlanFromValues(Asked({{"profile", "cms"}, {"k", "10"}})).ok());
  EXPECT_FALSE(PlanFromValues(Asked({{"profile", "hipaa-safe-harbor"}, {"pseudonym", "id"}})).ok());
}

TEST(Pseudonyms, NamePeopleUnlessSomebodyElseDoes) {
  const Result<Plan> plan = PlanFromValues(Asked({{"pseudonym", "id"}}));
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  ASSERT_EQ(plan->person.size(), 1u);
  EXPECT_EQ(plan->person[0].name, "id");
  EXPECT_EQ(plan->requirement.persons, Persons::kTogether);
  EXPECT_EQ(PlanFromValues(Asked({{"pseudonym", "id"}, {"person", "patient"}}))->person[0].name, "patient");
  EXPECT_FALSE(PlanFromValues(Asked({{"shift-dates", "visit"}})).ok()) << "needs a person";
  EXPECT_FALSE(PlanFromValues(Asked({{"pseudonym", "age"}})).ok()) << "two roles";
  EXPECT_EQ(PlanFromValues(Asked({{"person", "id"}, {"shift-dates", "visit:month"}}))->shift_dates[0].resolution,
            "month");
}

}  // namespace
}  // namespace tada
