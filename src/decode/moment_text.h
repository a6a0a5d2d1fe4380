#pragma once

// Writes dates and times that no cell spells, such as means, as the others of their column are spelled.

#include <string>
#include <string_view>

namespace tada {

/// How the moments of a column are spelled. At first: as days.
struct MomentStyle {
  double per_day = 1;     ///< units in a day: 1, minutes, seconds or microseconds
  char separator = 'T';   ///< between day and time
  bool has_zone = false;  ///< written in UTC, with `Z` behind

  /// Takes over what `text`, a date or a time stamp, has and the ones before had not.
  void Follow(std::string_view text);
  /// The last moment that can be written, up to a number of days since 1970-01-01.
  double RoundDown(double days) const;
};

/// A moment in days since 1970-01-01, rounded down; one outside the years 0 to 9999 is the nearest day inside.
std::string MomentText(double days, const MomentStyle& style);

}  // namespace tada
