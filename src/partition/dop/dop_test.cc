#include "partition/dop/dop.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "partition/engine/loss_model.h"
#include "testing/problems.h"
#include "testing/real_data.h"

namespace tada {
namespace {

using testing::ProblemParts;

OptionValues Options(const std::vector<std::pair<std::string, std::string>>& given) {
  OptionValues values;
  for (const auto& [name, value] : given) values.Set(name, {value});
  return values;
}

Groups RunDop(ProblemParts& parts) {
  Groups groups = Groups::Whole(parts.problem.table.num_rows());
  const auto stages = DopMethod().make({Task::kNone, parts.options});
  for (const auto& stage : *stages) {
    groups = std::move(stage->Refine(parts.problem, std::move(groups))).value();
  }
  return groups;
}

ProblemParts Parts(const Table& table, const std::vector<std::string>& quasi, const std::string& sensitive,
                   Requirement requirement, OptionValues options = {}) {
  return ProblemParts(table, {testing::Ids(table, quasi), testing::Ids(table, {sensitive}), {}, {}}, requirement,
                      std::move(options));
}

// Two dense places, a lone pair far from both, in one column.
Table TwoPlaces() {
  std::string text = "x s\n";
  for (int i = 0; i < 20; ++i) text += fmt::format("{} {}\n", 100 + i, i % 2 == 0 ? "u" : "v");
  for (int i = 0; i < 20; ++i) text += fmt::format("{} {}\n", 900 + i, i % 2 == 0 ? "u" : "v");
  return testing::MakeTable(text + "500 u\n540 v\n");
}

TEST(Dop, FindsTheDensePlacesAndAttachesNoise) {
  const Table table = TwoPlaces();
  ProblemParts parts = Parts(table, {"x"}, "s", {2, 2}, Options({{"eps", "0.01"}, {"min-points", "3"}}));
  const Groups groups = RunDop(parts);
  EXPECT_FALSE(groups.masked());
  EXPECT_EQ(groups.num_rows(), 42U);
  ASSERT_EQ(parts.notes.sections.size(), 1U);
  const Fact& facts = parts.notes.sections[0].facts;
  const auto& sizes = std::get<Fact::List>(facts.Find("cluster_sizes")->value());
  ASSERT_EQ(sizes.size(), 2U);
  for (const Fact& size : sizes) EXPECT_EQ(std::get<uint64_t>(size.value()), 20U);
  EXPECT_EQ(std::get<uint64_t>(facts.Find("noise_rows")->value()), 2U);
}

TEST(Dop, MasksNoiseThatMeetsTheRequirement) {
  const Table table = TwoPlaces();
  ProblemParts parts =
      Parts(table, {"x"}, "s", {2, 2}, Options({{"eps", "0.01"}, {"min-points", "3"}, {"noise", "mask"}}));
  const Groups groups = RunDop(parts);
  ASSERT_TRUE(groups.masked());
  const auto masked = groups.rows(*groups.masked());
  EXPECT_EQ(std::vector<RowId>(masked.begin(), masked.end()), (std::vector<RowId>{40, 41}));
}

TEST(Dop, KeepsNoiseAsOneGroupThatIsNotMasked) {
  const Table table = TwoPlaces();
  ProblemParts parts =
      Parts(table, {"x"}, "s", {1, 1}, Options({{"eps", "0.01"}, {"min-points", "3"}, {"noise", "keep"}}));
  const Groups groups = RunDop(parts);
  EXPECT_FALSE(groups.masked());
  EXPECT_TRUE(testing::RowSets(groups).contains({40, 41}));
}

TEST(Dop, AttachesNoiseThatIsTooFewToBeMasked) {
  const Table table = TwoPlaces();
  ProblemParts parts =
      Parts(table, {"x"}, "s", {3, 2}, Options({{"eps", "0.01"}, {"min-points", "3"}, {"noise", "mask"}}));
  EXPECT_FALSE(RunDop(parts).masked());
  ASSERT_EQ(parts.notes.warnings.size(), 1U);
  EXPECT_NE(parts.notes.warnings[0].find("too few"), std::string::npos);
}

TEST(Dop, LeavesDensityOutWhenAsked) {
  const Table table = TwoPlaces();
  ProblemParts parts = Parts(table, {"x"}, "s", {2, 2}, Options({{"no-density", "true"}}));
  RunDop(parts);
  EXPECT_TRUE(parts.notes.sections.empty());
}

TEST(Dop, KeepsTheRequirementWhateverItsOptions) {
  EXPECT_TRUE(rc::check([] {
    const auto n = *rc::gen::inRange<size_t>(4, 80);
    std::string text = "x a:categorical s:categorical\n";
    for (size_t i = 0; i < n; ++i) {
      text += *rc::gen::inRange(0, 10) == 0 ? "_" : std::to_string(*rc::gen::inRange(0, 60));
      text += fmt::format(" a{} s{}\n", *rc::gen::inRange(0, 4), *rc::gen::inRange(0, 4));
    }
    const Table table = testing::MakeTable(text);
    Requirement requirement{*rc::gen::inRange(1, 6), *rc::gen::inRange(1, 4)};
    requirement.diversity = *rc::gen::element(Diversity::kDistinct, Diversity::kEntropy, Diversity::kRecursive);
    ProblemParts parts =
        Parts(table, {"x", "a"}, "s", requirement,
              Options({{"noise", *rc::gen::element<std::string>("attach", "keep", "mask")},
                       {"column-weights", *rc::gen::element<std::string>("uniform", "cardinality", "inverse")},
                       {"cost", *rc::gen::element<std::string>("ncp", "lil")},
                       {"min-points", std::to_string(*rc::gen::inRange(1, 8))}}));
    RC_PRE(parts.checker.Holds(Groups::Whole(n).order()));
    const Groups groups = RunDop(parts);
    std::vector<RowId> order = groups.order(), all(n);
    std::iota(all.begin(), all.end(), 0u);
    std::sort(order.begin(), order.end());
    RC_ASSERT(order == all);
    for (GroupId group = 0; group < groups.num_groups(); ++group) RC_ASSERT(parts.checker.Holds(groups.rows(group)));
  }));
}

// --- the papers' tables: below the paper's DOP in every cell, and near what our prototype measured -------------------------

void ExpectRow(const std::string& path, char delimiter, std::vector<std::string> quasi, const std::string& sensitive,
               const std::vector<double>& paper, const std::vector<double>& golden) {
  std::vector<std::string> names = quasi;
  names.push_back(sensitive + ":categorical");
  const auto table = testing::RealTable(path, delimiter, names);
  if (!table) GTEST_SKIP() << testing::kNoRealData;
  for (std::string& name : quasi) name = name.substr(0, name.find(':'));
  const std::vector<Requirement> cells = {{2, 2}, {5, 2}, {10, 2}};
  for (size_t i = 0; i < cells.size(); ++i) {
    ProblemParts parts = Parts(*table, quasi, sensitive, cells[i]);
    const double ncp = LossModel(parts.problem).Ncp(RunDop(parts), parts.workers);
    EXPECT_LT(ncp, paper[i]) << "k=" << cells[i].k;
    EXPECT_NEAR(ncp, golden[i], 0.0005) << "k=" << cells[i].k;
  }
}

TEST(Dop, LosesLessThanThePaperOnBank) {
  ExpectRow("bank/bank-full.csv", ';', {"age", "job", "marital", "education", "balance"}, "y", {.3659, .2790, .3744},
            {.0094, .0101, .0123});
}
TEST(Dop, LosesLessThanThePaperOnHeart) {
  ExpectRow("heart/cleveland.csv", ',', {"trestbps", "chol", "cp:categorical"}, "target", {.1683, .2718, .3652},
            {.0542, .0829, .1486});
}
TEST(Dop, LosesLessThanThePaperOnStudent) {
  ExpectRow("student/student-por.csv", ';', {"age", "Medu", "Fedu", "traveltime", "studytime"}, "G3",
            {.0416, .1226, .2075}, {.0362, .1090, .2043});
}

}  // namespace
}  // namespace tada
