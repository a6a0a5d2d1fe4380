#pragma once

// Labels that our own hierarchies write where no interval, set or pattern says it (hierarchy/hierarchy_builders.h): by themselves
// they look like names, and which values are below them is not written.

#include <string_view>

namespace tada {

/// `2024-02` month, `2024-Q1` quarter, `2020s` decade.
enum class DateLevel { kNone, kMonth, kQuarter, kDecade };
DateLevel DateLevelOf(std::string_view text);

/// `cluster 01 (25 values)`, `{a,b} (group)`, and `A01...` of codes of unequal lengths.
bool IsGroupLabel(std::string_view text);

}  // namespace tada
