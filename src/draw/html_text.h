#pragma once

// Pieces of HTML. Everything that comes from data passes through Escape: column names may hold markup.

#include <string>
#include <string_view>
#include <vector>

namespace tada {

/// Text that HTML and SVG show as it is, in content and in quoted attributes. Control characters become U+FFFD.
std::string Escape(std::string_view text);

struct HtmlTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> right;  ///< columns of numbers, set right-aligned; may be shorter than the header
  bool cells_are_html = false;
};

/// A table whose cells are escaped unless `cells_are_html`; scrolls by itself when it is wider than the page.
std::string ToHtml(const HtmlTable& table);

}  // namespace tada
