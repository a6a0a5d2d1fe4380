#include "audit/reading.h"

#include <algorithm>

namespace tada {

bool IsMissingText(std::string_view text, std::span<const std::string> missing) {
  return text.empty() || std::find(missing.begin(), missing.end(), text) != missing.end();
}

Reading DecideReading(std::span<const std::string_view> cells, std::span<const std::string> missing) {
  size_t all = 0, numbers = 0, dates = 0;
  const auto counts = [](std::string_view text, Reading reading) {
    return IsValue(text, reading) || ParseCell(text, reading).form == ParsedCell::Form::kInterval;
  };
  for (const std::string_view text : cells) {
    if (IsMissingText(text, missing) || text.find_first_not_of('*') == std::string_view::npos) continue;
    ++all;
    if (counts(text, Reading::kNumbers)) {
      ++numbers;
    } else if (counts(text, Reading::kDates)) {
      ++dates;
    }
  }
  if (numbers * 2 > all) return Reading::kNumbers;
  return dates * 2 > all ? Reading::kDates : Reading::kNames;
}

}  // namespace tada
