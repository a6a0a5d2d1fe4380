#include "attack/attack.h"

#include <gtest/gtest.h>

#include "testing/tables.h"

namespace tada {
namespace {

using testing::MakeTable;

AttackResult Attacked(const Table& release, const Table& original, AttackOptions options) {
  const Workers workers(2);
  NoProgress progress;
  Result<AttackResult> result = Attack(release, original, options, workers, progress);
  if (!result.ok()) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}

// Six people; classes {20,21}, {30,31} in CA, {40} twice in TX.
Table Original() {
  return MakeTable(
      "age state ill\n"
      "20 CA flu\n21 CA flu\n30 CA flu\n31 CA cold\n40 TX cold\n40 TX gout\n");
}
Table Released() {
  return MakeTable(
      "age:categorical state ill\n"
      "[20,21] CA flu\n[20,21] CA flu\n[30,31] CA flu\n[30,31] CA cold\n40 TX cold\n40 TX gout\n");
}

TEST(Attack, FindsRowsByTheSizeOfTheirClasses) {
  const AttackFigures all = Attacked(Released(), Original(), {.quasi = {"age", "state"}, .sensitive = {"ill"}}).all;
  EXPECT_EQ(all.people, 6u);
  EXPECT_EQ(all.kinds, 5u);  // the two who are 40 cannot be told apart
  EXPECT_DOUBLE_EQ(all.prosecutor_average, 0.5);
  EXPECT_DOUBLE_EQ(all.prosecutor_highest, 0.5);
  EXPECT_DOUBLE_EQ(all.journalist_average, 0.5);
  EXPECT_DOUBLE_EQ(all.single, 0);
  EXPECT_DOUBLE_EQ(all.class_found, 1);
  EXPECT_DOUBLE_EQ(all.matched, 1);
}

TEST(Attack, GuessesTheCommonestValueOfAClassAndSharesTies) {
  // Blind: flu, right for 3 of 6. With the release: flu is certain for two; in the other classes a coin is thrown.
  const Disclosure found =
      Attacked(Released(), Original(), {.quasi = {"age", "state"}, .sensitive = {"ill"}}).all.disclosure[0];
  EXPECT_DOUBLE_EQ(found.baseline, 0.5);
  EXPECT_DOUBLE_EQ(found.guessed, (2 + 4 * 0.5) / 6);
  EXPECT_DOUBLE_EQ(found.certain, 2.0 / 6);
}

TEST(Attack, ARawTableGivesAwayWhoeverIsUnique) {
  const AttackFigures all = Attacked(Original(), Original(), {.quasi = {"age", "state"}, .sensitive = {"ill"}}).all;
  EXPECT_DOUBLE_EQ(all.single, 4.0 / 6);
  EXPECT_DOUBLE_EQ(all.prosecutor_highest, 1);
  EXPECT_DOUBLE_EQ(all.prosecutor_average, (4 * 1 + 2 * 0.5) / 6);
  EXPECT_DOUBLE_EQ(all.disclosure[0].guessed, (4 + 2 * 0.5) / 6);
}

TEST(Attack, OverlappingClassesHideTheClassAndAddTheirRows) {
  const Table release = MakeTable(
      "age:categorical state ill\n"
      "[20,30] CA flu\n[20,30] CA flu\n[21,31] CA flu\n[21,31] CA cold\n40 TX cold\n40 TX gout\n");
  const AttackFigures all = Attacked(release, Original(), {.quasi = {"age", "state"}, .sensitive = {"ill"}}).all;
  // 20 is in the first class only, 21 and 30 in both, 31 in the second only.
  EXPECT_DOUBLE_EQ(all.prosecutor_average, (0.5 + 0.25 + 0.25 + 0.5 + 0.5 + 0.5) / 6);
  EXPECT_DOUBLE_EQ(all.class_found, 4.0 / 6);
  // The journalist suspects 20, 21 and 30 behind the first class, 21, 30 and 31 behind the second.
  EXPECT_DOUBLE_EQ(all.journalist_average, (2 * 1.0 / 3 + 2 * 1.0 / 3 + 2 * 0.5) / 6);
}

TEST(Attack, WhoKnowsLessFindsLess) {
  const AttackResult result =
      Attacked(Released(), Original(), {.quasi = {"age", "state"}, .sensitive = {"ill"}, .subset_size = 2});
  ASSERT_EQ(result.subsets.size(), 2u);  // age, state; both together are `all`
  EXPECT_EQ(result.subsets[1].known, std::vector<std::string>{"state"});
  EXPECT_DOUBLE_EQ(result.subsets[1].prosecutor_average, (4 * 0.25 + 2 * 0.5) / 6);
  EXPECT_DOUBLE_EQ(result.subsets[1].membership_advantage(), 0);  // one column: made-up people have its values too
}

TEST(Attack, APopulationMakesTheJournalistWeakerAndShowsWhoIsNotInIt) {
  const Table population = MakeTable("age state\n20 CA\n21 CA\n30 CA\n31 CA\n40 TX\n40 TX\n20 CA\n50 TX\n");
  const AttackFigures all =
      Attacked(Released(), Original(), {.quasi = {"age", "state"}, .sensitive = {}, .population = &population}).all;
  EXPECT_DOUBLE_EQ(all.others_matched, 0.5);  // the second 20 in CA matches, 50 in TX does not
  EXPECT_DOUBLE_EQ(all.membership_advantage(), 0.5);
  EXPECT_DOUBLE_EQ(all.journalist_average, (2 * 1.0 / 3 + 2 * 0.5 + 2 * 0.5) / 6);
}

TEST(Attack, TheJournalistFindsNoMoreThanTheProsecutor) {
  // A population of one person whom a class covers, and nobody whom the others cover.
  const Table few = MakeTable("age state\n20 CA\n");
  const AttackFigures found =
      Attacked(Released(), Original(), {.quasi = {"age", "state"}, .sensitive = {}, .population = &few}).all;
  EXPECT_DOUBLE_EQ(found.journalist_highest, 0.5);
  EXPECT_DOUBLE_EQ(found.journalist_average, 2 * 0.5 / 6);
}

TEST(Attack, MasksAndSetsOfOtherToolsAreRead) {
  const Table release = MakeTable(
      "age:categorical state ill\n20-31 {CA} flu\n20-31 {CA} flu\n20-31 {CA} flu\n20-31 {CA} cold\n* * cold\n* * "
      "gout\n");
  const AttackFigures all = Attacked(release, Original(), {.quasi = {"age", "state"}, .sensitive = {"ill"}}).all;
  EXPECT_DOUBLE_EQ(all.prosecutor_average, (4 * 1.0 / 6 + 2 * 0.5) / 6);
}

TEST(Attack, LabelsOfAHierarchyAreNoted) {
  const Table release =
      MakeTable("age:categorical state ill\n* west flu\n* west flu\n* west flu\n* west cold\n* TX cold\n* TX gout\n");
  const AttackResult result = Attacked(release, Original(), {.quasi = {"age", "state"}, .sensitive = {"ill"}});
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("state"), std::string::npos);
}

TEST(Attack, AColumnThatIsNotThereIsRefusedWithAProposal) {
  const Workers workers(1);
  NoProgress progress;
  const auto result = Attack(Released(), Original(), {.quasi = {"agee"}}, workers, progress);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().hint, "Did you mean 'age'?");
}

TEST(Attack, SamplesWhoIsAttackedAndNeverWhoIsSuspected) {
  const Table population = MakeTable("age state\n20 CA\n21 CA\n30 CA\n31 CA\n40 TX\n40 TX\n20 CA\n50 TX\n");
  for (const Table* given : {static_cast<const Table*>(nullptr), &population}) {
    AttackOptions options{.quasi = {"age", "state"}, .sensitive = {"ill"}, .subset_size = 1, .population = given};
    const AttackResult everybody = Attacked(Released(), Original(), options);
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      options.max_people = 1;
      options.seed = seed;
      const AttackResult one = Attacked(Released(), Original(), options);
      EXPECT_EQ(one.all.people, 1u);
      EXPECT_DOUBLE_EQ(one.all.journalist_average, everybody.all.journalist_average);
      EXPECT_DOUBLE_EQ(one.all.journalist_highest, everybody.all.journalist_highest);
      EXPECT_DOUBLE_EQ(one.subsets[1].journalist_average, everybody.subsets[1].journalist_average);
      // Without the release flu is guessed, the commonest of the whole table, and it is right or not.
      const double baseline = one.all.disclosure[0].baseline;
      EXPECT_TRUE(baseline == 0 || baseline == 1) << baseline;
    }
  }
}

TEST(Attack, AClassIsFoundOnlyIfAllQuasiIdentifiersOfTheCandidatesAreAlike) {
  const AttackResult result =
      Attacked(Released(), Original(), {.quasi = {"age", "state"}, .sensitive = {}, .subset_size = 1});
  ASSERT_EQ(result.subsets.size(), 2u);
  EXPECT_DOUBLE_EQ(result.subsets[0].class_found, 1);        // every age is in one class
  EXPECT_DOUBLE_EQ(result.subsets[1].class_found, 2.0 / 6);  // TX has one class, CA has two
}

TEST(Attack, ATableWithoutRowsIsRefusedByItsRole) {
  const Workers workers(1);
  NoProgress progress;
  const Table empty = MakeTable("age state ill\n");
  const AttackOptions plain{.quasi = {"age", "state"}}, populated{.quasi = {"age", "state"}, .population = &empty};
  const auto message = [&](const Table& release, const Table& original, const AttackOptions& options) {
    const auto result = Attack(release, original, options, workers, progress);
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::kData);
    return result.error().message;
  };
  EXPECT_EQ(message(empty, Original(), plain), "The release has no rows");
  EXPECT_EQ(message(Released(), empty, plain), "The original has no rows");
  EXPECT_EQ(message(Released(), Original(), populated), "The population has no rows");
}

TEST(Attack, ASampleOfThePeopleIsNoted) {
  const AttackResult result =
      Attacked(Released(), Original(), {.quasi = {"age", "state"}, .sensitive = {"ill"}, .max_people = 3});
  EXPECT_TRUE(result.sampled);
  EXPECT_EQ(result.all.people, 3u);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("A sample of 3 of 6 people"), std::string::npos);
}

// Two people with two rows each stand in two classes; by one row everybody is hidden among two, by both rows nobody is.
TEST(Attack, CountsPeopleAndKnowsAllOfTheirRows) {
  const Table original = MakeTable("age who\n20 a\n21 b\n40 a\n41 c\n60 b\n61 c\n");
  const Table release = MakeTable("age:categorical\n[20,21]\n[20,21]\n[40,41]\n[40,41]\n[60,61]\n[60,61]\n");
  const AttackFigures all = Attacked(release, original, {.quasi = {"age"}, .person = {"who"}}).all;
  EXPECT_DOUBLE_EQ(all.prosecutor_highest, 0.5);
  ASSERT_TRUE(all.by_all_rows);
  EXPECT_EQ(all.by_all_rows->people, 3u);
  EXPECT_EQ(all.by_all_rows->fewest, 1u);
  EXPECT_DOUBLE_EQ(all.by_all_rows->alone, 1);
  const Table together = MakeTable("age:categorical\n[20,61]\n[20,61]\n[20,61]\n[20,61]\n[20,61]\n[20,61]\n");
  const AttackFigures hidden = Attacked(together, original, {.quasi = {"age"}, .person = {"who"}}).all;
  EXPECT_EQ(hidden.by_all_rows->fewest, 3u);
  EXPECT_DOUBLE_EQ(hidden.prosecutor_highest, 1.0 / 3) << "six rows, but three people";
  EXPECT_FALSE(Attacked(release, original, {.quasi = {"age"}}).all.by_all_rows);
}

}  // namespace
}  // namespace tada
