#include "base/log2.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace tada {
namespace {

TEST(Log2, IsExactForPowersOfTwo) {
  for (int e = -40; e <= 60; ++e) EXPECT_EQ(Log2(std::ldexp(1.0, e)), e);
}

TEST(Log2, IsWithinOneAndAHalfUnitsInTheLastPlace) {
  double worst = 0;
  const auto look = [&](double x) {
    const long double truth = std::log2(static_cast<long double>(x));
    const double unit =
        std::nextafter(std::abs(static_cast<double>(truth)), INFINITY) - std::abs(static_cast<double>(truth));
    worst = std::max(worst, static_cast<double>(std::abs(Log2(x) - truth)) / unit);
  };
  for (uint64_t x = 3; x < 2'000'000; x += 7) look(static_cast<double>(x));
  for (uint64_t x = 3; x < uint64_t{1} << 40; x = x * 9 / 8 + 1) look(static_cast<double>(x));
  EXPECT_LT(worst, 1.5);
}

// With fused multiply-add (-mfma -ffp-contract=fast) this is another number.
TEST(Log2, GivesTheSameBitsEverywhere) {
  uint64_t digest = 0;
  for (uint64_t x = 3; x < 100'000; ++x) digest = digest * 31 + std::bit_cast<uint64_t>(Log2(static_cast<double>(x)));
  EXPECT_EQ(digest, 0x2ee93c26d5a4ab6bu);
}

TEST(Exp2, IsThePowerToTheLastBits) {
  for (double x = -60; x < 60; x += 0.37) EXPECT_NEAR(Exp2(x) / std::exp2(x), 1, 1e-15) << x;
  EXPECT_EQ(Exp2(0), 1);
  EXPECT_EQ(Exp2(-3), 0.125);
  EXPECT_EQ(Exp2(-2000), 0);
}

}  // namespace
}  // namespace tada
