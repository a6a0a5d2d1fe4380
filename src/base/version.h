#pragma once

// The version of tada, from CMakeLists.txt: printed by --version, written into every report and manifest.

namespace tada {
extern const char* const kVersion;
}  // namespace tada
