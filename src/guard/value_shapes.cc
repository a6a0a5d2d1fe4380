#include "guard/value_shapes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "base/characters.h"

namespace tada {
namespace {

bool IsAlpha(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool IsHex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::vector<std::string_view> Split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = text.find_first_of(separators);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool IsIpv4(std::string_view text) {
  const auto parts = Split(text, ".");
  return parts.size() == 4 && std::ranges::all_of(parts, [](std::string_view part) {
           if (part.empty() || part.size() > 3 || !std::ranges::all_of(part, IsDigit)) return false;
           return std::stoi(std::string(part)) <= 255;
         });
}

bool IsGroupsOfHex(std::string_view text) {  // IPv6 and MAC
  const auto parts = Split(text, text.find(':') != std::string_view::npos ? ":" : "-");
  if (!std::ranges::all_of(parts, [](auto part) { return part.size() <= 4 && std::ranges::all_of(part, IsHex); })) {
    return false;
  }
  if (parts.size() == 6 && std::ranges::all_of(parts, [](auto part) { return part.size() == 2; })) return true;
  if (text.find(':') == std::string_view::npos) return false;
  return parts.size() == 8 || (parts.size() >= 3 && parts.size() < 8 && text.find("::") != std::string_view::npos);
}

// The lengths of the groups of digits of a telephone number, and what stands between them; nothing if something else does.
struct DigitGroups {
  std::vector<size_t> lengths;
  size_t digits = 0;
  bool only_dots = true;
};

bool FindGroups(std::string_view text, DigitGroups& groups) {
  bool inside = false;
  for (const char c : text) {
    if (IsDigit(c)) {
      if (!inside) groups.lengths.push_back(0);
      ++groups.lengths.back(), ++groups.digits;
    } else if (c == ' ' || c == '-' || c == '.' || c == '/' || c == '(' || c == ')') {
      groups.only_dots &= c == '.';
    } else {
      return false;
    }
    inside = IsDigit(c);
  }
  return true;
}

bool IsMonth(std::string_view word) {
  constexpr std::array<std::string_view, 24> kMonths = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug",
                                                        "sep", "oct", "nov", "dec", "mai", "okt", "dez", "fev",
                                                        "avr", "aou", "ene", "abr", "ago", "dic", "mag", "set"};
  const std::string lower = Lower(word.substr(0, 3));
  return word.size() >= 3 && std::ranges::find(kMonths, lower) != kMonths.end();
}

}  // namespace

bool IsEmail(std::string_view text) {
  const size_t at = text.find('@');
  if (at == std::string_view::npos || at == 0 || text.find('@', at + 1) != std::string_view::npos) return false;
  const std::string_view domain = text.substr(at + 1);
  const size_t dot = domain.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || domain.size() - dot < 3) return false;
  return text.find_first_of(" \t,;<>\"") == std::string_view::npos;
}

bool IsUrl(std::string_view text) {
  const std::string lower = Lower(text.substr(0, 12));
  if (lower.starts_with("http://") || lower.starts_with("https://") || lower.starts_with("ftp://")) return true;
  return lower.starts_with("www.") && text.find(' ') == std::string_view::npos;
}

bool IsNetworkAddress(std::string_view text) {
  if (text.size() < 3 || text.size() > 45) return false;
  return IsIpv4(text) || IsGroupsOfHex(text);
}

bool IsPhone(std::string_view text) {
  if (text.size() < 7 || text.size() > 24 || IsDateLike(text)) return false;
  const bool international = text[0] == '+';
  DigitGroups groups;
  if (!FindGroups(text.substr(international ? 1 : 0), groups) || groups.digits < 7 || groups.digits > 15) return false;
  if (international) return true;
  if (groups.lengths.size() < 2 || groups.only_dots) {  // 1.234.567 is a number; 555.123.4567 a telephone
    const bool american = groups.lengths == std::vector<size_t>{3, 3, 4};
    return american && groups.lengths.size() > 1;
  }
  if (text[0] == '(') return true;
  if (groups.lengths.size() == 2) {
    if (text[0] == '0') return groups.digits >= 8 && groups.lengths[0] <= 5;
    return groups.lengths == std::vector<size_t>{3, 4};
  }
  return std::ranges::all_of(groups.lengths, [](size_t length) { return length <= 4; });
}

bool IsDateLike(std::string_view text) {
  if (text.size() < 6 || text.size() > 32) return false;
  const size_t time = text.find_first_of("T ");
  const bool has_time = time != std::string_view::npos && text.find(':', time) != std::string_view::npos;
  const auto parts = Split(has_time ? text.substr(0, time) : text, "-/. ");
  if (parts.size() != 3) return false;
  const auto day = [](std::string_view part) {
    return part.size() <= 2 && !part.empty() && std::ranges::all_of(part, IsDigit);
  };
  const auto year = [&](std::string_view part) {
    return (part.size() == 4 && std::ranges::all_of(part, IsDigit) && (part[0] == '1' || part[0] == '2')) || day(part);
  };
  if (IsMonth(parts[1])) return day(parts[0]) && year(parts[2]);
  if (IsMonth(parts[0])) return year(parts[2]);
  if (parts[0].size() == 4) return year(parts[0]) && day(parts[1]) && day(parts[2]);
  return day(parts[0]) && day(parts[1]) && year(parts[2]) && text.find(' ') != 2;
}

bool IsRandomId(std::string_view text) {
  if (text.size() >= 32 && text.size() <= 128 && std::ranges::all_of(text, IsHex)) return true;
  const auto parts = Split(text, "-");
  constexpr std::array<size_t, 5> kLengths = {8, 4, 4, 4, 12};
  if (parts.size() != 5) return false;
  for (size_t i = 0; i < 5; ++i) {
    if (parts[i].size() != kLengths[i] || !std::ranges::all_of(parts[i], IsHex)) return false;
  }
  return true;
}

bool IsImageFile(std::string_view text) {
  const std::string lower = Lower(text.size() > 5 ? text.substr(text.size() - 5) : text);
  constexpr std::array<std::string_view, 7> kEnds = {".jpg", ".jpeg", ".png", ".gif", ".tiff", ".bmp", ".dcm"};
  return text.size() > 4 && std::ranges::any_of(kEnds, [&](auto end) { return lower.ends_with(end); });
}

bool IsSentence(std::string_view text) {
  if (text.size() < 20) return false;
  size_t words = 0, letters = 0;
  bool inside = false;
  for (const char c : text) {
    const bool in_word = c != ' ' && c != '\t' && c != '\n';
    if (in_word && !inside) ++words;
    inside = in_word;
    letters += IsAlpha(c) || static_cast<unsigned char>(c) >= 0x80 ? 1 : 0;
  }
  return words >= 5 && letters * 2 > text.size();
}

bool IsIcd10(std::string_view text) {
  if (text.size() < 3 || text.size() > 8 || !IsUpper(text[0]) || !IsDigit(text[1])) return false;
  if (!IsDigit(text[2]) && text[2] != 'A' && text[2] != 'B') return false;
  if (text.size() == 3) return true;
  const std::string_view rest = text.substr(text[3] == '.' ? 4 : 3);
  return !rest.empty() && rest.size() <= 4 &&
         std::ranges::all_of(rest, [](char c) { return IsDigit(c) || IsUpper(c) || c == '-'; });
}

bool IsAtc(std::string_view text) {
  constexpr std::string_view kMain = "ABCDGHJLMNPRSV";
  if (text.size() != 7 || kMain.find(text[0]) == std::string_view::npos) return false;
  return IsDigit(text[1]) && IsDigit(text[2]) && IsUpper(text[3]) && IsUpper(text[4]) && IsDigit(text[5]) &&
         IsDigit(text[6]);
}

bool IsCapitalized(std::string_view text) {
  size_t words = 0;
  for (const std::string_view word : Split(text, " ,")) {
    if (word.empty()) continue;
    const bool particle =
        words > 0 && word.size() <= 3 && std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
    const bool capital =
        IsUpper(word[0]) || static_cast<unsigned char>(word[0]) >= 0x80 || word[0] == '(' || word[0] == '"';
    if (!capital && !particle) return false;
    const bool letters = std::ranges::all_of(word, [](char c) {
      return IsAlpha(c) || static_cast<unsigned char>(c) >= 0x80 || c == '-' || c == '\'' || c == '.' || c == '(' ||
             c == ')' || c == '"' || c == '*';
    });
    if (!letters) return false;
    ++words;
  }
  return words >= 1 && words <= 8 && text.size() >= 2;
}

}  // namespace tada
