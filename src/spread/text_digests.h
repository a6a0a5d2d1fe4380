#pragma once

// Hashes of texts, by which rows are told apart when they are counted twice: before and after they travelled.

#include <array>
#include <cstdint>
#include <string_view>

namespace tada {

/// Two hashes of a text, the same on every machine; texts with different tags are different ones. They find accidents, not attacks.
std::array<uint64_t, 2> TextDigest(uint8_t tag, std::string_view text);

}  // namespace tada
