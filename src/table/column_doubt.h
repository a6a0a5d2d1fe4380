#pragma once

// What is said of a column whose values do not tell what they are.

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "table/column.h"

namespace tada {

/// That the values of a column can be read in several ways, and how to say which is right.
Error UndecidedWriting(std::string_view column, const std::vector<Writing>& writings);

/// A doubt for the people who know the data: "Column age: 3 of 200 rows hold no numbers (rows 17, 90, 133) ...". It names rows and, with
/// `show_values`, words: it is not for those who get the release. "" without one.
std::string DoubtWords(const Column& column, bool show_values);

}  // namespace tada
