#pragma once

// Text for terminals: wrapped paragraphs and aligned columns. Widths count characters, not bytes.

#include <string>
#include <string_view>
#include <vector>

namespace tada {

/// The number of characters of a UTF-8 text.
size_t TextWidth(std::string_view text);

/// Breaks a paragraph at blanks so that lines, `indent` included, have at most `width` characters. The first line is not
/// indented; no line end at the end.
std::string Wrap(std::string_view text, size_t width, size_t indent);

/// Rows of cells, padded so that columns stand below each other, two blanks apart; `right` tells which columns are
/// aligned to the right. Each row ends with a line end.
std::string AlignColumns(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right);

}  // namespace tada
