#pragma once

#include <string>

namespace tada {

/// The man page of the program, in roff.
std::string ManPage();

}  // namespace tada
