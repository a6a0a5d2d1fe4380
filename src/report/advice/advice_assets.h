#pragma once

// Script and style of the page of advice: web/src/advice.tsx, bundled when the program is built.

#include <string_view>

namespace tada {

std::string_view AdviceScript();
std::string_view AdviceStyle();

}  // namespace tada
