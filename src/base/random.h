#pragma once

// Seeded random numbers that are the same on every machine and standard library (std::shuffle and the std
// distributions are not). SplitMix64 to make seeds, xoshiro256** to draw.

#include <cstdint>
#include <span>
#include <utility>

namespace tada {

/// Mixes one word into another; the result looks random. Used for seeds of parts ("seed 1, controller 3").
inline uint64_t MixSeed(uint64_t seed, uint64_t part) {
  uint64_t z = seed + 0x9E3779B97F4A7C15ull * (part + 1);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

class Random {
  __extension__ using Wide = unsigned __int128;

 public:
  explicit Random(uint64_t seed) {
    for (uint64_t i = 0; i < 4; ++i) state_[i] = MixSeed(seed, i);
  }

  uint64_t Next() {
    const uint64_t result = Rotate(state_[1] * 5, 7) * 9;
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = Rotate(state_[3], 45);
    return result;
  }

  /// Uniform in [0, bound), without bias; bound > 0.
  uint64_t Below(uint64_t bound) {
    for (;;) {
      const auto product = static_cast<Wide>(Next()) * bound;
      const auto low = static_cast<uint64_t>(product);
      if (low >= bound || low >= (0 - bound) % bound) return static_cast<uint64_t>(product >> 64);
    }
  }

  /// Uniform in [0, 1).
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

  template <class T>
  void Shuffle(std::span<T> items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }

 private:
  static uint64_t Rotate(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

  uint64_t state_[4];
};

}  // namespace tada
