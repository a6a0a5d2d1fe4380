#include "writing/number_format.h"

#include <algorithm>
#include <array>

#include "base/characters.h"
#include "writing/writing.h"

namespace tada {
namespace {

constexpr std::array<std::string_view, 31> kUnits = {
    "%",  "‰",   "€",   "$",   "£",   "¥",   "₹",   "₩",   "₽",   "₺",   "₪",   "zł",  "Kč",  "kr.", "kr", "Fr.",
    "R$", "US$", "EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "JPY", "CNY", "INR", "BRL"};
constexpr std::array<std::string_view, 3> kBlanks = {" ", "\xC2\xA0", "\xE2\x80\xAF"};  // also those that do not break
constexpr std::string_view kMinus = "\xE2\x88\x92", kApostrophe = "\xE2\x80\x99";

bool TakeFront(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

void TrimBlanks(std::string_view& text) {
  for (const std::string_view blank : kBlanks) {
    while (TakeFront(text, blank)) {
    }
    while (text.ends_with(blank)) text.remove_suffix(blank.size());
  }
}

bool TakeSign(std::string_view& text, bool& negative) {
  if (TakeFront(text, "-") || TakeFront(text, kMinus)) return negative = true;
  return TakeFront(text, "+");
}

// The longest unit at one end.
std::string_view UnitAt(std::string_view text, bool front) {
  std::string_view found;
  for (const std::string_view unit : kUnits) {
    const bool here = front ? text.starts_with(unit) : text.ends_with(unit);
    if (here && unit.size() > found.size()) found = unit;
  }
  return found;
}

// The length of what parts thousands at the front of `text`; 0 if nothing does.
size_t GroupSign(std::string_view text, bool decimal_comma) {
  if (text.empty()) return 0;
  if (text[0] == (decimal_comma ? '.' : ',') || text[0] == '\'') return 1;
  if (text.starts_with(kApostrophe)) return kApostrophe.size();
  for (const std::string_view blank : kBlanks) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

// Digits with their thousands apart, taken off the front into `out`; whether they are so.
bool TakeGroups(std::string_view& text, bool decimal_comma, std::string& out) {
  const auto take_digits = [&] {
    const size_t before = out.size();
    while (!text.empty() && IsDigit(text[0])) {
      out += text[0];
      text.remove_prefix(1);
    }
    return out.size() - before;
  };
  const size_t first = take_digits();
  const std::string_view sign = text.substr(0, GroupSign(text, decimal_comma));
  if (sign.empty()) return true;
  if (first == 0 || first > 3 || out[0] == '0') return false;
  while (TakeFront(text, sign)) {
    if (take_digits() != 3) return false;
  }
  return true;
}

}  // namespace

NumberParts TakeUnitsOff(std::string_view text) {
  NumberParts parts;
  TrimBlanks(text);
  const bool sign = TakeSign(text, parts.negative);
  parts.before = UnitAt(text, true);
  text.remove_prefix(parts.before.size());
  if (parts.before.empty()) {
    parts.behind = UnitAt(text, false);
    text.remove_suffix(parts.behind.size());
  }
  TrimBlanks(text);
  if (!sign) TakeSign(text, parts.negative);
  parts.body = text;
  return parts;
}

std::optional<std::string> PlainNumber(std::string_view text, bool decimal_comma) {
  const NumberParts parts = TakeUnitsOff(text);
  std::string_view body = parts.body;
  std::string plain = parts.negative ? "-" : "";
  std::string digits;
  if (!TakeGroups(body, decimal_comma, digits)) return std::nullopt;
  bool any = !digits.empty();
  plain += digits;
  if (!body.empty() && body[0] == (decimal_comma ? ',' : '.')) {
    plain += '.';
    for (body.remove_prefix(1); !body.empty() && IsDigit(body[0]); body.remove_prefix(1)) {
      plain += body[0];
      any = true;
    }
  }
  if (!any) return std::nullopt;
  if (!body.empty() && (body[0] == 'e' || body[0] == 'E')) {
    std::string_view exponent = body.substr(1);
    if (!exponent.empty() && (exponent[0] == '+' || exponent[0] == '-')) exponent.remove_prefix(1);
    if (exponent.empty() || exponent.size() > 4 || !std::all_of(exponent.begin(), exponent.end(), IsDigit))
      return std::nullopt;
    return plain.append(body);
  }
  return body.empty() ? std::optional(plain) : std::nullopt;
}

}  // namespace tada
