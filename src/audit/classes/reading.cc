#include "audit/classes/reading.h"

#include <algorithm>

namespace tada {

bool IsMissingText(std::string_view text, std::span<const std::string> missing) {
  return text.empty() || std::find(missing.begin(), missing.end(), text) != missing.end();
}

Reading DecideReading(std::span<const std::string_view> cells, std::span<const std::string> missing) {
  std::vector<std::string_view> texts;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(texts),
               [&](std::string_view text) { return !IsMissingText(text, missing); });
  return MostRead(texts);
}

}  // namespace tada
