#pragma once

// key: makes a secret key, for pseudonyms and for signatures below manifests.

#include <string>

#include "base/option.h"
#include "base/status.h"

namespace tada {

/// The options that the command takes.
OptionSpecs KeyCommandOptions();

/// Writes a new key to a file that nobody but its owner may read, and returns its public half. Never overwrites a file: whatever was
/// made with a lost key cannot be made again.
Result<std::string> MakeKey(const std::string& path);

/// The public half of a key.
Result<std::string> PublicKeyOf(const std::string& path);

}  // namespace tada
