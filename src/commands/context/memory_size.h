#pragma once

// Sizes as --memory takes and shows them.

#include <cstdint>
#include <string>

#include "base/status.h"

namespace tada {

/// In bytes: 512MB, 2 GB, 1500000000.
Result<uint64_t> MemoryOf(const std::string& text);
/// What MemoryOf takes back to as many bytes, in the largest unit that fits: 4GB.
std::string MemoryText(uint64_t bytes);

}  // namespace tada
