#pragma once

// What the values of a released column are, told from its cells alone.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/parsed_cell.h"

namespace tada {

/// Numbers, or dates, if more than half of the different cells read as such; masks and missing values say nothing.
Reading DecideReading(std::span<const std::string_view> cells, std::span<const std::string> missing);

/// Whether a cell is a spelling of "missing": nothing, or one of `missing`.
bool IsMissingText(std::string_view text, std::span<const std::string> missing);

}  // namespace tada
