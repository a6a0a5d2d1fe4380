#include "table/parsed_cell.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "table/mask_text.h"
#include "table/number.h"

namespace tada {
namespace {

// No bound that people write is longer; keeps the search for the right dash from growing with the square of the text.
constexpr size_t kLongestInterval = 256;

struct Bounds {
  std::string_view low, high;
};

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool IsUnbounded(std::string_view text) {
  static constexpr std::array<std::string_view, 7> kWords = {"", "inf", "-inf", "+inf", "infinity", "-infinity", "∞"};
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end() || text == "-∞" || text == "+∞";
}

// A bound may be in quotes, as those of PostgreSQL's ranges.
std::string_view Unquoted(std::string_view bound) {
  const bool quoted = bound.size() >= 2 && bound.front() == '"' && bound.back() == '"';
  return quoted ? bound.substr(1, bound.size() - 2) : bound;
}

// Cuts `body` at the first `separator` that has a bound on both sides.
std::optional<Bounds> CutAt(std::string_view body, std::string_view separator, Reading reading, bool may_be_unbounded) {
  for (size_t at = body.find(separator); at != std::string_view::npos; at = body.find(separator, at + 1)) {
    Bounds bounds{Unquoted(Trim(body.substr(0, at))), Unquoted(Trim(body.substr(at + separator.size())))};
    const bool low_free = may_be_unbounded && IsUnbounded(bounds.low);
    const bool high_free = may_be_unbounded && IsUnbounded(bounds.high);
    if (low_free && high_free) continue;  // no bound at all: not an interval that says anything
    if ((low_free || IsValue(bounds.low, reading)) && (high_free || IsValue(bounds.high, reading))) {
      if (low_free) bounds.low = {};
      if (high_free) bounds.high = {};
      return bounds;
    }
  }
  return std::nullopt;
}

std::optional<Bounds> Cut(std::string_view body, Reading reading, bool in_brackets) {
  for (const std::string_view separator : {",", ";", "..", "~", " to ", "–"}) {
    if (const auto bounds = CutAt(body, separator, reading, in_brackets)) return bounds;
  }
  return CutAt(body, "-", reading, false);  // last, because numbers and dates have dashes of their own
}

ParsedCell Interval(Bounds bounds, bool low_open, bool high_open) {
  ParsedCell cell;
  cell.form = ParsedCell::Form::kInterval;
  cell.low = bounds.low;
  cell.high = bounds.high;
  cell.low_open = low_open;
  cell.high_open = high_open;
  return cell;
}

// `>=50`, `<10`, `50+`.
std::optional<ParsedCell> ParseOneSided(std::string_view text, Reading reading) {
  struct Sign {
    std::string_view text;
    bool is_low, open;
  };
  static constexpr std::array<Sign, 6> kSigns = {{{">=", true, false},
                                                  {"<=", false, false},
                                                  {"≥", true, false},
                                                  {"≤", false, false},
                                                  {">", true, true},
                                                  {"<", false, true}}};
  for (const Sign& sign : kSigns) {
    if (!text.starts_with(sign.text)) continue;
    const std::string_view bound = Trim(text.substr(sign.text.size()));
    if (!IsValue(bound, reading)) return std::nullopt;
    return sign.is_low ? Interval({bound, {}}, sign.open, false) : Interval({{}, bound}, false, sign.open);
  }
  if (text.ends_with('+') && IsValue(text.substr(0, text.size() - 1), reading)) {
    return Interval({text.substr(0, text.size() - 1), {}}, false, false);
  }
  return std::nullopt;
}

std::optional<ParsedCell> ParseInterval(std::string_view text, Reading reading) {
  if (text.size() > kLongestInterval || text.size() < 2) return std::nullopt;
  if (const auto cell = ParseOneSided(text, reading)) return cell;
  const char first = text.front(), last = text.back();
  const bool opens = first == '[' || first == '(' || first == ']';
  const bool closes = last == ']' || last == ')' || last == '[';
  if (opens != closes) return std::nullopt;
  if (!opens) {
    const auto bounds = Cut(text, reading, false);
    return bounds ? std::optional(Interval(*bounds, false, false)) : std::nullopt;
  }
  const std::string_view body = Trim(text.substr(1, text.size() - 2));
  const bool low_open = first != '[', high_open = last != ']';
  if (IsValue(body, reading)) return Interval({body, body}, low_open, high_open);
  const auto bounds = Cut(body, reading, true);
  return bounds ? std::optional(Interval(*bounds, low_open, high_open)) : std::nullopt;
}

// Reads a quoted element from its opening quote on; moves `at` behind the closing one. Nothing if there is none.
std::optional<std::string> ReadQuoted(std::string_view body, size_t& at) {
  std::string element;
  for (++at; at < body.size(); ++at) {
    if (body[at] == '"') {
      ++at;
      return element;
    }
    if (body[at] == '\\' && ++at == body.size()) break;
    element += body[at];
  }
  return std::nullopt;
}

// Elements of a set between its braces; nothing if a quote is not closed or is followed by more text.
std::optional<std::vector<std::string>> ReadElements(std::string_view body) {
  std::vector<std::string> elements;
  for (size_t at = 0;;) {
    while (at < body.size() && body[at] == ' ') ++at;
    if (at < body.size() && body[at] == '"') {
      auto element = ReadQuoted(body, at);
      if (!element) return std::nullopt;
      elements.push_back(std::move(*element));
      while (at < body.size() && body[at] == ' ') ++at;
    } else {
      const size_t end = std::min(body.find(',', at), body.size());
      elements.emplace_back(Trim(body.substr(at, end - at)));
      at = end;
    }
    if (at == body.size()) return elements;
    if (body[at++] != ',') return std::nullopt;
  }
}

std::optional<ParsedCell> ParseSet(std::string_view text) {
  ParsedCell cell;
  cell.form = ParsedCell::Form::kSet;
  if (text.size() >= 2 && text.front() == '{' && text.back() == '}') {
    const std::string_view body = text.substr(1, text.size() - 2);
    if (Trim(body).empty()) return cell;
    auto elements = ReadElements(body);
    if (!elements) return std::nullopt;
    cell.elements = std::move(*elements);
    return cell;
  }
  if (text.find('~') == std::string_view::npos) return std::nullopt;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('~', at), text.size());
    cell.elements.emplace_back(Trim(text.substr(at, end - at)));
    if (cell.elements.back().empty()) return std::nullopt;
    at = end + 1;
  }
  return cell;
}

// Length of the UTF-8 character at the front of `text`; 1 for a byte that begins none. Pre: text is not empty.
size_t CharacterLength(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(length, text.size());
}

// Whether two patterns have a text in common in which a star stands for `length(rest)` bytes.
template <class Length>
bool PatternsMeetBy(const Length& length, std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const bool a_star = a.front() == '*', b_star = b.front() == '*';
    if (!a_star && !b_star && a.front() != b.front()) return false;
    const size_t from_a = b_star && !a_star ? length(a) : 1, from_b = a_star && !b_star ? length(b) : 1;
    a.remove_prefix(from_a);
    b.remove_prefix(from_b);
  }
  return a.empty() && b.empty();
}

}  // namespace

bool IsValue(std::string_view text, Reading reading) {
  switch (reading) {
    case Reading::kNames:
      return false;
    case Reading::kNumbers:
      return ParseNumber(text).has_value();
    case Reading::kDates:
      return IsDate(text);
  }
  return false;
}

ParsedCell ParseCell(std::string_view text, Reading reading) {
  const std::string_view trimmed = Trim(text);
  ParsedCell cell;
  if (trimmed.empty() || IsValue(trimmed, reading)) return cell;
  if (IsMaskText(trimmed)) {
    cell.form = ParsedCell::Form::kMask;
    return cell;
  }
  if (reading != Reading::kNames) {
    if (auto interval = ParseInterval(trimmed, reading)) return *std::move(interval);
  }
  if (auto set = ParseSet(trimmed)) return *std::move(set);
  if (trimmed.find('*') != std::string_view::npos) cell.form = ParsedCell::Form::kPattern;
  return cell;
}

bool PatternsMeet(std::string_view a, std::string_view b) {
  const auto byte = [](std::string_view) { return size_t{1}; };
  return PatternsMeetBy(CharacterLength, a, b) || PatternsMeetBy(byte, a, b);
}

std::vector<std::string> SplitAtSemicolons(std::string_view text) {
  std::vector<std::string> parts;
  for (size_t at; (at = text.find(';')) != std::string_view::npos; text.remove_prefix(at + 1)) {
    parts.emplace_back(Trim(text.substr(0, at)));
  }
  parts.emplace_back(Trim(text));
  return parts;
}

Reading MostRead(std::span<const std::string_view> texts) {
  size_t all = 0, numbers = 0, dates = 0;
  const auto counts = [](std::string_view text, Reading reading) {
    return IsValue(text, reading) || ParseCell(text, reading).form == ParsedCell::Form::kInterval;
  };
  for (const std::string_view text : texts) {
    if (text.empty() || IsMaskText(text)) continue;
    ++all;
    if (counts(text, Reading::kNumbers)) {
      ++numbers;
    } else if (counts(text, Reading::kDates)) {
      ++dates;
    }
  }
  if (numbers * 2 > all) return Reading::kNumbers;
  return dates * 2 > all ? Reading::kDates : Reading::kNames;
}

bool HoldsAny(const Column& column, Reading reading) {
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    if (IsValue(column.text(code), reading)) return true;
  }
  return false;
}

bool MatchesPattern(std::string_view pattern, std::string_view value) {
  while (!pattern.empty() && !value.empty()) {
    if (pattern.front() == '*') {
      value.remove_prefix(CharacterLength(value));
    } else {
      if (pattern.front() != value.front()) return false;
      value.remove_prefix(1);
    }
    pattern.remove_prefix(1);
  }
  return pattern.empty() && value.empty();
}

}  // namespace tada
