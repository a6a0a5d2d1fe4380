#include "learn/network/small_network.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace tada {
namespace {

// Two names per column; the class is whether they differ, which no single column tells.
struct Rows {
  std::vector<NetworkTerm> terms;
  std::vector<float> wanted;
};

Rows Differ(size_t count, uint64_t seed, bool numbers) {
  Random random(seed);
  Rows rows;
  for (size_t i = 0; i < count; ++i) {
    const auto a = static_cast<uint32_t>(random.Below(2)), b = static_cast<uint32_t>(random.Below(2));
    const auto z = static_cast<float>(2 * random.Unit() - 1);
    rows.terms.insert(rows.terms.end(), {{a, 1.0f}, {2 + b, 1.0f}, {4, z}});
    rows.wanted.push_back(numbers ? (a != b ? z : -z) : static_cast<float>(a != b));
  }
  return rows;
}

std::vector<float> Ask(const SmallNetwork& network, std::span<const NetworkTerm> terms) {
  std::vector<float> out(network.outputs());
  network.Finish(network.Begin(terms), out);
  return out;
}

TEST(SmallNetwork, LearnsAClassThatNoColumnTellsAlone) {
  SmallNetwork network(5, 2, 1);
  for (uint64_t step = 0; step < 300; ++step) {
    const Rows rows = Differ(64, step, false);
    network.Step(rows.terms, 3, rows.wanted);
  }
  const Rows test = Differ(200, 1000, false);
  for (size_t i = 0; i < test.wanted.size(); ++i) {
    const auto out = Ask(network, std::span(test.terms).subspan(i * 3, 3));
    EXPECT_EQ(out[1] > out[0], test.wanted[i] == 1.0f);
  }
}

TEST(SmallNetwork, LearnsANumber) {
  SmallNetwork network(5, 0, 1);
  for (uint64_t step = 0; step < 600; ++step) {
    const Rows rows = Differ(64, step, true);
    network.Step(rows.terms, 3, rows.wanted);
  }
  const Rows test = Differ(200, 1000, true);
  double squares = 0;
  for (size_t i = 0; i < test.wanted.size(); ++i) {
    squares += std::pow(Ask(network, std::span(test.terms).subspan(i * 3, 3))[0] - test.wanted[i], 2);
  }
  EXPECT_LT(squares / 200, 0.02);
}

TEST(SmallNetwork, TermsMayBeAddedLater) {
  SmallNetwork network(5, 2, 7);
  const std::vector<NetworkTerm> all = {{0, 1}, {3, 1}, {4, 0.5f}};
  SmallNetwork::FirstLayer layer = network.Begin(std::span(all).first(1));
  network.Add(std::span(all).subspan(1), layer);
  std::vector<float> out(2);
  network.Finish(layer, out);
  EXPECT_EQ(out, Ask(network, all));
}

TEST(SmallNetwork, TheSeedDecides) {
  const std::vector<NetworkTerm> row = {{0, 1}, {3, 1}, {4, 0.5f}};
  EXPECT_EQ(Ask(SmallNetwork(5, 2, 7), row), Ask(SmallNetwork(5, 2, 7), row));
  EXPECT_NE(Ask(SmallNetwork(5, 2, 7), row), Ask(SmallNetwork(5, 2, 8), row));
}

}  // namespace
}  // namespace tada
