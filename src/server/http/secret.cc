#include "server/http/secret.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <vector>

#include "base/status.h"

namespace tada {

std::string RandomHex(size_t bytes) {
  std::vector<unsigned char> random(bytes);
  const bool filled = getrandom(random.data(), bytes, 0) == static_cast<ssize_t>(bytes);  // whole below 256 bytes
  TADA_ASSERT(filled);
  return fmt::format("{:02x}", fmt::join(random, ""));
}

bool EqualSecrets(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differ = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    differ |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  }
  return differ == 0;
}

}  // namespace tada
