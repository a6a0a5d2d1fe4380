#pragma once

// The SHA-256 of files, by OpenSSL.

#include <string>

#include "base/status.h"

namespace tada {

/// In hex, of the bytes as they are stored, packed or not. kData if the file cannot be read or changes meanwhile.
Result<std::string> Sha256OfFile(const std::string& path);

}  // namespace tada
