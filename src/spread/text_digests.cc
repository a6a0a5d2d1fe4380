#include "spread/text_digests.h"

#include <cstddef>

#include "base/random.h"

namespace tada {
namespace {

constexpr size_t kWord = 8;

// Up to eight bytes, the first of them lowest, on every machine.
uint64_t WordOf(std::string_view bytes) {
  uint64_t word = 0;
  for (size_t i = 0; i < bytes.size(); ++i) word |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
  return word;
}

}  // namespace

std::array<uint64_t, 2> TextDigest(uint8_t tag, std::string_view text) {
  // The length goes in first, so that zeros behind a text make another one.
  std::array<uint64_t, 2> digest{MixSeed(tag, text.size()), MixSeed(~uint64_t{tag}, text.size())};
  for (size_t at = 0; at < text.size(); at += kWord) {
    const uint64_t word = WordOf(text.substr(at, kWord));
    for (uint64_t& half : digest) half = MixSeed(half, word);
  }
  return digest;
}

}  // namespace tada
