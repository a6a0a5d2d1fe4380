#pragma once

// Reads and writes dates by a format (writing/writing.h says which).

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tada {

/// Whether a format says a day, once; the error says what it lacks.
Status CheckDateFormat(std::string_view format);

/// `YYYY-MM-DD`, with the time of day behind a T if the format has one; nothing if `text` is not such a date, or no day of the calendar.
std::optional<std::string> PlainDate(std::string_view text, std::string_view format);

/// A plain date, or a time stamp, in a format.
std::string WriteDate(std::string_view plain, std::string_view format);

}  // namespace tada
