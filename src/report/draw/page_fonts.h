#pragma once

// The font of pages that are one file, as a style sheet with the font in it: web/src/page_fonts.css, bundled when the program is built.
// The content security policy of such a page has to allow font-src data:.

#include <string_view>

namespace tada {

std::string_view PageFonts();

}  // namespace tada
