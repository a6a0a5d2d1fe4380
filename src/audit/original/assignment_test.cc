#include "audit/original/assignment.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <numeric>
#include <tuple>

#include "audit/original/dense_assignment.h"
#include "testing/tables.h"

namespace tada {
namespace {

// The most demand that can be met, by trying every way: a point of supply s is s points, a box of demand d is d boxes.
uint32_t MostByTrying(const std::vector<uint32_t>& supply, const std::vector<uint32_t>& demand,
                      const std::vector<Edge>& edges) {
  std::vector<uint32_t> boxes, left = supply;
  for (uint32_t box = 0; box < demand.size(); ++box) boxes.insert(boxes.end(), demand[box], box);
  const std::function<uint32_t(size_t)> best = [&](size_t next) -> uint32_t {
    if (next == boxes.size()) return 0;
    uint32_t most = best(next + 1);
    for (const Edge& edge : edges) {
      if (edge.box != boxes[next] || left[edge.point] == 0) continue;
      --left[edge.point];
      most = std::max(most, 1 + best(next + 1));
      ++left[edge.point];
    }
    return most;
  };
  return best(0);
}

uint32_t Sum(const std::vector<uint32_t>& counts) { return std::accumulate(counts.begin(), counts.end(), 0u); }

TEST(Assignment, MeetsAsMuchDemandAsTryingEveryWay) {
  EXPECT_TRUE(rc::check([] {
    const auto supply = *rc::gen::container<std::vector<uint32_t>>(4, rc::gen::inRange<uint32_t>(0, 3));
    const auto demand = *rc::gen::container<std::vector<uint32_t>>(3, rc::gen::inRange<uint32_t>(0, 3));
    std::vector<Edge> edges;
    for (uint32_t point = 0; point < 4; ++point) {
      for (uint32_t box = 0; box < 3; ++box) {
        if (*rc::gen::arbitrary<bool>()) edges.push_back({point, box});
      }
    }
    StepLimit limit(1'000'000);
    const auto left = MeetDemand(supply, demand, edges, limit, Workers(1));
    RC_ASSERT(left.has_value());
    RC_ASSERT(Sum(demand) - Sum(*left) == MostByTrying(supply, demand, edges));
  }));
}

TEST(Assignment, MeetsRangesAsWellAsTheFlowDoes) {
  EXPECT_TRUE(rc::check([] {
    const auto supply = *rc::gen::container<std::vector<uint32_t>>(8, rc::gen::inRange<uint32_t>(0, 4));
    const auto drawn = *rc::gen::container<std::vector<std::tuple<uint32_t, uint32_t, uint32_t>>>(rc::gen::tuple(
        rc::gen::inRange<uint32_t>(0, 8), rc::gen::inRange<uint32_t>(0, 9), rc::gen::inRange<uint32_t>(0, 4)));
    std::vector<RangeDemand> ranges;
    std::vector<uint32_t> demand;
    std::vector<Edge> edges;
    for (const auto& [begin, end, rows] : drawn) {
      for (uint32_t point = begin; point < end; ++point) edges.push_back({point, static_cast<uint32_t>(ranges.size())});
      ranges.push_back({begin, end, rows});
      demand.push_back(rows);
    }
    StepLimit limit(1'000'000);
    const auto left = MeetDemand(supply, demand, edges, limit, Workers(1));
    RC_ASSERT(Sum(MeetRangeDemand(supply, ranges)) == Sum(*left));
  }));
}

// Boxes of two intervals each over points of two numbers.
TEST(Assignment, MeetsDemandByBitsAsWellAsByEdges) {
  EXPECT_TRUE(rc::check([] {
    const auto number = rc::gen::inRange(0, 6);
    const auto points = *rc::gen::container<std::vector<std::pair<int, int>>>(rc::gen::pair(number, number));
    const auto boxes = *rc::gen::container<std::vector<std::tuple<int, int, int, int>>>(
        rc::gen::tuple(number, number, number, number));
    RC_PRE(!points.empty() && !boxes.empty());
    std::string original = "a b\n", released = "a:categorical b:categorical\n";
    for (const auto& [a, b] : points) original += fmt::format("{} {}\n", a, b);
    for (const auto& [a, c, b, d] : boxes) {
      released += fmt::format("[{},{}] [{},{}]\n", std::min(a, c), std::max(a, c), std::min(b, d), std::max(b, d));
    }
    const Table raw = testing::MakeTable(original), release = testing::MakeTable(released);
    const CellCover first(release.column(0), raw.column(0)), second(release.column(1), raw.column(1));
    CandidateRows all{{&first, &second}, {}, {}};
    std::vector<uint32_t> places(std::max(points.size(), boxes.size())), supply, demand;
    std::iota(places.begin(), places.end(), 0u);
    for (size_t i = 0; i < points.size(); ++i) {
      all.positions.push_back(first.position(raw.column(0).codes()[i]));
      all.positions.push_back(second.position(raw.column(1).codes()[i]));
      supply.push_back(*rc::gen::inRange(0u, 4u));
    }
    for (size_t i = 0; i < boxes.size(); ++i) {
      all.cells.push_back(release.column(0).codes()[i]);
      all.cells.push_back(release.column(1).codes()[i]);
      demand.push_back(*rc::gen::inRange(0u, 4u));
    }
    const std::span<const uint32_t> of_points(places.data(), points.size()), of_boxes(places.data(), boxes.size());
    StepLimit limit(1'000'000), again(1'000'000);
    const auto edges =
        FindEdges(all, {of_points.begin(), of_points.end()}, {of_boxes.begin(), of_boxes.end()}, limit, Workers(1));
    const auto by_edges = MeetDemand(supply, demand, *edges, limit, Workers(1));
    const auto by_bits = MeetDenseDemand(all, of_points, of_boxes, supply, demand, again, Workers(1));
    RC_ASSERT(by_bits.has_value());
    RC_ASSERT(Sum(*by_edges) == Sum(*by_bits));
  }));
}

TEST(Assignment, GivesUpAtTheLimit) {
  std::vector<Edge> edges;
  for (uint32_t i = 0; i < 100; ++i) edges.push_back({i, i});
  StepLimit limit(50);
  EXPECT_FALSE(MeetDemand(std::vector<uint32_t>(100, 1), std::vector<uint32_t>(100, 1), edges, limit, Workers(1)));
}

}  // namespace
}  // namespace tada
