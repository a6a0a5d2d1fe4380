#pragma once

// Finds how the values of a column are written, by looking at all of them. Plain columns never come here.
//   dates     the shape of one value (digits, signs, a month's name) gives the orders of day, month and year that it may have, and
//             the values decide: a day above 12 does. Points part day, month and year in this order: nobody writes 12.31.1942.
//   numbers   the decimal sign that reads every value, all with the same unit around them.
//   mostly    if no writing reads all values: the one that reads most of them.

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "writing/writing.h"

namespace tada {

/// The writings that read every one of `values`, and differ in what they read; none if no writing does, several if the values do not decide.
std::vector<Writing> FindWritings(std::span<const std::string_view> values);

/// Writings that read `value`: candidates for a column in which it stands. Dates before numbers.
std::vector<Writing> WritingsOf(std::string_view value);

/// The same of the cells of a release: of values, and of bounds of intervals in brackets. Masks and empty cells say nothing.
std::vector<Writing> FindCellWritings(std::span<const std::string_view> cells);

/// Whether some cell is an interval with a quoted bound, as cells of columns with decimal commas are.
bool HasQuotedBounds(std::span<const std::string_view> cells);

/// A writing in words: "day/month/year", "decimal commas".
std::string WritingWords(const Writing& writing);

}  // namespace tada
