#pragma once

// Faults seeded on purpose, to see that the audit finds them (docs/guarantees.md, `make faults`). TADA_FAULT("name") is false, and gone, in every
// program but tada-faults, where it asks whether the environment variable TADA_FAULT names it.

#ifdef TADA_FAULTS
#include <cstdlib>
#include <string_view>

namespace tada {

inline bool IsSeeded(std::string_view fault) {
  static const char* const asked = std::getenv("TADA_FAULT");
  return asked != nullptr && fault == asked;
}

}  // namespace tada
#define TADA_FAULT(name) ::tada::IsSeeded(name)
#else
#define TADA_FAULT(name) false
#endif
