#pragma once

// TOML for those who read it (plans, hierarchies, workloads). toml++ 3.3 and 3.4 assert what a file can break: "[?]" would abort the
// program. It is compiled here with assertions of our own, so include this instead of <toml++/toml.h>, in few files: it is large.
//   An assertion that fails in the parser is thrown. Some functions of toml++ may not throw, which would end the program: there it is
//   only noted, the reader goes on over what it has (those functions stay inside their buffers), and ParseToml refuses the text.

#include <stdexcept>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tada {

struct TomlAssertion : std::logic_error {
  using std::logic_error::logic_error;
};

/// An assertion of toml++ failed in `function`: throws, or notes it where a throw would be the end.
void FailTomlAssertion(const char* function);

/// Whether an assertion was noted in this thread since this was asked last.
bool TakeTomlFailure();

}  // namespace tada

#undef TOML_HEADER_ONLY
#undef TOML_SHARED_LIB
#define TOML_HEADER_ONLY 1  // the installed library has assertions of its own
#define TOML_ASSERT(expr) ((expr) ? static_cast<void>(0) : ::tada::FailTomlAssertion(__func__))
#include <toml++/toml.h>

namespace tada {

/// The first line that opens a table with a name toml++ stumbles over, from 1 on; 0 if none does.
size_t LineOfBadHeader(std::string_view text);

/// The first line with a character beyond ASCII outside of quotes and comments, which TOML does not allow and where toml++ does what
/// is undefined; 0 if there is none.
size_t LineOfBareCharacter(std::string_view text);

inline Result<toml::table> ParseToml(std::string_view text, const std::string& path) {
  if (const size_t line = LineOfBareCharacter(text); line > 0) {
    return InvalidArgument("{}:{}: not TOML: characters beyond A to Z need quotes", path, line)
        .WithHint("Quote names and texts: [columns.\"größe\"]");
  }
  TakeTomlFailure();
  try {
    toml::table table(toml::parse(text));
    if (TakeTomlFailure()) throw TomlAssertion("noted");
    return table;
  } catch (const toml::parse_error& error) {
    return InvalidArgument("{}:{}:{}: not TOML: {}", path, error.source().begin.line, error.source().begin.column,
                           error.description());
  } catch (const TomlAssertion&) {
    const size_t line = LineOfBadHeader(text);
    if (line == 0) return InvalidArgument("{}: not TOML", path).WithHint("Is it another kind of file?");
    return InvalidArgument("{}:{}: not TOML: the name of a table has characters that need quotes", path, line)
        .WithHint("Names of letters A to Z, digits, - and _ need none; quote others: [columns.\"größe\"]");
  }
}

}  // namespace tada
