#include "compose/made_labels.h"

#include <algorithm>
#include <string>

namespace tada {

DateLevel DateLevelOf(std::string_view text) {
  std::string shape(text.substr(0, 8));
  std::replace_if(shape.begin(), shape.end(), [](char c) { return c >= '0' && c <= '9'; }, '0');
  if (shape == "0000-00") return DateLevel::kMonth;
  if (shape == "0000-Q0") return DateLevel::kQuarter;
  return shape == "0000s" ? DateLevel::kDecade : DateLevel::kNone;
}

bool IsGroupLabel(std::string_view text) {
  return text.ends_with(" (group)") || text.ends_with("...") ||
         (text.starts_with("cluster ") && text.ends_with(" values)"));
}

}  // namespace tada
