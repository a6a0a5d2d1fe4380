#pragma once

// The bytes that matter to CSV, as bits: bit i of a mask is byte i of 64.

#include <cstddef>
#include <cstdint>

namespace tada {

struct CsvMasks {
  uint64_t quotes, delimiters, feeds, returns;
  uint64_t high;  // bytes that are not ASCII
};

/// Fills the masks of 64 bytes each. `bytes` holds 64 times `count` of them.
using MaskBytes = void(const char* bytes, size_t count, char delimiter, CsvMasks* masks);

/// Eight bytes at a time, on any machine.
MaskBytes MaskBytesPortably;
/// The fastest that this processor has.
MaskBytes* FastestMaskBytes();

}  // namespace tada
