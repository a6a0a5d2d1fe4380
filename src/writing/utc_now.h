#pragma once

// The time now, UTC, as reports and logs write it.

#include <string>

namespace tada {

/// As `form` (strftime's) writes it.
std::string UtcNow(const char* form);

/// For programs to read: "2026-01-31T23:59:59Z".
std::string UtcStamp();

}  // namespace tada
