#pragma once

// Pieces of HTML. Everything that comes from data passes through Escape: column names may hold markup.

#include <string>
#include <string_view>
#include <vector>

#include "base/note_section.h"

namespace tada {

/// Text that HTML and SVG show as it is, in content and in quoted attributes. Control characters become U+FFFD.
std::string Escape(std::string_view text);

/// The same for words to read: an option, --sensitive, is not broken after its dashes.
std::string EscapeWords(std::string_view text);

/// Whether the cells of a table are plain text or HTML that was escaped before.
enum class CellsAre { kText, kHtml };

/// A table; scrolls by itself when it is wider than the page. Headings are always text.
std::string ToHtml(const DataTable& table, CellsAre cells = CellsAre::kText);

}  // namespace tada
