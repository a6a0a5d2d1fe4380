#pragma once

// What is said of a column whose values do not tell what they are, or not what they should be, and where they stand.
//   line    of the file, where it has lines: a header and cells of several lines make it another number than the row's.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "table/column.h"

namespace tada {

/// On which lines of a file rows begin. Asked only where a message names them, since it may take a pass over the file.
class RowLines {
 public:
  virtual ~RowLines() = default;
  /// Of rows counted from 0, ascending; nothing if the file cannot be read again.
  virtual std::vector<uint64_t> Of(const std::vector<uint64_t>& rows) const = 0;
};

/// Where rows stand: "line 18", "lines 18, 91"; without lines "row 17". Rows are counted from 0.
std::string PlacesOfRows(const std::vector<uint64_t>& rows, const RowLines* lines);

/// The first row with this code, counted from 0.
RowId FirstRow(const Column& column, Code code);
/// Where a row of a column stands, and where one with this code first does.
std::string PlaceOfRow(const Column& column, RowId row);
std::string FirstPlace(const Column& column, Code code);

/// The mark of a row in the message of somebody who does not know the file, and the text with such marks replaced by places.
std::string RowMark(uint64_t row);
std::string WithPlaces(std::string_view text, const RowLines* lines);

/// That the values of a column can be read in several ways, and how to say which is right.
Error UndecidedWriting(std::string_view column, const std::vector<Writing>& writings);

/// A doubt for the people who know the data: "Column age is taken for names: all but 3 of its rows hold numbers (lines 17, 90, 133) ...". It says where and, with
/// `show_values`, words: it is not for those who get the release. "" without one.
std::string DoubtWords(const Column& column, bool show_values);

}  // namespace tada
