#pragma once

// Shell completion, from the list of commands and the option table.

#include <string>
#include <string_view>

namespace tada {

/// The completion script for "bash", "zsh" or "fish".
std::string CompletionScript(std::string_view shell);

}  // namespace tada
