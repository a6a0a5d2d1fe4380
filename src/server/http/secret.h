#pragma once

// Secrets of the server: its token, names of tickets and jobs.

#include <string>
#include <string_view>

namespace tada {

/// Random bytes of the operating system, as twice as many hexadecimal digits.
std::string RandomHex(size_t bytes);

/// Whether two texts are equal, in a time that does not depend on where they differ.
bool EqualSecrets(std::string_view a, std::string_view b);

}  // namespace tada
