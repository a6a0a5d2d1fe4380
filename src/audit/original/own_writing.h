#pragma once

// Reads values that are written in another way than plainly (writing/writing.h), by code of the audit's own: cuts a text into runs of
// digits and letters and lays them beside the fields of the format, where the reader of tables goes through both sign by sign.

#include <string>
#include <string_view>

#include "writing/writing.h"

namespace tada {

/// A value plainly; "" if it cannot be read.
std::string OwnPlainValue(std::string_view text, const Writing& writing);

/// A released cell with its values plain: `["1,5","2,75"]` is `[1.5,2.75]`. What cannot be read stays as it is.
std::string OwnPlainCell(std::string_view cell, const Writing& writing);

}  // namespace tada
