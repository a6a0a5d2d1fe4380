#include "writing/month_names.h"

#include <algorithm>
#include <array>

namespace tada {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "jan january januar janvier janv ene enero gen gennaio janeiro januari jän jänner",
    "feb february februar fév fev févr février fevrier febrero febbraio fevereiro februari",
    "mar march mär mrz märz maerz mars marzo março marco mrt maart",
    "apr april avr avril abr abril aprile",
    "may mai mayo mag maggio maio mei",
    "jun june juni juin junio giu giugno junho",
    "jul july juli juil juillet julio lug luglio julho",
    "aug august aoû août aout ago agosto augustus",
    "sep sept september septembre septiembre set settembre setembro",
    "oct october okt oktober octobre octubre ott ottobre out outubro",
    "nov november novembre noviembre novembro",
    "dec december dez dezember déc décembre decembre dic diciembre dicembre dezembro",
};
constexpr std::array<std::string_view, 12> kEnglish = {"January",   "February", "March",    "April",
                                                       "May",       "June",     "July",     "August",
                                                       "September", "October",  "November", "December"};

bool IsLetter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z' ? true : byte >= 0x80;
}

// Small letters of ASCII and of the two-byte capitals with accents, which differ from the small ones by a bit.
char Lower(std::string_view text, size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  if (byte >= 'A' && byte <= 'Z') return static_cast<char>(byte | 0x20);
  const bool accented = i > 0 && static_cast<unsigned char>(text[i - 1]) == 0xC3 && byte >= 0x80 && byte <= 0x9E;
  return static_cast<char>(accented ? byte | 0x20 : byte);
}

bool IsOneOf(std::string_view names, std::string_view word) {
  for (size_t at = 0; at < names.size();) {
    const size_t end = std::min(names.find(' ', at), names.size());
    const std::string_view name = names.substr(at, end - at);
    bool same = name.size() == word.size();
    for (size_t i = 0; same && i < word.size(); ++i) same = Lower(word, i) == name[i];
    if (same) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

size_t WordLength(std::string_view text) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), IsLetter) - text.begin());
}

std::optional<MonthName> ReadMonthName(std::string_view text) {
  const size_t length = WordLength(text);
  if (length < 3) return std::nullopt;
  for (int month = 0; month < 12; ++month) {
    if (!IsOneOf(kMonths[static_cast<size_t>(month)], text.substr(0, length))) continue;
    const bool point = text.size() > length && text[length] == '.';
    return MonthName{month + 1, length + (point ? 1 : 0)};
  }
  return std::nullopt;
}

std::string_view EnglishMonth(int month, bool is_long) {
  const std::string_view name = kEnglish[static_cast<size_t>(month - 1)];
  return is_long ? name : name.substr(0, 3);
}

}  // namespace tada
