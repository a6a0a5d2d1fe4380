#include "compose/compose.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "audit/original/box_join.h"
#include "base/option_mark.h"
#include "base/random.h"
#include "report/compose_text.h"
#include "testing/tables.h"

namespace tada {
namespace {

// Releases of two hospitals, each (2,2)-anonymous. p2 and p4 were in both.
Table North() {
  return testing::MakeTable(
      "age:categorical zip:categorical disease who\n"
      "[20,30]         1               flu     p1\n"
      "[20,30]         1               hiv     p2\n"
      "[31,40]         1               flu     p3\n"
      "[31,40]         1               cold    p4\n");
}
Table South() {
  return testing::MakeTable(
      "age:categorical zip:categorical disease who\n"
      "[25,35]         1               hiv     p2\n"
      "[25,35]         1               cold    p4\n"
      "[50,60]         2               flu     q1\n"
      "[50,60]         2               cold    q2\n");
}

ComposeOptions Asked(int64_t k, int64_t l, std::string key = "") {
  ComposeOptions options;
  options.quasi = {"age", "zip"};
  options.sensitive = {"disease"};
  options.requirement = {.k = k, .l = l};
  options.key = std::move(key);
  return options;
}

Result<Composition> TryCompose(const std::vector<const Table*>& tables, const ComposeOptions& options) {
  std::vector<ComposedRelease> releases;
  for (size_t i = 0; i < tables.size(); ++i)
    releases.push_back({std::string(1, static_cast<char>('a' + i)), tables[i]});
  return Compose(releases, options, Workers(1));
}

Composition Composed(const std::vector<const Table*>& tables, const ComposeOptions& options) {
  Result<Composition> result = TryCompose(tables, options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return std::move(result).value();
}

TEST(Compose, AKeyShowsWhoIsLeftWithOneValue) {
  const Table north = North(), south = South();
  const Composition both = Composed({&north, &south}, Asked(2, 2, "who"));
  EXPECT_FALSE(both.passed);
  EXPECT_EQ(both.people, 2u);  // p2: {flu,hiv} and {hiv,cold}; p4: {flu,cold} and {hiv,cold}
  EXPECT_EQ(both.people_below, 2u);
  EXPECT_EQ(both.regions, 2u);
  EXPECT_EQ(both.k, 1u);
  EXPECT_EQ(both.l, 1u);
  ASSERT_EQ(both.worst.size(), 2u);
  EXPECT_EQ(both.worst[0].person, "p2");
  EXPECT_EQ(both.worst[0].values_left[0].second, (std::vector<std::string>{"hiv"}));
  EXPECT_EQ(both.worst[0].parts[0].rows_left, 1u);
  EXPECT_EQ(both.worst[0].parts[0].rows, 2u);
  EXPECT_EQ(both.worst[1].values_left[0].second, (std::vector<std::string>{"cold"}));
  EXPECT_EQ(both.releases[0].k, 2u);
  EXPECT_EQ(both.releases[0].l, 2u);
  EXPECT_EQ(both.releases[0].rows_at_risk, 4u);
  EXPECT_EQ(both.releases[1].rows_at_risk, 2u);
}

TEST(Compose, WithoutAKeyEveryOverlapIsLookedAt) {
  const Table north = North(), south = South();
  const Composition both = Composed({&north, &south}, Asked(2, 2));
  EXPECT_FALSE(both.passed);
  EXPECT_EQ(both.regions, 2u);  // [20,30] and [31,40] each meet [25,35]; nothing meets [50,60]
  EXPECT_EQ(both.regions_below, 2u);
  EXPECT_EQ(both.regions_below_l, 2u);
  EXPECT_EQ(both.k, 1u);
  EXPECT_EQ(both.l, 1u);
  EXPECT_EQ(both.people, 0u);
  EXPECT_TRUE(Composed({&north, &south}, Asked(1, 1)).passed);
}

TEST(Compose, ClassesThatShareNoValueShareNobody) {
  const Table a = testing::MakeTable("age disease\n1 flu\n1 cold\n");
  const Table b = testing::MakeTable("age disease\n1 hiv\n1 tbc\n");
  ComposeOptions options = Asked(2, 2);
  options.quasi = {"age"};
  const Composition both = Composed({&a, &b}, options);
  EXPECT_EQ(both.regions, 0u);
  EXPECT_TRUE(both.passed);
}

TEST(Compose, KeepsWhatSeveralPeopleShare) {
  const Table a = testing::MakeTable("age who disease\n1 p1 x\n1 p2 y\n1 p3 z\n");
  const Table b = testing::MakeTable("age who disease\n1 p1 x\n1 p2 y\n1 q3 w\n");
  ComposeOptions options = Asked(2, 2, "who");
  options.quasi = {"age"};
  const Composition both = Composed({&a, &b}, options);
  EXPECT_TRUE(both.passed);
  EXPECT_EQ(both.k, 2u);  // x and y remain; p1 and p2 are in both
  EXPECT_EQ(both.l, 2u);
  EXPECT_EQ(both.regions, 1u);
  EXPECT_EQ(both.people, 2u);
}

TEST(Compose, PeopleInThreeReleasesAreSeenInAllThree) {
  const Table a = testing::MakeTable("age who disease\n1 p1 x\n1 p2 y\n1 p3 z\n");
  const Table b = testing::MakeTable("age who disease\n1 p1 x\n1 p2 y\n1 q3 z\n");
  const Table c = testing::MakeTable("age who disease\n1 p1 x\n1 r2 z\n1 r3 v\n");
  ComposeOptions options = Asked(2, 2, "who");
  options.quasi = {"age"};
  const Composition all = Composed({&a, &b, &c}, options);
  // p1 in a, b, c: x and z remain, but p1 is the only one in all three. p2 in a and b: x, y, z remain, p1 is there too.
  EXPECT_EQ(all.regions, 2u);
  EXPECT_EQ(all.people, 2u);
  EXPECT_EQ(all.k, 1u);
  EXPECT_EQ(all.l, 2u);
  EXPECT_EQ(all.people_below, 1u);
  EXPECT_EQ(all.worst[0].person, "p1");
}

TEST(Compose, RulingOutOneColumnRulesOutValuesOfAnother) {
  // Disease x is only in a; whoever is in both earns 10, and of those rows only one disease is left.
  const Table a = testing::MakeTable("age disease pay\n1 x 10\n1 y 20\n1 z 20\n");
  const Table b = testing::MakeTable("age pay\n1 10\n1 10\n1 30\n");
  ComposeOptions options = Asked(1, 2);
  options.quasi = {"age"};
  options.sensitive = {"disease", "pay"};
  const Composition both = Composed({&a, &b}, options);
  EXPECT_EQ(both.l, 1u);
  EXPECT_EQ(both.k, 1u);
  EXPECT_EQ(both.worst[0].values_left[0].second, (std::vector<std::string>{"x"}));
  EXPECT_EQ(both.worst[0].values_left[1].second, (std::vector<std::string>{"10"}));
}

TEST(Compose, PeopleWhoseValueChangedAreCountedNotJudged) {
  const Table a = testing::MakeTable("age who disease\n1 p1 x\n1 p2 y\n");
  const Table b = testing::MakeTable("age who disease\n1 p1 y\n1 q2 x\n");
  ComposeOptions options = Asked(2, 2, "who");
  options.quasi = {"age"};
  const Composition both = Composed({&a, &b}, options);
  EXPECT_EQ(both.people, 1u);
  EXPECT_EQ(both.people_changed, 1u);
  EXPECT_EQ(both.regions, 0u);
}

TEST(Compose, ReadsSetsMasksOpenEndsNumbersAndMissing) {
  struct Case {
    const char *left, *right;
    bool overlap;
  };
  const Case names[] = {{"{a,c}", "b", false},     {"{a,c}", "{b,c}", true}, {"*", "b", true},  {"b", "b", true},
                        {"{a,c}", "{b,d}", false}, {"{\"\",a}", "?", true},  {"_", "a", false}, {"47*", "471", true}};
  for (const Case& one : names) {
    const Table a = testing::MakeTable(std::string("q:categorical s\n") + one.left + " x\n");
    const Table b = testing::MakeTable(std::string("q:categorical s\n") + one.right + " x\n");
    ComposeOptions options = Asked(1, 1);
    options.quasi = {"q"};
    options.sensitive = {"s"};
    EXPECT_EQ(Composed({&a, &b}, options).regions, one.overlap ? 1u : 0u) << one.left << " " << one.right;
  }
  const Case numbers[] = {{"[20,30]", "[30,40]", true}, {"[20,30)", "[30,40]", false},
                          {"[20,30]", "7", false},      {"25.0", "[20,30]", true},
                          {"[20,30]", "_", false},      {"*", "_", true},
                          {">=50", "60", true},         {"7", "007", true}};
  for (const Case& one : numbers) {
    const Table a = testing::MakeTable(std::string("q:categorical s\n") + one.left + " x\n1 y\n2 y\n3 y\n");
    const Table b = testing::MakeTable(std::string("q:categorical s\n") + one.right + " x\n");
    ComposeOptions options = Asked(1, 1);
    options.quasi = {"q"};
    options.sensitive = {"s"};
    EXPECT_EQ(Composed({&a, &b}, options).regions, one.overlap ? 1u : 0u) << one.left << " " << one.right;
  }
}

// Whether a class with one cell and a class with another may share a person.
bool MayShare(const std::string& left, const std::string& right, std::vector<std::string>* notes = nullptr) {
  const Table a = testing::MakeTable("q:categorical s\n" + left + " x\n" + left + " y\n");
  const Table b = testing::MakeTable("q:categorical s\n" + right + " x\n" + right + " z\n");
  ComposeOptions options = Asked(1, 1);
  options.quasi = {"q"};
  options.sensitive = {"s"};
  const Composition both = Composed({&a, &b}, options), turned = Composed({&b, &a}, options);
  EXPECT_EQ(both.regions, turned.regions) << left << " " << right;
  if (notes != nullptr) *notes = both.notes;
  return both.regions > 0;
}

TEST(Compose, ComparesCellsOfDifferentForms) {
  struct Case {
    const char *left, *right;
    bool overlap;
  };
  const Case cases[] = {
      {"[20,30]", "{25,35}", true},
      {"[20,30]", "{15,35}", false},
      {"[20,30]", "{30,40}", true},
      {"[20,30)", "{30,40}", false},
      {"20-30", "{25,35}", true},
      {"20~30", "{25,35}", true},
      {">=30", "{25,35}", true},
      {"<25", "{25,35}", false},
      {"{7,x}", "007", true},
      {"[2024-01-01,2024-03-01]", "{2023-05-05,2024-02-29}", true},
      {"[2024-01-01,2024-03-01]", "{2023-05-05,2024-04-29}", false},
      {"4*6", "47*", true},
      {"4*6", "5*6", false},
      {"47*", "{471,480}", true},
      {"47*", "{481,480}", false},
      {"{a;b}", "b", true},
      {"{a,b}", "{\"{a,b}\",c}", true},
      {"{11-20,21-30}", "21-30", true},
      {"{11-20,21-30}", "41-50", false},
      {"{\"\",5}", "_", true},
      {"555-123", "{555-123,a}", true},
      {"555-123", "{777-123,a}", false},
      {"é*", "*x", true},
  };
  for (const Case& one : cases) EXPECT_EQ(MayShare(one.left, one.right), one.overlap) << one.left << " " << one.right;
}

TEST(Compose, TakesCellsThatCannotBeComparedToOverlapAndSaysSo) {
  std::vector<std::string> notes;
  for (const auto& [left, right] : std::vector<std::pair<const char*, const char*>>{{"2*", "[25,35]"},
                                                                                    {"adult", "[25,35]"},
                                                                                    {"adult", "{25,35}"},
                                                                                    {"2024", "{2024-01-01,2024-02-02}"},
                                                                                    {"2024-02", "2024-02-03"},
                                                                                    {"[30,20]", "25"},
                                                                                    {"{20;x}", "[1,2]"}}) {
    EXPECT_TRUE(MayShare(left, right, &notes)) << left << " " << right;
    ASSERT_EQ(notes.size(), 1u) << left << " " << right;
    EXPECT_NE(notes[0].find("overlap with everything"), std::string::npos);
  }
}

TEST(Compose, NotesNamesThatMayBeLabels) {
  std::vector<std::string> notes;
  EXPECT_FALSE(MayShare("Europe", "{France,Spain}", &notes));
  ASSERT_GE(notes.size(), 1u);
  EXPECT_NE(notes[0].find("such as Europe"), std::string::npos);
  EXPECT_TRUE(MayShare("France", "{France,Spain}", &notes));
  EXPECT_TRUE(notes.empty());
}

TEST(Compose, AReleaseWithoutASensitiveColumnHasNoLToBreak) {
  const Table a = testing::MakeTable("age s\n1 x\n1 y\n"), b = testing::MakeTable("age t\n1 u\n1 v\n");
  const Table c = testing::MakeTable("age w\n1 5\n1 6\n");
  ComposeOptions options = Asked(2, 2);
  options.quasi = {"age"};
  options.sensitive = {"s"};
  const Composition one = Composed({&a, &b, &c}, options);
  EXPECT_TRUE(one.passed);  // what is known of s stays {x,y}; b and c say nothing of it, together neither
  EXPECT_EQ(one.regions, 3u);
  EXPECT_EQ(one.l, 2u);
  EXPECT_EQ(one.regions_by_l, (std::vector<std::pair<uint64_t, uint64_t>>{{2, 2}}));
  EXPECT_EQ(one.releases[1].l, 0u);
  ASSERT_EQ(one.notes.size(), 3u);
  EXPECT_EQ(one.notes[0], "b has no sensitive column and so no l of its own.");
  EXPECT_EQ(one.notes[1], "c has no sensitive column and so no l of its own.");
  EXPECT_NE(one.notes[2].find("Without " TADA_OPTION("overlap-key")), std::string::npos);
  const auto json = nlohmann::json::parse(ComposeJson(one));
  EXPECT_EQ(json["l"], 2);
  EXPECT_TRUE(json["releases"][1]["l"].is_null());
  EXPECT_TRUE(json["worst"][2]["l"].is_null());
  options.sensitive = {"s", "t"};
  EXPECT_TRUE(Composed({&a, &b}, options).passed);
  options.sensitive = {"s"};
  options.requirement.l = 3;
  const Composition below = Composed({&a, &c}, options);
  ASSERT_EQ(below.problems.size(), 2u);  // a by itself, and with c
  EXPECT_EQ(below.problems[0], "a breaks the requirement by itself: k=2, l=2.");
}

TEST(Compose, WithoutSensitiveColumnsNoLIsShown) {
  const Table a = testing::MakeTable("age s\n1 x\n1 y\n"), b = testing::MakeTable("age s\n1 x\n1 z\n");
  ComposeOptions options = Asked(2, 1);
  options.quasi = {"age"};
  options.sensitive = {};
  const Composition both = Composed({&a, &b}, options);
  EXPECT_TRUE(both.passed);
  EXPECT_NE(ComposeText(both).find("effective k=2\n"), std::string::npos) << ComposeText(both);
  EXPECT_EQ(ComposeText(both).find("l=0"), std::string::npos) << ComposeText(both);
  EXPECT_TRUE(nlohmann::json::parse(ComposeJson(both))["l"].is_null());
}

TEST(Compose, GivesUpAtItsLimitAndSaysSo) {
  const Table north = North(), south = South();
  ComposeOptions options = Asked(1, 1);
  options.pair_limit = 1;
  const Composition both = Composed({&north, &south}, options);
  EXPECT_FALSE(both.passed);
  ASSERT_FALSE(both.problems.empty());
  EXPECT_NE(both.problems[0].find("Undecided"), std::string::npos);
}

TEST(Compose, NamesWhatIsWrongWithItsInput) {
  const Table north = North(), south = South();
  EXPECT_EQ(TryCompose({&north}, Asked(2, 2)).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(TryCompose({&north, &south}, Asked(2, 2, "nobody")).error().code, ErrorCode::kInvalidArgument);
  ComposeOptions options = Asked(2, 2);
  options.quasi = {"agee"};
  EXPECT_NE(TryCompose({&north, &south}, options).error().hint.find("age"), std::string::npos);
  const Table twice = testing::MakeTable("age:categorical zip:categorical disease who\n1 1 x p\n2 1 y p\n");
  const auto error = TryCompose({&north, &twice}, Asked(2, 2, "who")).error();
  EXPECT_EQ(error.code, ErrorCode::kData);
  EXPECT_NE(error.message.find("rows 1 and 2"), std::string::npos);
}

TEST(Compose, SeveralRowsOfAPersonAreOnePerson) {
  const Table first =
      testing::MakeTable("age:categorical zip:categorical disease who\n1 1 flu p\n1 1 cold p\n1 1 flu q\n1 1 cold q\n");
  const Table second =
      testing::MakeTable("age:categorical zip:categorical disease who\n1 1 cold p\n1 1 flu p\n1 1 flu q\n1 1 cold q\n");
  const Composition both = Composed({&first, &second}, Asked(3, 2, "who"));
  EXPECT_EQ(both.people, 2u);
  EXPECT_EQ(both.people_changed, 0u) << "the same values, in another order";
  EXPECT_EQ(both.k, 2u) << "four rows, but two people";
}

TEST(Compose, TextAndJsonSayTheSame) {
  const Table north = North(), south = South();
  const Composition both = Composed({&north, &south}, Asked(2, 2, "who"));
  EXPECT_EQ(ComposeText(both).find("FAILED: 2 releases together"), 0u);
  EXPECT_NE(ComposeText(both).find("2 people in more than one release; 2 fall below"), std::string::npos);
  const auto json = nlohmann::json::parse(ComposeJson(both));
  EXPECT_EQ(json["passed"], false);
  EXPECT_EQ(json["k"], 1);
  EXPECT_EQ(json["l"], 1);
  EXPECT_EQ(json["people"]["below"], 2);
  EXPECT_EQ(json["worst"][0]["values_left"]["disease"], nlohmann::json({"hiv"}));
}

BoxList RandomBoxes(uint64_t seed, size_t count, uint64_t places, uint64_t longest) {
  Random random(seed);
  BoxList list = BoxList::Of(3, count);
  for (size_t i = 0; i < count * 3; ++i) {
    list.low[i] = static_cast<int32_t>(random.Below(places));
    list.high[i] = list.low[i] + static_cast<int32_t>(random.Below(longest));
  }
  return list;
}

using PairSet = std::multiset<std::pair<uint32_t, uint32_t>>;

PairSet JoinedBoxes(const BoxList& a, const BoxList& b, int threads) {
  PairSet found;
  std::mutex one;
  JoinBoxes(a, b, UINT64_MAX, Workers(threads), [&](BoxPairs pairs) {
    const std::lock_guard lock(one);
    found.insert(pairs.begin(), pairs.end());
  });
  return found;
}

PairSet OverlappingBoxes(const BoxList& a, const BoxList& b) {
  const std::vector<int32_t>& a_high = a.high.empty() ? a.low : a.high;
  PairSet expected;
  for (uint32_t i = 0; i < a.count; ++i) {
    for (uint32_t j = 0; j < b.count; ++j) {
      bool overlap = true;
      for (size_t c = 0; c < a.num_columns; ++c) {
        overlap &=
            a.low[c * a.count + i] <= b.high[c * b.count + j] && b.low[c * b.count + j] <= a_high[c * a.count + i];
      }
      if (overlap) expected.emplace(i, j);
    }
  }
  return expected;
}

TEST(BoxJoin, FindsWhatComparingAllPairsFindsOnceEach) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const BoxList a = RandomBoxes(seed, 900, 40, 1 + seed), b = RandomBoxes(seed + 1000, 250, 40, 1 + seed / 2);
    EXPECT_EQ(JoinedBoxes(a, b, 1), OverlappingBoxes(a, b)) << seed;
  }
}

TEST(BoxJoin, FindsThemWhereEndsAreOpen) {
  using Limits = std::numeric_limits<int32_t>;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    BoxList a = RandomBoxes(seed, 500, 1000, 20), b = RandomBoxes(seed + 1000, 500, 1000, 20);
    Random random(seed);
    for (size_t n = 0; n < 300; ++n) {
      a.low[random.Below(a.low.size())] = Limits::min();
      a.high[random.Below(a.high.size())] = Limits::max();
      b.low[random.Below(b.low.size())] = Limits::min();
      b.high[random.Below(b.high.size())] = Limits::max();
    }
    EXPECT_EQ(JoinedBoxes(a, b, 1), OverlappingBoxes(a, b)) << seed;
  }
}

TEST(BoxJoin, FindsTheBoxesOfPointsAndNoEmptyOnes) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    BoxList points = RandomBoxes(seed, 2000, 60, 1), boxes = RandomBoxes(seed + 1000, 400, 60, 30);
    points.high.clear();
    for (size_t i = 0; i < 50; ++i) {
      boxes.low[i] = 0;
      boxes.high[i] = -1;
    }
    EXPECT_EQ(JoinedBoxes(points, boxes, 1), OverlappingBoxes(points, boxes)) << seed;
  }
}

TEST(BoxJoin, FindsThemWithSeveralWorkersToo) {
  BoxList points = RandomBoxes(1, 40000, 60, 1), boxes = RandomBoxes(2, 3000, 60, 8);  // enough to be shared
  points.high.clear();
  EXPECT_EQ(JoinedBoxes(points, boxes, 4), JoinedBoxes(points, boxes, 1));
  const BoxList a = RandomBoxes(3, 12000, 2, 3), b = RandomBoxes(4, 8000, 2, 3);  // no cut helps
  std::atomic<uint64_t> one = 0, four = 0;
  JoinBoxes(a, b, UINT64_MAX, Workers(1), [&](BoxPairs pairs) { one += pairs.size(); });
  JoinBoxes(a, b, UINT64_MAX, Workers(4), [&](BoxPairs pairs) { four += pairs.size(); });
  EXPECT_EQ(one, four);
  EXPECT_GT(one, 1'000'000u);
}

TEST(BoxJoin, ComparesFarFewerThanAllPairs) {
  const BoxList a = RandomBoxes(1, 20000, 10000, 50), b = RandomBoxes(2, 20000, 10000, 50);
  const uint64_t compared = JoinBoxes(a, b, UINT64_MAX, Workers(1), [](BoxPairs) {});
  EXPECT_LT(compared, 20'000'000u);  // of 400 million
}

TEST(BoxJoin, GivesUp) {
  const BoxList a = RandomBoxes(1, 2000, 2, 3), b = RandomBoxes(2, 2000, 2, 3);
  EXPECT_GT(JoinBoxes(a, b, 100'000, Workers(1), [](BoxPairs) {}), 100'000u);
}

}  // namespace
}  // namespace tada
