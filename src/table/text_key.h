#pragma once

// What texts are told apart by before their bytes are looked at.
//   word   of a text of up to eight bytes: the bytes themselves, so that words of one size are equal where the texts
//          are; of a longer one: a hash of its bytes.
//   key    a text as a piece of larger bytes, with its word. Whoever cuts the bytes makes it, while they are in the cache.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tada {

inline constexpr size_t kShortText = 8;

/// Both halves of the product, folded: every bit of it depends on all bits of both.
inline uint64_t Fold(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t LoadWord(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// The word of a text of up to eight bytes. `readable`: how many bytes there are from `at` on, the text's and others.
inline uint64_t ShortWord(const char* at, size_t size, size_t readable) {
  if (readable < kShortText) {
    uint64_t word = 0;
    if (size > 0) std::memcpy(&word, at, size);
    return word;
  }
  if (size == 0) return 0;
  const size_t others = 8 * (kShortText - size);
  return LoadWord(at) & (std::endian::native == std::endian::little ? ~uint64_t{0} >> others : ~uint64_t{0} << others);
}

/// The word of a text of more than eight bytes.
inline uint64_t LongWord(const char* at, size_t size) {
  constexpr uint64_t kFirst = 0xA0761D6478BD642Full, kSecond = 0xE7037ED1A0B428DBull;
  const uint64_t last = LoadWord(at + size - 8);  // some of them perhaps again
  uint64_t hash = size;
  for (; size > 16; at += 8, size -= 8) hash = Fold(hash ^ LoadWord(at) ^ kFirst, kSecond);
  return Fold(hash ^ LoadWord(at) ^ kFirst, last ^ kSecond);
}

inline uint64_t TextWord(std::string_view text) {
  return text.size() <= kShortText ? ShortWord(text.data(), text.size(), text.size())
                                   : LongWord(text.data(), text.size());
}

struct TextKey {
  uint64_t word;
  uint32_t offset;
  uint32_t size;
};

}  // namespace tada
