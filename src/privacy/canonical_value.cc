#include "privacy/canonical_value.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <new>
#include <unordered_map>

#include "base/status.h"

namespace tada {
namespace {

constexpr std::array<std::string_view, 16> kMissingWords = {
    "", "?", ".", "-", "--", "na", "n/a", "n.a.", "#n/a", "#na", "<na>", "nan", "nat", "null", "nil", "missing"};

// Characters that White_Space has beside those that NFKC makes a blank.
constexpr std::array<std::string_view, 10> kBlanks = {" ",  "\t",       "\n",           "\v",           "\f",
                                                      "\r", "\xC2\x85", "\xE1\x9A\x80", "\xE2\x80\xA8", "\xE2\x80\xA9"};

std::string_view Trimmed(std::string_view text) {
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view blank : kBlanks) {
      if (text.starts_with(blank)) text.remove_prefix(blank.size()), again = true;
      if (text.ends_with(blank)) text.remove_suffix(blank.size()), again = true;
    }
  }
  return text;
}

bool IsAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Characters that are to be ignored though none is assigned yet, which utf8proc keeps: as one that it ignores.
utf8proc_int32_t IgnoreReserved(utf8proc_int32_t c, void* /*data*/) {
  constexpr utf8proc_int32_t kIgnored = 0x200B;
  const bool reserved = c == 0x2065 || (c >= 0xFFF0 && c <= 0xFFF8) || c == 0xE0000 || (c >= 0xE0002 && c <= 0xE001F) ||
                        (c >= 0xE0080 && c <= 0xE00FF) || (c >= 0xE01F0 && c <= 0xE0FFF);
  return reserved ? kIgnored : c;
}

std::string CaseFolded(std::string_view text) {
  if (IsAscii(text)) {
    std::string lower(text);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
  }
  utf8proc_uint8_t* made = nullptr;
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT |
                                                      UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
  const utf8proc_ssize_t size =
      utf8proc_map_custom(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                          static_cast<utf8proc_ssize_t>(text.size()), &made, options, &IgnoreReserved, nullptr);
  if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (size < 0) return std::string(text);  // not UTF-8, which no reader lets through
  const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owned(made, &std::free);
  return std::string(reinterpret_cast<const char*>(made), static_cast<size_t>(size));
}

std::string_view TakeDigits(std::string_view& text) {
  const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

// A decimal number as its digits without zeros at either end and the power of ten of the last; nothing for other texts. Of zero: "0".
std::optional<std::string> NormalNumber(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::string digits(TakeDigits(text));
  int64_t exponent = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::string_view fraction = TakeDigits(text);
    digits += fraction;
    exponent = -static_cast<int64_t>(fraction.size());
  }
  if (digits.empty()) return std::nullopt;
  if (text.starts_with('e')) {
    text.remove_prefix(1);
    const bool down = text.starts_with('-');
    if (down || text.starts_with('+')) text.remove_prefix(1);
    int64_t power = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), power);
    if (code != std::errc() || end != text.data() + text.size() || text.starts_with('-')) return std::nullopt;
    if (power > 1'000'000'000'000'000) return std::nullopt;  // no number that anybody means
    exponent += down ? -power : power;
    text = {};
  }
  if (!text.empty()) return std::nullopt;
  const size_t last = digits.find_last_not_of('0');
  if (last == std::string::npos) return "0";
  exponent += static_cast<int64_t>(digits.size() - 1 - last);
  digits.resize(last + 1);
  digits.erase(0, digits.find_first_not_of('0'));
  return (negative ? "-" : "") + digits + "e" + std::to_string(exponent);
}

}  // namespace

std::string CanonicalValue(std::string_view text) {
  const std::string folded = CaseFolded(text);
  const std::string_view value = Trimmed(folded);
  if (std::ranges::find(kMissingWords, value) != kMissingWords.end()) return "";
  if (auto number = NormalNumber(value)) return *std::move(number);
  return std::string(value);
}

CountedValues CountValues(const Column& column, bool exact) {
  CountedValues values;
  values.value_of_code.resize(column.num_codes());
  // Which codes are one value: by the column itself (numbers, dates), then by their canonical forms.
  std::vector<Code> first_of(column.num_values(), UINT32_MAX);  // the first code of each of the column's own values
  std::unordered_map<std::string, Code> first_with;             // the first code of each canonical form
  std::vector<Code> first(column.num_codes());
  const bool by_text = !exact && !column.is_numeric();
  bool any_missing = column.num_missing() > 0;
  for (Code code = 0; code < column.num_codes(); ++code) {
    first[code] = code;
    if (column.is_missing(code)) {
      first[code] = 0;
    } else if (by_text) {
      const std::string form = CanonicalValue(column.text(code));
      any_missing |= form.empty();
      first[code] = first_with.try_emplace(form, code).first->second;
    } else if (!exact) {
      Code& own = first_of[column.value_id(code)];
      own = std::min(own, code);
      first[code] = own;
    }
  }
  if (any_missing) values.missing = values.count++;
  const auto word = first_with.find("");
  const Code missing_word = word == first_with.end() ? UINT32_MAX : word->second;
  for (Code code = 0; code < column.num_codes(); ++code) {
    if (column.is_missing(code) || first[code] == missing_word) {
      values.value_of_code[code] = *values.missing;
    } else {
      values.value_of_code[code] = first[code] == code ? values.count++ : values.value_of_code[first[code]];
    }
  }
  return values;
}

}  // namespace tada
