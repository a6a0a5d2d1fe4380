#pragma once

// What cells of a workbook hold: numbers are dates if the format of their cell shows dates.

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "files/rows/zip_parts.h"

namespace tada {

/// By the number of a style: whether it shows dates.
Result<std::vector<bool>> ReadDateStyles(const ZipParts& parts);

/// A number of days as workbooks count them, as 2024-02-29 or 2024-02-29T12:30:00; "" if it is no day.
std::string DayText(double serial, bool from_1904);

/// A number as it is stored, in its shortest form: 0.1, not 0.10000000000000001. What is no number stays as it is.
std::string StoredNumber(std::string_view text);

}  // namespace tada
