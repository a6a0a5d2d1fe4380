#include "partition/ncp_split.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "testing/problems.h"
#include "testing/real_data.h"

namespace tada {
namespace {

using testing::MakeProblem;

// --- The papers' tables -------------------------------------------------------------------------------------------

struct Paper {
  std::string path;
  char delimiter;
  std::vector<std::string> quasi;
  std::string sensitive;
};

const Paper kBank{"bank/bank-full.csv", ';', {"age", "job", "marital", "education", "balance"}, "y"};
const Paper kHeart{"heart/cleveland.csv", ',', {"trestbps", "chol", "cp:categorical"}, "target"};
const Paper kStudent{"student/student-por.csv", ';', {"age", "Medu", "Fedu", "traveltime", "studytime"}, "G3"};

std::vector<std::string> Plain(std::vector<std::string> names) {
  for (std::string& name : names) name = name.substr(0, name.find(':'));
  return names;
}

std::optional<Table> Read(const Paper& paper) {
  std::vector<std::string> names = paper.quasi;
  names.push_back(paper.sensitive + ":categorical");
  return testing::RealTable(paper.path, paper.delimiter, names);
}

double Ncp(const Table& table, const Paper& paper, SplitCost cost, Requirement requirement) {
  testing::ProblemParts parts = MakeProblem(table, Plain(paper.quasi), {paper.sensitive}, {}, requirement);
  const Groups groups = SplitByCost(parts.problem, Groups::Whole(table.num_rows()), cost, "test");
  return LossModel(parts.problem).Ncp(groups, parts.workers);
}

// The values of spec.md 11.3, to the digits printed there.
void ExpectRow(const Paper& paper, SplitCost cost, const std::vector<double>& row) {
  const auto table = Read(paper);
  if (!table) GTEST_SKIP() << testing::kNoRealData;
  const std::vector<Requirement> cells = {{1, 1}, {2, 2}, {5, 2}, {10, 2}};
  for (size_t i = 0; i < cells.size(); ++i) {
    EXPECT_NEAR(Ncp(*table, paper, cost, cells[i]), row[i], 0.00005 + 1e-9) << "k=" << cells[i].k;
  }
}

TEST(NcpSplit, GivesThePapersRowOnStudent) { ExpectRow(kStudent, SplitCost::kLil, {0, .0416, .1226, .2075}); }
TEST(NcpSplit, KeepsItsLilRowOnBank) { ExpectRow(kBank, SplitCost::kLil, {0, .3667, .3717, .4063}); }
TEST(NcpSplit, KeepsItsLilRowOnHeart) { ExpectRow(kHeart, SplitCost::kLil, {0, .1594, .2767, .3605}); }
TEST(NcpSplit, KeepsItsNcpRowOnBank) { ExpectRow(kBank, SplitCost::kNcp, {0, .0098, .0105, .0127}); }
TEST(NcpSplit, KeepsItsNcpRowOnHeart) { ExpectRow(kHeart, SplitCost::kNcp, {0, .0539, .0823, .1440}); }
TEST(NcpSplit, KeepsItsNcpRowOnStudent) { ExpectRow(kStudent, SplitCost::kNcp, {0, .0362, .1090, .2043}); }

}  // namespace
}  // namespace tada
