#include "writing/utc_now.h"

#include <ctime>

namespace tada {

std::string UtcNow(const char* form) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, form, &utc)};
}

std::string UtcStamp() { return UtcNow("%Y-%m-%dT%H:%M:%SZ"); }

}  // namespace tada
