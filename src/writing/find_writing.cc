#include "writing/find_writing.h"

#include <algorithm>
#include <set>

#include "base/characters.h"
#include "writing/date_format.h"
#include "writing/month_names.h"
#include "writing/number_format.h"

namespace tada {
namespace {

size_t CountDigits(std::string_view text) {
  size_t count = 0;
  while (count < text.size() && IsDigit(text[count])) ++count;
  return count;
}

// What parts the fields of a date: `/`, `-`, `.` or `. `, a blank, `, `.
std::string_view SignAt(std::string_view text) {
  for (const std::string_view sign : {"/", "-", ". ", ".", ", ", ",", " "}) {
    if (text.starts_with(sign)) return sign;
  }
  return "";
}

// The time of day behind a date, as a format; nothing if what is left is none.
std::optional<std::string> TimeFormat(std::string_view rest) {
  if (rest.empty()) return "";
  std::string format;
  for (const std::string_view sign : {"T", ", ", " "}) {
    if (!rest.starts_with(sign)) continue;
    format = sign;
    rest.remove_prefix(sign.size());
    break;
  }
  const size_t hours = CountDigits(rest);
  if (format.empty() || hours == 0 || hours > 2 || rest.size() < hours + 3 || rest[hours] != ':') return std::nullopt;
  rest.remove_prefix(hours + 1);
  if (CountDigits(rest) != 2) return std::nullopt;
  rest.remove_prefix(2);
  std::string minutes = ":%M";
  if (rest.size() >= 3 && rest[0] == ':') {
    if (CountDigits(rest.substr(1)) != 2) return std::nullopt;
    minutes += ":%S";
    rest.remove_prefix(3);
    if (rest.size() >= 2 && (rest[0] == '.' || rest[0] == ',')) rest.remove_prefix(1 + CountDigits(rest.substr(1)));
  }
  const bool blank = rest.starts_with(' ');
  const std::string_view word = rest.substr(blank ? 1 : 0);
  if (word.empty()) return blank ? std::nullopt : std::optional(format + "%H" + minutes);
  if (word[0] == 'Z' || word[0] == '+' || word[0] == '-') return format + "%H" + minutes + (blank ? " %z" : "%z");
  return format + "%I" + minutes + (blank ? " %p" : "%p");
}

// Three fields of a date: how many digits each has, 0 for a month's name, and what stands between them.
struct Shape {
  size_t digits[3] = {0, 0, 0};
  std::string_view signs[2];
  std::string_view rest;
  std::string_view weekday;  // with what stands behind it
};

std::optional<Shape> ShapeOf(std::string_view text) {
  Shape shape;
  if (const size_t word = WordLength(text); word >= 2 && !ReadMonthName(text)) {
    size_t end = word;
    while (end < text.size() && (text[end] == '.' || text[end] == ',' || text[end] == ' ')) ++end;
    if (end == word) return std::nullopt;
    shape.weekday = text.substr(word, end - word);
    text.remove_prefix(end);
  }
  bool has_name = false;
  for (int i = 0; i < 3; ++i) {
    size_t length = CountDigits(text);
    shape.digits[i] = length;
    if (length == 0) {
      const auto name = ReadMonthName(text);
      if (!name || has_name || i == 2) return std::nullopt;
      has_name = true;
      length = name->length;
    } else if (length == 3 || length > 4) {
      return std::nullopt;
    }
    text.remove_prefix(length);
    if (i == 2) break;
    shape.signs[i] = SignAt(text);
    if (shape.signs[i].empty()) return std::nullopt;
    text.remove_prefix(shape.signs[i].size());
  }
  shape.rest = text;
  return shape;
}

// The orders in which the fields may be, as letters of conversions; b is a month's name.
std::vector<std::string> OrdersOf(const Shape& shape) {
  const auto& digits = shape.digits;
  const auto year = [&](size_t i) { return digits[i] == 4 ? "Y" : "y"; };
  const auto is_day = [&](size_t i) { return digits[i] == 1 || digits[i] == 2; };
  const auto is_year = [&](size_t i) { return digits[i] == 2 || digits[i] == 4; };
  if (digits[0] == 0)
    return is_day(1) && is_year(2) ? std::vector{std::string("bd") + year(2)} : std::vector<std::string>{};
  if (digits[1] == 0) {
    if (digits[0] == 4) return is_day(2) ? std::vector<std::string>{"Ybd"} : std::vector<std::string>{};
    return is_day(0) && is_year(2) ? std::vector{std::string("db") + year(2)} : std::vector<std::string>{};
  }
  if (digits[0] == 4) return is_day(1) && is_day(2) ? std::vector<std::string>{"Ymd"} : std::vector<std::string>{};
  if (!is_day(0) || !is_day(1) || !is_year(2)) return {};
  std::vector<std::string> orders = {std::string("dm") + year(2)};
  if (shape.signs[0][0] == '.') return orders;
  orders.push_back(std::string("md") + year(2));
  if (digits[0] == 2 && digits[2] == 2) orders.emplace_back("ymd");
  return orders;
}

std::vector<Writing> DateWritings(std::string_view value) {
  std::vector<Writing> writings;
  const auto shape = ShapeOf(value);
  if (!shape) return writings;
  // A month's name may be parted otherwise on each side, as in Dec 31, 1942; digits are parted alike.
  const bool has_name = shape->digits[0] == 0 || shape->digits[1] == 0;
  if (!has_name && (shape->signs[0] != shape->signs[1] || shape->signs[0][0] == ',')) return writings;
  const auto time = TimeFormat(shape->rest);
  if (!time) return writings;
  for (const std::string& order : OrdersOf(*shape)) {
    std::string format = shape->weekday.empty() ? "" : "%a" + std::string(shape->weekday);
    if (!shape->weekday.empty() && shape->weekday[0] == '.') format.erase(2, 1);  // %a takes it
    for (size_t i = 0; i < 3; ++i) {
      format += '%';
      format += order[i];
      if (i < 2) format += shape->signs[i];
    }
    auto writing = Writing::Dates(format + *time);
    if (writing.ok() && writing->Plain(value)) writings.push_back(*std::move(writing));
  }
  return writings;
}

// Whether two writings say the same of every value.
bool SayTheSame(const Writing& a, const Writing& b, std::span<const std::string_view> values) {
  return std::all_of(values.begin(), values.end(), [&](std::string_view v) { return a.Plain(v) == b.Plain(v); });
}

}  // namespace

std::vector<Writing> WritingsOf(std::string_view value) {
  constexpr size_t kLongest = 64;
  if (value.size() > kLongest || std::none_of(value.begin(), value.end(), IsDigit)) return {};
  std::vector<Writing> writings = DateWritings(value);
  for (const bool comma : {true, false}) {
    if (PlainNumber(value, comma)) writings.push_back(Writing::Numbers(comma));
  }
  return writings;
}

std::vector<Writing> FindWritings(std::span<const std::string_view> values) {
  if (values.empty()) return {};
  std::vector<Writing> writings = WritingsOf(values.front());
  if (writings.empty()) return {};
  const NumberParts units = TakeUnitsOff(values.front());
  for (const std::string_view value : values) {
    std::erase_if(writings, [&](const Writing& writing) {
      if (!writing.Plain(value)) return true;
      if (writing.is_dates()) return false;
      const NumberParts own = TakeUnitsOff(value);
      return own.before != units.before || own.behind != units.behind;
    });
    if (writings.empty()) return {};
  }
  for (size_t i = 1; i < writings.size();) {
    const bool same = writings[i].is_dates() == writings[0].is_dates() && SayTheSame(writings[0], writings[i], values);
    if (same) {
      writings.erase(writings.begin() + static_cast<ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  // Years of two digits come first only where nothing else is left: 01/02/03 may be anything.
  return writings;
}

bool HasQuotedBounds(std::span<const std::string_view> cells) {
  return std::any_of(cells.begin(), cells.end(), [](std::string_view cell) {
    return cell.starts_with("[\"") || cell.starts_with("(\"") || cell.starts_with("]\"");
  });
}

std::vector<Writing> FindCellWritings(std::span<const std::string_view> cells) {
  std::vector<std::string_view> values;
  for (const std::string_view cell : cells) {
    if (cell.find_first_not_of("* ") == std::string_view::npos) continue;
    ForEachValue(cell, [&](std::string_view value) { values.push_back(value); });
  }
  return FindWritings(values);
}

std::string WritingWords(const Writing& writing) {
  if (writing.is_plain()) return "as usual";
  if (!writing.is_dates()) return writing.has_decimal_comma() ? "decimal commas" : "decimal points";
  std::string words;
  for (const char c : writing.text()) {
    const std::string_view word = c == 'd' || c == 'e'               ? "day"
                                  : c == 'm' || c == 'b' || c == 'B' ? "month"
                                  : c == 'Y' || c == 'y'             ? "year"
                                                                     : "";
    if (word.empty()) continue;
    if (!words.empty()) words += ", ";
    words += word;
  }
  return words;
}

}  // namespace tada
