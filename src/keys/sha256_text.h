#pragma once

#include <string>
#include <string_view>

namespace tada {

/// The SHA-256 of a text, in hex.
std::string Sha256OfText(std::string_view text);

}  // namespace tada
