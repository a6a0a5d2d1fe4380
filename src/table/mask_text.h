#pragma once

// Cells that stand for anything: `*`, or nothing but stars; PostgreSQL's `(,)`, a range without bounds, and `{NULL}`, a set of what is
// not known.

#include <string_view>

namespace tada {

inline bool IsMaskText(std::string_view text) {
  if (text == "(,)" || text == "{NULL}") return true;
  return !text.empty() && text.find_first_not_of('*') == std::string_view::npos;
}

}  // namespace tada
