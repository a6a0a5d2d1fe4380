#include "base/toml_file.h"

namespace tada {
namespace {

// Whether toml++ knows how a name begins with this.
bool BeginsAName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '"' || c == '\'' || c == ']';
}

bool IsBadHeader(std::string_view line) {
  constexpr std::string_view kBlank = " \t";
  const size_t open = line.find_first_not_of(kBlank);
  if (open == std::string_view::npos || line[open] != '[') return false;
  const size_t name = line.find_first_not_of(kBlank, line.substr(open).starts_with("[[") ? open + 2 : open + 1);
  return name == std::string_view::npos || !BeginsAName(line[name]);
}

}  // namespace

size_t LineOfBadHeader(std::string_view text) {
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (IsBadHeader(text.substr(0, end))) return number;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}

}  // namespace tada
