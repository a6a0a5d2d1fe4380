#include "files/csv/csv_scanner.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tada {
namespace {

// For every bit, whether the number of bits up to it is odd.
uint64_t Parity(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

// Writes the places of the bits, and more than these: up to 64 in all. Eight at a time, since a branch for every bit
// would be guessed wrong at the last one.
uint32_t* WritePlaces(uint64_t bits, uint32_t base, uint32_t* out) {
  uint32_t* const end = out + std::popcount(bits);
  while (out < end) {
    for (int i = 0; i < 8; ++i, bits &= bits - 1) *out++ = base + static_cast<uint32_t>(std::countr_zero(bits));
  }
  return end;
}

}  // namespace

// ASCII bytes between characters are skipped.
void CsvScanner::CheckUtf8(const char* word, uint64_t high) {
  for (int i = 0; i < 64; ++i) {
    if (!utf8_.is_open()) {
      const uint64_t left = high >> i;
      if (left == 0) return;
      i += std::countr_zero(left);
    }
    utf8_.Take(static_cast<unsigned char>(word[i]));
  }
}

uint64_t CsvScanner::FollowByteByByte(const CsvMasks& masks) {
  uint64_t ends = 0;
  const uint64_t may_end = masks.delimiters | masks.feeds | masks.returns;
  for (uint64_t bit = 1; bit != 0; bit <<= 1) {
    if (masks.quotes & bit) {
      const bool opens = !open_ && may_open_;
      may_open_ = open_;
      open_ = opens;
    } else if (!open_) {
      may_open_ = (may_end & bit) != 0;
      if (may_open_) ends |= bit;
    }
  }
  return ends;
}

// `word` is the bit of these 64 bytes in the step.
uint64_t CsvScanner::EndsIn(const CsvMasks& masks, uint64_t word) {
  uint64_t ends = masks.delimiters | masks.feeds | masks.returns;
  if (masks.quotes == 0) {
    if (open_) return 0;
    if (after_quote_ && (ends & 1) == 0) doubtful_ |= word;
    after_quote_ = false;
    may_open_ = ends >> 63 != 0;
  } else {
    const uint64_t inside = Parity(masks.quotes) ^ (open_ ? ~uint64_t{0} : 0);
    const uint64_t regular = ends & ~inside;
    const uint64_t may_open = (regular | masks.quotes) << 1 | (may_open_ ? 1 : 0);
    if ((masks.quotes & inside & ~may_open) != 0) {
      ends = FollowByteByByte(masks);
      doubtful_ |= word;
      after_quote_ = true;
    } else {
      const uint64_t closing = masks.quotes & ~inside;
      if (((closing << 1 | (after_quote_ ? 1 : 0)) & ~regular) != 0) doubtful_ |= word;
      after_quote_ = closing >> 63 != 0;
      ends = regular;
      open_ = inside >> 63 != 0;
      may_open_ = (regular | masks.quotes) >> 63 != 0;
    }
  }
  const uint64_t returns = ends & masks.returns;
  ends &= ~(masks.feeds & (returns << 1 | (after_return_ ? 1 : 0)));
  after_return_ = returns >> 63 != 0;
  return ends;
}

size_t CsvScanner::Next(std::string_view bytes, Ends& ends) {
  const size_t count = std::min(kStep, bytes.size() - at_);
  const char* from = bytes.data() + at_;
  char padded[kStep];
  if (count < kStep) {  // zeros behind the last byte end nothing but a character that is not complete
    std::memcpy(padded, from, count);
    std::memset(padded + count, 0, kStep - count);
    from = padded;
  }
  CsvMasks masks[kStep / 64];
  const size_t words = std::min(count / 64 + 1, kStep / 64);
  mask_bytes_(from, words, delimiter_, masks);
  if (doubtful_ != 0) plain_from_ = step_ + 64 * static_cast<size_t>(std::bit_width(doubtful_));
  doubtful_ = 0;
  step_ = at_;
  uint32_t* out = ends.data();
  for (size_t i = 0; i < words; ++i) {
    if (masks[i].high != 0 || utf8_.is_open()) CheckUtf8(from + 64 * i, masks[i].high);
    const auto base = static_cast<uint32_t>(at_ + 64 * i);
    out = WritePlaces(EndsIn(masks[i], uint64_t{1} << i), base, out);
  }
  at_ += count;
  at_end_ = at_ == bytes.size();
  return static_cast<size_t>(out - ends.data());
}

}  // namespace tada
