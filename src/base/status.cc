#include "base/status.h"

namespace tada {

void FailAssert(const char* expression, const char* file, int line) {
  throw InternalError(fmt::format("assertion failed: {} ({}:{})", expression, file, line));
}

}  // namespace tada
