#include "base/disk/toml_file.h"

#include <utility>

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

thread_local bool noted = false;

}  // namespace

void FailTomlAssertion(const char* function) {
  const std::string_view name = function;
  if (name.starts_with("parse") || name.starts_with("read")) throw TomlAssertion(function);  // these may
  noted = true;
}

bool TakeTomlFailure() { return std::exchange(noted, false); }

size_t LineOfBadHeader(std::string_view text) {
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (IsBadHeader(text.substr(0, end))) return number;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}

size_t LineOfBareCharacter(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string_view open;  // the quotes, or the mark of a comment, that we are in
  size_t line = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      if (open.size() < 3) open = {};  // only three quotes go on in the next line
    } else if (open.empty()) {
      if (static_cast<unsigned char>(c) >= 0x80) return line;
      if (c == '#') open = "#";
      if (c != '"' && c != '\'') continue;
      const std::string_view three = text.substr(i, 3);
      open = three == "\"\"\"" || three == "'''" ? three : text.substr(i, 1);
      i += open.size() - 1;
    } else if (c == '\\' && open[0] == '"') {
      ++i;  // whatever follows is no quote
    } else if (open[0] != '#' && text.substr(i).starts_with(open)) {
      i += open.size() - 1;
      open = {};
    }
  }
  return 0;
}

}  // namespace tada
