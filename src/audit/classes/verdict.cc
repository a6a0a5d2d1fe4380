#include "audit/classes/verdict.h"

namespace tada {

std::string_view RowMatchName(RowMatch match) {
  switch (match) {
    case RowMatch::kNotChecked:
      return "not checked";
    case RowMatch::kGiven:
      return "given order";
    case RowMatch::kSameOrder:
      return "same order";
    case RowMatch::kFound:
      return "found";
    case RowMatch::kNone:
      return "none";
    case RowMatch::kUndecided:
      return "undecided";
  }
  return "";
}

}  // namespace tada
