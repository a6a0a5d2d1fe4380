#include "run/apply/choose_nodes.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

constexpr uint32_t kNone = CutNode::kNone;

// A root with two boxes, each with two leaves: 0 (1 (3 4) 2 (5 6)).
PlacedRows Placed(std::vector<uint32_t> anchors) {
  PlacedRows placed;
  for (const uint32_t parent : {kNone, 0u, 0u, 1u, 1u, 2u, 2u}) {
    placed.nodes.push_back({.parent = parent, .leaf = placed.nodes.size() >= 3});
  }
  placed.anchors = std::move(anchors);
  return placed;
}

std::vector<std::pair<uint32_t, size_t>> Chosen(const ChosenNodes& chosen) {
  std::vector<std::pair<uint32_t, size_t>> parts;
  for (const ChosenNodes::Part& part : chosen.parts) parts.emplace_back(part.node, part.units.size());
  return parts;
}

const auto kTwo = [](std::span<const uint32_t> units) { return units.size() >= 2; };
using Parts = std::vector<std::pair<uint32_t, size_t>>;

TEST(ChooseNodes, ReleasesLeavesThatHold) {
  const auto placed = Placed({3, 3, 4, 4, 6, 6, 6});
  EXPECT_EQ(Chosen(ChooseNodes(placed, std::vector<uint8_t>(7, 1), Misfits::kUp, kTwo)),
            (Parts{{3, 2}, {4, 2}, {6, 3}}));
}

TEST(ChooseNodes, ReleasesTheWholeBoxAroundALeafThatFails) {
  const auto placed = Placed({3, 4, 4, 4, 5, 5});
  const ChosenNodes chosen = ChooseNodes(placed, std::vector<uint8_t>(6, 1), Misfits::kUp, kTwo);
  EXPECT_EQ(Chosen(chosen), (Parts{{1, 4}, {5, 2}}));
  EXPECT_EQ(chosen.raised, 4);
  EXPECT_EQ(chosen.misfits, 0);
}

TEST(ChooseNodes, GoesUpUntilABoxHoldsAndLeavesNothingSmallerInside) {
  const auto placed = Placed({3, 5, 5, 6, 6});
  EXPECT_EQ(Chosen(ChooseNodes(placed, std::vector<uint8_t>(5, 1), Misfits::kUp, kTwo)), (Parts{{0, 5}}));
}

TEST(ChooseNodes, WithholdsTheRowsOfALeafThatFails) {
  const auto placed = Placed({3, 4, 4, 4, 5, 5});
  const ChosenNodes chosen = ChooseNodes(placed, std::vector<uint8_t>(6, 1), Misfits::kWithhold, kTwo);
  EXPECT_EQ(Chosen(chosen), (Parts{{4, 3}, {5, 2}}));
  EXPECT_EQ(chosen.misfits, 1);
}

TEST(ChooseNodes, WithholdsWhatNoLeafCoversUnlessTheBoxAroundItIsReleasedAnyway) {
  const std::vector<uint8_t> all(6, 1);
  const ChosenNodes chosen = ChooseNodes(Placed({3, 3, 4, 4, 1, kNone}), all, Misfits::kUp, kTwo);
  EXPECT_EQ(Chosen(chosen), (Parts{{3, 2}, {4, 2}}));
  EXPECT_EQ(chosen.uncovered, 2);
  EXPECT_EQ(Chosen(ChooseNodes(Placed({3, 4, 4, 4, 1, kNone}), all, Misfits::kUp, kTwo)), (Parts{{1, 5}}));
  EXPECT_EQ(Chosen(ChooseNodes(Placed({1, 1, 1, kNone, kNone, kNone}), all, Misfits::kUp, kTwo)), (Parts{{1, 3}}));
}

TEST(ChooseNodes, LeavesOutWhatMayNotBeReleased) {
  const auto placed = Placed({3, 3, 3, 4, 4, 4});
  EXPECT_EQ(Chosen(ChooseNodes(placed, {1, 0, 1, 1, 1, 0}, Misfits::kUp, kTwo)), (Parts{{3, 2}, {4, 2}}));
}

}  // namespace
}  // namespace tada
