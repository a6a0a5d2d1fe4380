#include "commands/context/memory_size.h"

#include <cctype>
#include <charconv>
#include <map>

#include "base/option_mark.h"

namespace tada {

Result<uint64_t> MemoryOf(const std::string& text) {
  constexpr uint64_t kLeast = uint64_t{64} << 20;
  uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  std::erase(unit, ' ');
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const std::map<std::string, int> shifts = {{"", 0},    {"B", 0},  {"K", 10},  {"KB", 10}, {"M", 20},
                                             {"MB", 20}, {"G", 30}, {"GB", 30}, {"T", 40},  {"TB", 40}};
  const auto shift = shifts.find(unit);
  if (code != std::errc() || shift == shifts.end() || number > UINT64_MAX >> shift->second) {
    return InvalidArgument(TADA_OPTION("memory") " takes a size such as 512MB or 2GB, not '{}'", text);
  }
  const uint64_t bytes = number << shift->second;
  if (bytes < kLeast) {
    return InvalidArgument(TADA_OPTION("memory") " is too small: {}", text)
        .WithHint("Allow 64MB or more; the program itself needs some.");
  }
  return bytes;
}

std::string MemoryText(uint64_t bytes) {
  constexpr std::pair<int, const char*> kUnits[] = {{40, "TB"}, {30, "GB"}, {20, "MB"}, {10, "KB"}};
  for (const auto& [shift, unit] : kUnits) {
    if (bytes != 0 && bytes % (uint64_t{1} << shift) == 0) return fmt::format("{}{}", bytes >> shift, unit);
  }
  return fmt::format("{}", bytes);
}

}  // namespace tada
