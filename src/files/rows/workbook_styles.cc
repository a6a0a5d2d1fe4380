#include "files/rows/workbook_styles.h"

#include <charconv>
#include <cmath>
#include <map>

#include "table/value_text.h"

#ifdef TADA_HAS_WORKBOOKS
namespace tada {
namespace {

// Of the formats that every workbook has.
bool IsBuiltInDate(int id) {
  return (id >= 14 && id <= 17) || id == 22 || (id >= 27 && id <= 31) || id == 36 || (id >= 50 && id <= 54) ||
         id == 57 || id == 58;
}

// Whether a format has a year or a day: outside of quotes, brackets and what a backslash or an underscore takes.
bool ShowsDates(std::string_view code) {
  bool quoted = false, bracketed = false;
  for (size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '"') {
      quoted = !quoted;
    } else if (quoted) {
      continue;
    } else if (c == '\\' || c == '_' || c == '*') {
      ++i;
    } else if (c == '[' || c == ']') {
      bracketed = c == '[';
    } else if (c == ';') {
      return false;  // what is for negative numbers says nothing more
    } else if (!bracketed && ((c | 0x20) == 'y' || (c | 0x20) == 'd')) {
      return true;
    }
  }
  return false;
}

int NumberOf(std::string_view text) {
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

Result<std::vector<bool>> ReadDateStyles(const ZipParts& parts) {
  std::vector<bool> dates;
  if (!parts.Has("xl/styles.xml")) return dates;
  std::map<int, bool> own;
  bool in_cells = false;
  XmlEvents events;
  events.start = [&](std::string_view name, const XmlAttributes& attributes) {
    int id = -1;
    std::string_view code;
    for (const auto& [key, value] : attributes) {
      if (key == "numFmtId") id = NumberOf(value);
      if (key == "formatCode") code = value;
    }
    if (name == "numFmt") own[id] = ShowsDates(code);
    if (name == "cellXfs") in_cells = true;
    if (name != "xf" || !in_cells) return;
    const auto found = own.find(id);
    dates.push_back(found != own.end() ? found->second : IsBuiltInDate(id));
  };
  events.end = [&](std::string_view name) { in_cells = in_cells && name != "cellXfs"; };
  events.text = [](std::string_view) {};
  TADA_CHECK_OK(parts.Read("xl/styles.xml", events));
  return dates;
}

std::string DayText(double serial, bool from_1904) {
  constexpr double kFrom1900 = 25569, kFrom1904 = 24107, kMost = 2958466;  // days up to 1970, and the year 10000
  if (!(serial >= 0) || serial >= kMost) return "";
  if (!from_1904 && serial < 60) serial += 1;  // 1900 is taken for a leap year
  const auto seconds = static_cast<int64_t>(std::llround((serial - (from_1904 ? kFrom1904 : kFrom1900)) * 86400));
  std::string scratch;
  std::string_view text;
  const bool day = seconds % 86400 == 0;
  const TextState state =
      day ? DateText(seconds / 86400, scratch, text) : TimestampText(seconds, 0, false, scratch, text);
  return state == TextState::kText ? std::string(text) : "";
}

std::string StoredNumber(std::string_view text) {
  if (text.find_first_not_of("-0123456789") == std::string_view::npos) return std::string(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::string(text);
  char shortest[64];
  return {shortest, std::to_chars(shortest, shortest + sizeof shortest, number).ptr};
}

}  // namespace tada
#endif
