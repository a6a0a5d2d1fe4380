#include "table/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tada {
namespace {

TEST(RadixSort, SortsByKeysOfAnyWidthAndKeepsTheOrderOfEqualOnes) {
  for (const uint32_t num_keys : {1u, 2u, 7u, 2048u, 2049u, 70'000u, 5'000'000u, 4'000'000'000u}) {
    std::vector<uint32_t> keys(3000), items(keys.size());
    uint64_t state = num_keys;
    for (uint32_t& key : keys) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      key = static_cast<uint32_t>((state >> 33) * 7 % num_keys);
    }
    for (size_t i = 0; i < keys.size() / 2; ++i) keys[i] = keys[keys.size() - 1 - i];  // every key twice
    std::iota(items.begin(), items.end(), 0u);
    std::vector<uint32_t> expected = items;
    std::stable_sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    RadixSort(items, num_keys, [&](uint32_t i) { return keys[i]; });
    EXPECT_EQ(items, expected) << num_keys;
  }
}

}  // namespace
}  // namespace tada
