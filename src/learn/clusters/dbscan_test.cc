#include "learn/clusters/dbscan.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/random.h"

namespace tada {
namespace {

// --- against scikit-learn (tests/fixtures/dbscan.csv, made by bench/dop/make_fixture.py) --------------------------------

struct Fixture {
  WeightedPoints points;
  DbscanOptions options;
  std::vector<int> core, label;
};

std::map<std::string, Fixture> ReadFixtures() {
  const auto folder = std::filesystem::path(TADA_SOURCE_FOLDER) / "src/learn/clusters";
  std::ifstream file(folder / "../../../tests/fixtures/dbscan.csv");
  std::map<std::string, Fixture> fixtures;
  std::string line, cell;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<std::string> fields;
    while (std::getline(cells, cell, ',')) fields.push_back(cell);
    Fixture& fixture = fixtures[fields.at(0)];
    fixture.options.eps = std::stod(fields[1]);
    fixture.options.min_points = std::stoull(fields[2]);
    fixture.points.weights.push_back(static_cast<uint32_t>(std::stoul(fields[3])));
    std::istringstream coordinates(fields[4]);
    size_t width = 0;
    for (double x; coordinates >> x; ++width) fixture.points.at.push_back(x);
    fixture.points.width = width;
    fixture.core.push_back(std::stoi(fields[5]));
    fixture.label.push_back(std::stoi(fields[6]));
  }
  return fixtures;
}

// Labels must agree up to their names on core points and noise; a border point may go to any cluster that reaches it.
void ExpectSame(const WeightedPoints& points, const DbscanOptions& options, const DensityClusters& found,
                const std::vector<int>& core, const std::vector<int>& label) {
  std::map<int, int> theirs, ours;
  for (size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(found.core[i] != 0, core[i] != 0) << "point " << i;
    ASSERT_EQ(found.cluster_of[i] == kNoise, label[i] == -1) << "point " << i;
    if (core[i] == 0) continue;
    EXPECT_EQ(theirs.try_emplace(found.cluster_of[i], label[i]).first->second, label[i]) << "point " << i;
    EXPECT_EQ(ours.try_emplace(label[i], found.cluster_of[i]).first->second, found.cluster_of[i]) << "point " << i;
  }
  for (size_t i = 0; i < points.size(); ++i) {
    if (core[i] != 0 || label[i] == -1) continue;
    bool reached = false;
    for (size_t j = 0; j < points.size() && !reached; ++j) {
      reached = core[j] != 0 && found.cluster_of[j] == found.cluster_of[i] &&
                points.SquaredDistance(j, points.Point(i)) <= options.eps * options.eps;
    }
    EXPECT_TRUE(reached) << "border point " << i;
  }
}

TEST(Dbscan, GivesTheLabelsOfScikitLearnUpToBorderPoints) {
  const auto fixtures = ReadFixtures();
  ASSERT_EQ(fixtures.size(), 6U);
  for (const auto& [name, fixture] : fixtures) {
    SCOPED_TRACE(name);
    ExpectSame(fixture.points, fixture.options, Dbscan(fixture.points, fixture.options, Workers(2)), fixture.core,
               fixture.label);
  }
}

// --- against the definition ----------------------------------------------------------------------------------------------

struct Drawn {
  WeightedPoints points;
  DbscanOptions options;
};

Drawn Draw() {
  Drawn drawn;
  drawn.points.width = *rc::gen::inRange<size_t>(1, 6);
  const auto n = *rc::gen::inRange<size_t>(1, 60);
  const int steps = *rc::gen::inRange(2, 12);  // few places, so that distances tie with eps
  for (size_t i = 0; i < n * drawn.points.width; ++i) drawn.points.at.push_back(*rc::gen::inRange(0, steps) / 8.0);
  for (size_t i = 0; i < n; ++i) drawn.points.weights.push_back(static_cast<uint32_t>(*rc::gen::inRange(1, 4)));
  drawn.options.eps = *rc::gen::inRange(1, 12) / 8.0;
  drawn.options.min_points = static_cast<uint64_t>(*rc::gen::inRange(1, 12));
  return drawn;
}

TEST(Dbscan, FollowsItsDefinitionOnRandomPoints) {
  EXPECT_TRUE(rc::check([] {
    const auto [points, options] = Draw();
    const size_t n = points.size();
    const auto near = [&, eps = options.eps](size_t i, size_t j) {
      return points.SquaredDistance(i, points.Point(j)) <= eps * eps;
    };
    std::vector<int> core(n), label(n, -1);
    for (size_t i = 0; i < n; ++i) {
      uint64_t weight = 0;
      for (size_t j = 0; j < n; ++j) weight += near(i, j) ? points.weights[j] : 0;
      core[i] = weight >= options.min_points ? 1 : 0;
    }
    int clusters = 0;
    for (size_t start = 0; start < n; ++start) {
      if (core[start] == 0 || label[start] != -1) continue;
      std::vector<size_t> stack{start};
      label[start] = clusters;
      while (!stack.empty()) {
        const size_t i = stack.back();
        stack.pop_back();
        if (core[i] == 0) continue;
        for (size_t j = 0; j < n; ++j) {
          if (label[j] != -1 || !near(i, j)) continue;
          label[j] = clusters;
          stack.push_back(j);
        }
      }
      ++clusters;
    }
    const DensityClusters found = Dbscan(points, options, Workers(1));
    RC_ASSERT(found.num_clusters == clusters);
    ExpectSame(points, options, found, core, label);
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

TEST(Dbscan, IsTheSameAtAnyNumberOfThreads) {
  for (const auto& [name, fixture] : ReadFixtures()) {
    const DensityClusters one = Dbscan(fixture.points, fixture.options, Workers(1));
    const DensityClusters four = Dbscan(fixture.points, fixture.options, Workers(4));
    EXPECT_EQ(one.cluster_of, four.cluster_of) << name;
  }
}

TEST(Dbscan, FindsTheSameClustersWhenTheSampleHasEveryPoint) {
  for (const auto& [name, fixture] : ReadFixtures()) {
    SCOPED_TRACE(name);
    DbscanOptions options = fixture.options;
    options.force_sample = true;
    const DensityClusters found = Dbscan(fixture.points, options, Workers(2));
    EXPECT_EQ(found.sampled, fixture.points.size());
    ExpectSame(fixture.points, options, found, fixture.core, fixture.label);
  }
}

TEST(Dbscan, SaysThatManyColumnsAreSampled) {
  WeightedPoints points{8, std::vector<double>(8 * 20, 0.5), std::vector<uint32_t>(20, 1)};
  const DensityClusters found = Dbscan(points, {0.1, 5, 1, false}, Workers(1));
  EXPECT_EQ(found.sampled, 20U);
  EXPECT_EQ(found.num_clusters, 1);
}

TEST(Knee, LiesWhereTheCurveBends) {
  // A hundred points close together and ten far from everything: the bend is where the far ones begin.
  WeightedPoints points;
  points.width = 1;
  for (int i = 0; i < 100; ++i) points.at.push_back(i * 0.001);
  for (int i = 0; i < 10; ++i) points.at.push_back(10 + i * i);
  points.weights.assign(110, 1);
  const Knee knee = FindKnee(points, 3, 1, Workers(2));
  ASSERT_EQ(knee.curve.size(), 110U);
  EXPECT_TRUE(std::is_sorted(knee.curve.begin(), knee.curve.end()));
  EXPECT_NEAR(knee.eps, 0.002, 0.0011);
}

TEST(Knee, CountsAPointAsOftenAsItOccurs) {
  const WeightedPoints once{1, {0, 0, 0, 1, 3}, {1, 1, 1, 1, 1}}, weighted{1, {0, 1, 3}, {3, 1, 1}};
  EXPECT_EQ(FindKnee(once, 2, 1, Workers(1)).curve, FindKnee(weighted, 2, 1, Workers(1)).curve);
  EXPECT_EQ(FindKnee(weighted, 2, 1, Workers(1)).curve, (std::vector<double>{0, 0, 0, 1, 2}));
}

TEST(PointTree, ANearMemberChangesNothingOfTheNearest) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<size_t>(2, 200);
    WeightedPoints points{2, {}, std::vector<uint32_t>(count, 1)};
    for (size_t i = 0; i < 2 * count; ++i) points.at.push_back(*rc::gen::inRange(0, 12));
    std::vector<uint32_t> members;
    for (uint32_t i = 0; i < count; i += 2) members.push_back(i);
    const PointTree tree(points, members);
    for (size_t i = 0; i < count; ++i) {
      const PointTree::Found found = tree.Nearest(points.Point(i), *rc::gen::elementOf(members));
      PointTree::Found wanted;
      for (const uint32_t member : members) {
        const double distance = points.SquaredDistance(member, points.Point(i));
        if (distance < wanted.squared_distance) wanted = {member, distance};
      }
      RC_ASSERT(found.member == wanted.member);
      RC_ASSERT(found.squared_distance == wanted.squared_distance);
      const double radius = *rc::gen::inRange(0, 9);
      const uint32_t near = *rc::gen::elementOf(members);
      const uint32_t within = wanted.squared_distance <= radius ? wanted.member : UINT32_MAX;
      RC_ASSERT(tree.Nearest(points.Point(i), near, radius).member == within);
    }
  }));
}

TEST(PointTree, FindsTheNearestInManyColumns) {
  // More columns than are looked at before a distance is given up.
  const size_t width = WeightedPoints::kFirstColumns + 3, count = 300;
  Random random(4);
  WeightedPoints points{width, {}, std::vector<uint32_t>(count, 1)};
  for (size_t i = 0; i < count * width; ++i) points.at.push_back(static_cast<double>(random.Below(9)));
  std::vector<uint32_t> members;
  for (uint32_t i = 0; i < count; i += 3) members.push_back(i);
  const PointTree tree(points, members);
  for (size_t i = 0; i < count; ++i) {
    std::vector<double> distances;
    for (const uint32_t member : members) distances.push_back(points.SquaredDistance(member, points.Point(i)));
    std::sort(distances.begin(), distances.end());
    EXPECT_EQ(tree.Nearest(points.Point(i)).squared_distance, distances[0]);
    EXPECT_EQ(tree.SquaredReach(points.Point(i), 5), distances[4]);
  }
}

}  // namespace
}  // namespace tada
