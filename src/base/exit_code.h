#pragma once

// Exit codes: an interface (docs/formats.md, "Exit codes"). The program ends with them; the server and the C library name them.

#include "base/status.h"

namespace tada {

inline constexpr int kExitPassed = 0;
inline constexpr int kExitAuditFailed = 1;
inline constexpr int kExitNotVerified = 6;
inline constexpr int kExitInternal = 70;
inline constexpr int kExitInterrupted = 130;

/// 2, 3, 4 or 5.
constexpr int ExitCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return 2;
    case ErrorCode::kData:
      return 3;
    case ErrorCode::kInfeasible:
      return 4;
    case ErrorCode::kIo:
      return 5;
  }
  return kExitInternal;
}

}  // namespace tada
