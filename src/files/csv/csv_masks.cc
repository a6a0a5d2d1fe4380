#include "files/csv/csv_masks.h"

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tada {
namespace {

constexpr uint64_t kOnes = 0x0101010101010101ull;

// The high bits of eight bytes side by side, the lowest for the byte of lowest value.
uint64_t Gather(uint64_t high_bits) { return (high_bits >> 7) * 0x0102040810204080ull >> 56; }

// Which of eight bytes equal `byte`. Exact, unlike the usual trick, whose borrows run over into the next byte.
uint64_t EqualTo(char byte, uint64_t word) {
  constexpr uint64_t kLow = 0x7F * kOnes;
  const uint64_t differs = word ^ kOnes * static_cast<unsigned char>(byte);
  return Gather(~(((differs & kLow) + kLow) | differs | kLow));
}

// The first byte in the lowest bits, whatever the machine.
uint64_t LoadInOrder(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return std::endian::native == std::endian::little ? word : __builtin_bswap64(word);
}

#if defined(__x86_64__)
// Bodies below are compiled for AVX2 and called only where the processor has it.
#define TADA_AVX2 __attribute__((target("avx2")))

struct Bytes64 {
  __m256i low, high;
};

TADA_AVX2 uint64_t SignsOf(const Bytes64& bytes) {
  const auto low = static_cast<uint32_t>(_mm256_movemask_epi8(bytes.low));
  const auto high = static_cast<uint32_t>(_mm256_movemask_epi8(bytes.high));
  return low | static_cast<uint64_t>(high) << 32;
}

TADA_AVX2 uint64_t EqualTo(char byte, const Bytes64& bytes) {
  const __m256i wanted = _mm256_set1_epi8(byte);
  return SignsOf({_mm256_cmpeq_epi8(bytes.low, wanted), _mm256_cmpeq_epi8(bytes.high, wanted)});
}

TADA_AVX2 void MaskBytesByAvx2(const char* bytes, size_t count, char delimiter, CsvMasks* masks) {
  for (size_t i = 0; i < count; ++i, bytes += 64) {
    const Bytes64 word{_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)),
                       _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + 32))};
    masks[i] = {EqualTo('"', word), EqualTo(delimiter, word), EqualTo('\n', word), EqualTo('\r', word), SignsOf(word)};
  }
}
#endif

}  // namespace

void MaskBytesPortably(const char* bytes, size_t count, char delimiter, CsvMasks* masks) {
  for (size_t i = 0; i < count; ++i, bytes += 64) {
    CsvMasks& mask = masks[i] = {};
    for (int at = 0; at < 64; at += 8) {
      const uint64_t word = LoadInOrder(bytes + at);
      mask.quotes |= EqualTo('"', word) << at;
      mask.delimiters |= EqualTo(delimiter, word) << at;
      mask.feeds |= EqualTo('\n', word) << at;
      mask.returns |= EqualTo('\r', word) << at;
      mask.high |= Gather(word & 0x80 * kOnes) << at;
    }
  }
}

MaskBytes* FastestMaskBytes() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return &MaskBytesByAvx2;
#endif
  return &MaskBytesPortably;
}

}  // namespace tada
