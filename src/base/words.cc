#include "base/words.h"

#include <fmt/format.h>

namespace tada {

std::string PluralWord(uint64_t count, std::string_view word, std::string_view plural) {
  if (count == 1) return std::string(word);
  return plural.empty() ? fmt::format("{}s", word) : std::string(plural);
}

std::string Plural(uint64_t count, std::string_view word, std::string_view plural) {
  return fmt::format("{} {}", count, PluralWord(count, word, plural));
}

}  // namespace tada
