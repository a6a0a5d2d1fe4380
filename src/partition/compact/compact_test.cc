#include "partition/compact/compact.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "base/random.h"
#include "partition/compact/group_store.h"
#include "partition/compact/regions.h"
#include "partition/engine/loss_model.h"
#include "partition/mondrian/ncp_split.h"
#include "testing/problems.h"
#include "testing/real_data.h"

namespace tada {
namespace {

using testing::ProblemParts;

// A table with a number (sometimes missing), names from a small and from another domain, and a sensitive column.
Table DrawTable(size_t rows, int values, int names = 90) {
  std::string text = "x a:categorical b:categorical s:categorical\n";
  for (size_t i = 0; i < rows; ++i) {
    text += *rc::gen::inRange(0, 12) == 0 ? "_" : std::to_string(*rc::gen::inRange(0, 30));
    text += fmt::format(" a{} b{} s{}\n", *rc::gen::inRange(0, 4), *rc::gen::inRange(0, names),
                        *rc::gen::inRange(0, values));
  }
  return testing::MakeTable(text);
}

Requirement DrawRequirement(int values) {
  Requirement requirement;
  requirement.k = *rc::gen::inRange(1, 6);
  requirement.l = *rc::gen::inRange(1, std::max(2, std::min(4, values)));
  requirement.diversity = *rc::gen::element(Diversity::kDistinct, Diversity::kEntropy, Diversity::kRecursive);
  return requirement;
}

ProblemParts Parts(const Table& table, Requirement requirement) {
  return testing::MakeProblem(table, {"x", "a", "b"}, {"s"}, {}, requirement);
}

void ExpectValid(const ProblemParts& parts, const Groups& groups, size_t rows) {
  std::vector<RowId> order = groups.order(), all(rows);
  std::iota(all.begin(), all.end(), 0u);
  std::sort(order.begin(), order.end());
  RC_ASSERT(order == all);
  for (GroupId group = 0; group < groups.num_groups(); ++group) RC_ASSERT(parts.checker.Holds(groups.rows(group)));
}

TEST(Compact, KeepsTheRequirementAndNeverLosesMoreThanItsStart) {
  EXPECT_TRUE(rc::check([] {
    const int values = *rc::gen::inRange(1, 6);
    const Table table = DrawTable(*rc::gen::inRange<size_t>(6, 120), values);
    ProblemParts parts = Parts(table, DrawRequirement(values));
    RC_PRE(parts.checker.Holds(Groups::Whole(table.num_rows()).order()));
    const Groups start = SplitByCost(parts.problem, Groups::Whole(table.num_rows()), SplitCost::kNcp, "start");
    const auto made =
        MakeCompactStage({*rc::gen::inRange(0, 3)})->Refine(parts.problem, Groups::Whole(table.num_rows()));
    RC_ASSERT(made.ok());
    ExpectValid(parts, *made, table.num_rows());
    const LossModel loss(parts.problem);
    RC_ASSERT(loss.Ncp(*made, parts.workers) <= loss.Ncp(start, parts.workers) + 1e-12);
  }));
}

TEST(Compact, KeepsEveryKindOfRequirementAtMostEffort) {
  Random random(8);
  for (const Diversity diversity : {Diversity::kDistinct, Diversity::kEntropy, Diversity::kRecursive}) {
    std::string text = "x a:categorical b:categorical s:categorical\n";
    for (int i = 0; i < 16; ++i) {
      text += fmt::format("{} a{} b{} s{}\n", random.Below(30), random.Below(4), random.Below(90), i % 4);
    }
    const Table table = testing::MakeTable(text);
    ProblemParts parts = Parts(table, {.k = 2, .l = 2, .diversity = diversity});
    const Groups whole = Groups::Whole(table.num_rows());
    ASSERT_TRUE(parts.checker.Holds(whole.order()));
    const auto made = MakeCompactStage({9})->Refine(parts.problem, whole);
    ASSERT_TRUE(made.ok());
    std::vector<RowId> order = made->order();
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, whole.order());
    for (GroupId group = 0; group < made->num_groups(); ++group) EXPECT_TRUE(parts.checker.Holds(made->rows(group)));
    EXPECT_GT(made->num_groups(), 1U);
  }
}

// All ways to group rows 0 to n - 1, the first of the rest always in the next group.
void ForEachGrouping(std::vector<RowId> rest, GroupLists& groups, const std::function<void()>& visit) {
  if (rest.empty()) return visit();
  for (uint32_t chosen = 1; chosen < (1U << rest.size()); chosen += 2) {
    std::vector<RowId> group, others;
    for (size_t i = 0; i < rest.size(); ++i) ((chosen >> i & 1) != 0 ? group : others).push_back(rest[i]);
    groups.push_back(std::move(group));
    ForEachGrouping(others, groups, visit);
    groups.pop_back();
  }
}

TEST(Compact, FindsTheLeastLossOfASmallTableAtMostEffort) {
  Random random(11);
  for (int turn = 0; turn < 6; ++turn) {
    std::string text = "x a:categorical b:categorical s:categorical\n";
    for (int i = 0; i < 8; ++i) {
      text += fmt::format("{} a{} b{} s{}\n", random.Below(20), random.Below(3), random.Below(3), random.Below(3));
    }
    const Table table = testing::MakeTable(text);
    ProblemParts parts = Parts(table, {2, 1 + static_cast<int>(random.Below(2))});
    const Groups whole = Groups::Whole(table.num_rows());
    if (!parts.checker.Holds(whole.order())) continue;
    const LossModel loss(parts.problem);
    double least = 1;
    GroupLists groups;
    ForEachGrouping(whole.order(), groups, [&] {
      for (const auto& group : groups) {
        if (!parts.checker.Holds(group)) return;
      }
      least = std::min(least, loss.Ncp(Groups::FromLists(groups), parts.workers));
    });
    const auto made = MakeCompactStage({9})->Refine(parts.problem, whole);
    ASSERT_TRUE(made.ok());
    EXPECT_NEAR(loss.Ncp(*made, parts.workers), least, 1e-9) << text;
  }
}

// Mixtures of one label by its definition: for every class the rows that are not of it, shared out over the group.
double GiniOf(const Column& label, const Groups& groups) {
  double sum = 0;
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    std::map<Code, double> counts;
    for (const RowId row : groups.rows(group)) ++counts[label.codes()[row]];
    const auto rows = static_cast<double>(groups.rows(group).size());
    for (const auto& [code, count] : counts) sum += count * (rows - count) / rows;
  }
  return sum;
}

TEST(Compact, LowersTheLossOfWhichTheLabelHasAShare) {
  EXPECT_TRUE(rc::check([] {
    const Table table = DrawTable(*rc::gen::inRange<size_t>(6, 120), 3);
    ProblemParts parts = testing::MakeProblem(table, {"x", "a", "b"}, {}, {"s"}, {*rc::gen::inRange(2, 5), 1});
    RC_PRE(parts.checker.Holds(Groups::Whole(table.num_rows()).order()));
    const double share = *rc::gen::element(.1, .5, .9);
    const Groups whole = Groups::Whole(table.num_rows());
    const Groups start = SplitByCost(parts.problem, whole, SplitCost::kNcp, "start");
    const auto made = MakeCompactStage({*rc::gen::inRange(1, 4), share})->Refine(parts.problem, whole);
    RC_ASSERT(made.ok());
    ExpectValid(parts, *made, table.num_rows());
    const LossModel loss(parts.problem);
    const Column& label = table.column(parts.roles.label[0]);
    const double all = GiniOf(label, whole);
    const auto weighted = [&](const Groups& groups) {
      return (1 - share) * loss.Ncp(groups, parts.workers) + (all > 0 ? share * GiniOf(label, groups) / all : 0);
    };
    RC_ASSERT(weighted(*made) <= weighted(start) + 1e-9);
    const Fact& reported = parts.notes.sections[0].facts;
    RC_ASSERT(std::abs(std::get<double>(reported.Find("label_loss_after")->value()) -
                       (all > 0 ? GiniOf(label, *made) / all : 0)) < 1e-9);
  }));
}

TEST(Compact, KeepsLabelsApartTheMoreTheyCount) {
  std::string text = "x y:categorical\n";
  Random random(3);
  for (int i = 0; i < 600; ++i) text += fmt::format("{} y{}\n", random.Below(200), random.Below(2));
  const Table table = testing::MakeTable(text);
  const auto gini = [&](double share) {
    ProblemParts parts = testing::MakeProblem(table, {"x"}, {}, {"y"}, {5, 1});
    const auto made = MakeCompactStage({3, share})->Refine(parts.problem, Groups::Whole(table.num_rows()));
    return GiniOf(table.column(1), *made);
  };
  EXPECT_GT(gini(0), 150);
  EXPECT_LT(gini(.9), 30);
}

TEST(MixtureSums, KnowTheMixtureWithAndWithoutRows) {
  EXPECT_TRUE(rc::check([] {
    // A class label with three places and a numeric one with its own.
    const uint32_t rows = *rc::gen::inRange(2u, 20u);
    RowLabels labels{.num_labels = 2, .num_places = 4};
    for (uint32_t row = 0; row < rows; ++row) {
      labels.places.insert(labels.places.end(), {*rc::gen::inRange(0u, 3u), 3});
      labels.values.insert(labels.values.end(), {1.0, *rc::gen::inRange(-9, 9) / 2.0});
    }
    const auto mixture = [&](const std::vector<uint32_t>& members) {
      double sum = 0;
      for (uint32_t place = 0; place < 4; ++place) {
        double total = 0;
        std::vector<double> at(members.size());
        for (size_t i = 0; i < members.size(); ++i) {
          for (uint32_t t = 0; t < 2; ++t) {
            if (labels.places[members[i] * 2 + t] == place) at[i] = labels.values[members[i] * 2 + t];
          }
          total += at[i];
        }
        for (const double x : at) sum += std::pow(x - total / static_cast<double>(members.size()), 2);
      }
      return sum;
    };
    std::vector<uint32_t> members;
    MixtureSums sums;
    sums.Clear(4);
    for (uint32_t row = 0; row + 1 < rows; ++row) {
      members.push_back(row);
      sums.Add(labels, row);
    }
    const auto near = [](double x, double y) { return std::abs(x - y) < 1e-9; };
    RC_ASSERT(near(sums.Mixture(), mixture(members)));
    std::vector<uint32_t> with = members, without(members.begin() + 1, members.end());
    with.push_back(rows - 1);
    RC_ASSERT(near(sums.MixtureChanged(labels, MixtureSums::kNone, rows - 1), mixture(with)));
    if (!without.empty()) RC_ASSERT(near(sums.MixtureChanged(labels, 0, MixtureSums::kNone), mixture(without)));
    without.push_back(rows - 1);
    RC_ASSERT(near(sums.MixtureChanged(labels, 0, rows - 1), mixture(without)));
  }));
}

TEST(Compact, GivesTheSameGroupsAtAnyNumberOfThreads) {
  std::string text = "x a:categorical b:categorical s:categorical\n";
  Random random(5);
  for (int i = 0; i < 30000; ++i) {
    text += fmt::format("{} a{} b{} s{}\n", random.Below(400), random.Below(5), random.Below(20), random.Below(3));
  }
  const Table table = testing::MakeTable(text);
  std::vector<Groups> made;
  for (const int threads : {1, 3}) {
    ProblemParts parts = Parts(table, {5, 2});
    parts.workers = Workers(threads);
    made.push_back(std::move(MakeCompactStage({1})->Refine(parts.problem, Groups::Whole(table.num_rows()))).value());
  }
  EXPECT_EQ(made[0].order(), made[1].order());
  EXPECT_EQ(made[0].num_groups(), made[1].num_groups());
}

TEST(Compact, GivesTheSameGroupsAtAnyNumberOfThreadsAtMostEffort) {
  std::string text = "x a:categorical b:categorical s:categorical\n";
  Random random(6);
  for (int i = 0; i < 24; ++i) {
    text += fmt::format("{} a{} b{} s{}\n", random.Below(400), random.Below(5), random.Below(20), random.Below(3));
  }
  const Table table = testing::MakeTable(text);
  std::vector<Groups> made;
  for (const int threads : {1, 3}) {
    ProblemParts parts = Parts(table, {3, 2});
    parts.workers = Workers(threads);
    made.push_back(std::move(MakeCompactStage({9})->Refine(parts.problem, Groups::Whole(table.num_rows()))).value());
  }
  EXPECT_EQ(made[0].order(), made[1].order());
  EXPECT_EQ(made[0].num_groups(), made[1].num_groups());
}

TEST(Compact, TellsTheLossBeforeAndAfter) {
  const Table table = testing::MakeTable("x a s\n1 p u\n9 q v\n2 p u\n8 q v\n3 p v\n7 q u\n");
  ProblemParts parts = testing::MakeProblem(table, {"x", "a"}, {"s"}, {}, {2, 2});
  ASSERT_TRUE(MakeCompactStage({1})->Refine(parts.problem, Groups::Whole(6)).ok());
  ASSERT_EQ(parts.notes.sections.size(), 1U);
  EXPECT_EQ(parts.notes.sections[0].key, "compact");
  EXPECT_NE(parts.notes.sections[0].facts.Find("ncp_before"), nullptr);
}

// --- losses of docs/algorithms/compact.md, with room for drift -------------------------------------------------------------

void ExpectAtMost(const std::string& path, char delimiter, std::vector<std::string> quasi, const std::string& sensitive,
                  const std::vector<std::pair<Requirement, double>>& bars) {
  std::vector<std::string> names = quasi;
  names.push_back(sensitive + ":categorical");
  const auto table = testing::RealTable(path, delimiter, names);
  if (!table) GTEST_SKIP() << testing::kNoRealData;
  for (std::string& name : quasi) name = name.substr(0, name.find(':'));
  for (const auto& [requirement, bar] : bars) {
    ProblemParts parts = testing::MakeProblem(*table, quasi, {sensitive}, {}, requirement);
    const auto made = MakeCompactStage({})->Refine(parts.problem, Groups::Whole(table->num_rows()));
    EXPECT_LE(LossModel(parts.problem).Ncp(*made, parts.workers), bar) << "k=" << requirement.k;
  }
}

TEST(Compact, ReachesItsBarsOnHeart) {
  ExpectAtMost("heart/cleveland.csv", ',', {"trestbps", "chol", "cp:categorical"}, "target",
               {{{2, 2}, .0415}, {{5, 2}, .0650}, {{10, 2}, .1150}});
}

TEST(Compact, ReachesItsBarsOnStudent) {
  ExpectAtMost("student/student-por.csv", ';', {"age", "Medu", "Fedu", "traveltime", "studytime"}, "G3",
               {{{2, 2}, .0225}, {{5, 2}, .0810}, {{10, 2}, .1550}});
}

TEST(Compact, ReachesItsBarsOnAdult) {
  ExpectAtMost("adult/adult_train_complete.csv", ',',
               {"age", "workclass:categorical", "education-num", "marital-status:categorical", "occupation:categorical",
                "race:categorical", "sex:categorical", "native-country:categorical"},
               "income", {{{10, 1}, .0325}, {{10, 2}, .0440}});
}

// --- the store's incremental costs ----------------------------------------------------------------------------------------

TEST(GroupStore, KnowsTheSpansOfAGroupWithAndWithoutRows) {
  EXPECT_TRUE(rc::check([] {
    // Names whose marks fit into one word, into two, and into none.
    const Table table = DrawTable(40, 3, *rc::gen::element(5, 62, 90));
    ProblemParts parts = Parts(table, {2, *rc::gen::element(1, 2)});
    const LossModel loss(parts.problem);
    const SearchRows rows = MakeSearchRows(parts.problem, loss, Groups::Whole(40).order());
    GroupStore store(rows, parts.checker);
    std::vector<uint32_t> all(40);
    std::iota(all.begin(), all.end(), 0u);
    store.Load(all);
    const auto cut = *rc::gen::inRange<uint32_t>(2, 38);
    const uint32_t a = store.Make({all.begin(), all.begin() + cut});
    const uint32_t b = store.Make({all.begin() + cut, all.end()});
    const auto near = [](double x, double y) { return std::abs(x - y) < 1e-9; };
    const auto spans = [&](const std::vector<uint32_t>& members) {
      std::vector<RowId> ids;
      for (const uint32_t member : members) ids.push_back(rows.row_ids[member]);
      return loss.Spans(ids);
    };
    const auto holds = [&](const std::vector<uint32_t>& members) {
      std::vector<RowId> ids;
      for (const uint32_t member : members) ids.push_back(rows.row_ids[member]);
      return parts.checker.Holds(ids);
    };
    const auto has_gain = [&](uint32_t row) { return store.gain(row) != 0; };
    for (int turn = 0; turn < 20; ++turn) {
      std::vector<uint32_t> live = store.rows(a);
      std::erase_if(live, [&](uint32_t row) { return !has_gain(row); });
      RC_ASSERT(store.live(a) == live);
      const uint32_t x = *rc::gen::elementOf(store.rows(a)), y = *rc::gen::elementOf(store.rows(b));
      RC_ASSERT(near(store.spans(a), spans(store.rows(a))));
      std::vector<uint32_t> with = store.rows(a), without = with, exchanged;
      with.push_back(y);
      std::erase(without, x);
      exchanged = without;
      exchanged.push_back(y);
      RC_ASSERT(near(store.SpansWith(a, y), spans(with)));
      RC_ASSERT(near(store.SpansExchanged(a, x, y), spans(exchanged)));
      RC_ASSERT(store.MayExchange(a, x, y) == holds(exchanged));
      RC_ASSERT(store.MayDrop(a, x) == holds(without));
      if (!without.empty()) {
        RC_ASSERT(near(store.SpansWithout(a, x), spans(without)));
        if (without.size() > 0 && store.size(a) > 1)
          RC_ASSERT(near(store.gain(x), spans(store.rows(a)) - spans(without)));
      }
      if (store.size(a) > 2 && *rc::gen::arbitrary<bool>()) {
        store.Move(x, b);
      } else {
        store.Swap(x, y);
      }
    }
  }));
}

}  // namespace
}  // namespace tada
