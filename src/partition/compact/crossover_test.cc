#include "partition/compact/crossover.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "partition/engine/loss_model.h"
#include "testing/problems.h"

namespace tada {
namespace {

using Classes = std::multiset<uint32_t>;  // of a group
using Losses = std::map<Classes, double>;

Classes ClassesOf(const std::vector<uint32_t>& class_of, const std::vector<uint32_t>& group) {
  Classes classes;
  for (const uint32_t row : group) classes.insert(class_of[row]);
  return classes;
}

// Groups of up to four rows, which stay within blocks, so that there is more than one piece. A group loses what its classes do.
Grouping DrawGrouping(const std::vector<uint32_t>& class_of, Losses& losses) {
  const auto block = *rc::gen::inRange<size_t>(2, 7);
  Grouping grouping;
  for (size_t begin = 0; begin < class_of.size(); begin += block) {
    std::vector<uint32_t> rows(std::min(block, class_of.size() - begin));
    std::iota(rows.begin(), rows.end(), static_cast<uint32_t>(begin));
    for (size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[*rc::gen::inRange<size_t>(0, i)]);
    while (!rows.empty()) {
      const size_t size = std::min(rows.size(), *rc::gen::inRange<size_t>(1, 5));
      grouping.groups.emplace_back(rows.end() - static_cast<ptrdiff_t>(size), rows.end());
      rows.resize(rows.size() - size);
      const Classes classes = ClassesOf(class_of, grouping.groups.back());
      grouping.losses.push_back(losses.try_emplace(classes, *rc::gen::inRange(0, 100)).first->second);
    }
  }
  return grouping;
}

// The cheapest way to take every row once out of the groups of two groupings, by trying all.
double CheapestMixture(const Grouping& a, const Grouping& b, std::set<uint32_t> left) {
  if (left.empty()) return 0;
  double best = std::numeric_limits<double>::infinity();
  for (const Grouping* from : {&a, &b}) {
    for (size_t g = 0; g < from->groups.size(); ++g) {
      const std::vector<uint32_t>& group = from->groups[g];
      if (std::find(group.begin(), group.end(), *left.begin()) == group.end()) continue;
      std::set<uint32_t> rest = left;
      for (const uint32_t row : group) rest.erase(row);
      if (rest.size() + group.size() != left.size()) continue;
      best = std::min(best, from->losses[g] + CheapestMixture(a, b, rest));
    }
  }
  return best;
}

TEST(Crossover, IsTheCheapestMixtureOfTwoGroupings) {
  EXPECT_TRUE(rc::check([] {
    std::vector<uint32_t> class_of(*rc::gen::inRange<size_t>(1, 14));
    std::iota(class_of.begin(), class_of.end(), 0U);  // no two rows alike
    Losses losses;
    const Grouping a = DrawGrouping(class_of, losses), b = DrawGrouping(class_of, losses);
    const double loss = Cross(class_of, a, b).Loss();
    RC_ASSERT(loss == CheapestMixture(a, b, {class_of.begin(), class_of.end()}));
    RC_ASSERT(loss <= std::min(a.Loss(), b.Loss()));
  }));
}

TEST(Crossover, HoldsEveryRowOnceInGroupsOfEitherWhereRowsAreAlike) {
  EXPECT_TRUE(rc::check([] {
    std::vector<uint32_t> class_of(*rc::gen::inRange<size_t>(1, 60));
    for (uint32_t& number : class_of) number = *rc::gen::inRange(0U, 12U);
    Losses losses;
    const Grouping a = DrawGrouping(class_of, losses), b = DrawGrouping(class_of, losses);
    const Grouping made = Cross(class_of, a, b);
    RC_ASSERT(made.Loss() <= std::min(a.Loss(), b.Loss()));
    std::vector<uint32_t> rows, all(class_of.size());
    std::iota(all.begin(), all.end(), 0U);
    std::set<Classes> given;
    for (const Grouping* from : {&a, &b}) {
      for (const auto& group : from->groups) given.insert(ClassesOf(class_of, group));
    }
    for (size_t g = 0; g < made.groups.size(); ++g) {
      const Classes classes = ClassesOf(class_of, made.groups[g]);
      RC_ASSERT(given.contains(classes));
      RC_ASSERT(made.losses[g] == losses[classes]);
      rows.insert(rows.end(), made.groups[g].begin(), made.groups[g].end());
    }
    std::sort(rows.begin(), rows.end());
    RC_ASSERT(rows == all);
  }));
}

TEST(Crossover, FindsSmallPiecesWhereRowsAreAlike) {
  // Rows 0 and 2 are alike, as are 1 and 3: as rows stand, {0 1} {2 3} and {0 3} {1 2} are one piece with everything that
  // is joined to it, but as classes they are the same groups.
  const std::vector<uint32_t> class_of{0, 1, 0, 1, 2, 3, 4, 5};
  const Grouping a{{{0, 1}, {2, 3}, {4, 5}, {6, 7}}, {1, 1, 9, 2}};
  const Grouping b{{{0, 3}, {1, 2}, {4, 5}, {6}, {7}}, {1, 1, 9, 0, 0}};
  const Grouping made = Cross(class_of, a, b);
  EXPECT_EQ(made.Loss(), 11);
  EXPECT_EQ(made.groups, (GroupLists{{0, 1}, {2, 3}, {4, 5}, {6}, {7}}));
}

TEST(Crossover, TellsRowsApartBySensitiveValuesOnlyWhereTheyCount) {
  const Table table = testing::MakeTable("x s:categorical\n1 u\n1 v\n1 u\n2 u\n");
  for (const int l : {1, 2}) {
    testing::ProblemParts parts = testing::MakeProblem(table, {"x"}, {"s"}, {}, {2, l});
    const LossModel loss(parts.problem);
    const SearchRows rows = MakeSearchRows(parts.problem, loss, Groups::Whole(4).order());
    const std::vector<uint32_t> classes = FindClasses(rows);
    EXPECT_EQ(std::set<uint32_t>(classes.begin(), classes.end()).size(), l == 1 ? 2U : 3U);
  }
}

}  // namespace
}  // namespace tada
