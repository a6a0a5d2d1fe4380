#include "audit/assignment.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <numeric>
#include <tuple>

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

TEST(Assignment, GivesUpAtTheLimit) {
  std::vector<Edge> edges;
  for (uint32_t i = 0; i < 100; ++i) edges.push_back({i, i});
  StepLimit limit(50);
  EXPECT_FALSE(MeetDemand(std::vector<uint32_t>(100, 1), std::vector<uint32_t>(100, 1), edges, limit, Workers(1)));
}

}  // namespace
}  // namespace tada
