#include "writing/writing.h"

#include <algorithm>

#include "writing/date_format.h"
#include "writing/number_format.h"

namespace tada {

Result<Writing> Writing::Dates(std::string_view format) {
  TADA_CHECK_OK(CheckDateFormat(format));
  return Writing(std::string(format));
}

Result<Writing> Writing::Parse(std::string_view text) {
  if (text.empty()) return Writing();
  if (text == "comma" || text == "point") return Numbers(text == "comma");
  return Dates(text);
}

std::optional<std::string> Writing::Plain(std::string_view text) const {
  if (is_plain()) return std::nullopt;
  return is_dates() ? PlainDate(text, text_) : PlainNumber(text, has_decimal_comma());
}

std::string Writing::Write(std::string_view plain) const {
  if (is_dates()) return WriteDate(plain, text_);
  std::string text(plain);
  if (has_decimal_comma()) std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

}  // namespace tada
