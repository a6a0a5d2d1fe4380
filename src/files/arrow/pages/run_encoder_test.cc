#include "files/arrow/pages/run_encoder.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace tada {
namespace {

/// Reads the encoding as its specification tells, a number at a time.
std::vector<uint32_t> Decode(const std::string& bytes, int width) {
  std::vector<uint32_t> numbers;
  size_t at = 0;
  const auto byte = [&] { return static_cast<uint64_t>(static_cast<unsigned char>(bytes.at(at++))); };
  while (at < bytes.size()) {
    uint64_t header = 0;
    for (int shift = 0;; shift += 7) {
      const uint64_t next = byte();
      header |= (next & 0x7F) << shift;
      if (next < 0x80) break;
    }
    if ((header & 1) == 0) {
      uint32_t number = 0;
      for (int i = 0; i < (width + 7) / 8; ++i) number |= static_cast<uint32_t>(byte() << (8 * i));
      numbers.insert(numbers.end(), header >> 1, number);
      continue;
    }
    const size_t first_bit = 8 * at;
    for (uint64_t i = 0; i < (header >> 1) * 8; ++i) {
      uint32_t number = 0;
      for (int bit = 0; bit < width; ++bit) {
        const size_t place = first_bit + i * static_cast<size_t>(width) + static_cast<size_t>(bit);
        number |= static_cast<uint32_t>(static_cast<unsigned char>(bytes.at(place / 8)) >> (place % 8) & 1) << bit;
      }
      numbers.push_back(number);
    }
    at += (header >> 1) * static_cast<size_t>(width);
  }
  return numbers;
}

TEST(RunEncoder, WritesLongRunsAsRunsAndOthersPacked) {
  RunEncoder encoder(1);
  encoder.Put(1, 1'000);
  EXPECT_EQ(encoder.Finish(), std::string("\xD0\x0F\x01", 3));  // 1,000 of them
  RunEncoder three(3);
  for (uint32_t number = 0; number < 8; ++number) three.Put(number);
  EXPECT_EQ(three.Finish(), std::string("\x03\x88\xC6\xFA", 4));  // the example of the specification
  EXPECT_EQ(three.Finish(), "");
}

TEST(RunEncoder, IsReadBackWhateverTheRuns) {
  EXPECT_TRUE(rc::check("numbers come back, but for the padding", [] {
    const int width = *rc::gen::inRange(1, 33);
    const uint32_t most = width == 32 ? ~uint32_t{0} : (uint32_t{1} << width) - 1;
    RunEncoder encoder(width);
    for (int round = 0; round < 2; ++round) {
      std::vector<uint32_t> put;
      for (int run = *rc::gen::inRange(0, 200); run > 0; --run) {
        const uint32_t number = *rc::gen::arbitrary<uint32_t>() & most;
        const size_t count = *rc::gen::element<size_t>(1, 1, 1, 2, 3, 7, 8, 9, 30, 600);
        encoder.Put(number, count);
        put.insert(put.end(), count, number);
      }
      std::vector<uint32_t> read = Decode(encoder.Finish(), width);
      RC_ASSERT(read.size() >= put.size() && read.size() < put.size() + 8);
      read.resize(put.size());
      RC_ASSERT(read == put);
    }
  }));
}

}  // namespace
}  // namespace tada
