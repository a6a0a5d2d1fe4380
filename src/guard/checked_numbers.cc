#include "guard/checked_numbers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "base/characters.h"

namespace tada {
namespace {

int Digit(char c) { return c - '0'; }
bool AllDigits(std::string_view text) { return std::ranges::all_of(text, IsDigit); }
bool AllTheSame(std::string_view text) { return text.find_first_not_of(text[0]) == std::string_view::npos; }

// Letters and digits alone, in capitals.
std::string Compact(std::string_view text) {
  std::string compact;
  for (const char c : text) {
    if (c == ' ' || c == '-' || c == '.' || c == '/') continue;
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) return "";
    compact += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return compact;
}

int Modulo97(std::string_view text) {  // letters count from 10 on
  int rest = 0;
  for (const char c : text) rest = IsDigit(c) ? (rest * 10 + Digit(c)) % 97 : (rest * 100 + (c - 'A' + 10)) % 97;
  return rest;
}

template <size_t N>
int Weighted(std::string_view digits, const std::array<int, N>& weights) {
  int sum = 0;
  for (size_t i = 0; i < N; ++i) sum += Digit(digits[i]) * weights[i];
  return sum;
}

bool IsDayAndMonth(std::string_view day, std::string_view month) {
  const int d = Digit(day[0]) * 10 + Digit(day[1]), m = Digit(month[0]) * 10 + Digit(month[1]);
  return d >= 1 && d <= 31 && m >= 1 && m <= 12;
}

bool IsDni(const std::string& text) {  // Spain: 12345678Z, X1234567L
  if (text.size() != 9 || !IsUpper(text[8])) return false;
  std::string digits = text.substr(0, 8);
  if (digits[0] >= 'X' && digits[0] <= 'Z') digits[0] = static_cast<char>('0' + (digits[0] - 'X'));
  return AllDigits(digits) && "TRWAGMYFPDXBNJZSQVHLCKE"[std::stoi(digits) % 23] == text[8];
}

bool IsCodiceFiscale(const std::string& text) {  // Italy: RSSMRA85T10A562S
  constexpr int kOdd[] = {1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23};
  if (text.size() != 16 || !std::all_of(text.begin(), text.begin() + 6, IsUpper) || !IsUpper(text[15])) return false;
  int sum = 0;
  for (size_t i = 0; i < 15; ++i) {
    const int value = IsDigit(text[i]) ? Digit(text[i]) : text[i] - 'A';
    sum += i % 2 == 0 ? kOdd[value] : value;
  }
  return sum % 26 == text[15] - 'A';
}

bool IsNir(const std::string& text) {  // France: 1 85 12 75 108 111 23
  if (text.size() != 15 || !AllDigits(text) || (text[0] != '1' && text[0] != '2')) return false;
  return 97 - std::stoll(text.substr(0, 13)) % 97 == std::stoll(text.substr(13));
}

bool IsCpf(const std::string& text) {  // Brazil: 529.982.247-25
  if (text.size() != 11 || !AllDigits(text) || AllTheSame(text)) return false;
  for (size_t length = 9; length < 11; ++length) {
    int sum = 0;
    for (size_t i = 0; i < length; ++i) sum += Digit(text[i]) * static_cast<int>(length + 1 - i);
    if (sum * 10 % 11 % 10 != Digit(text[length])) return false;
  }
  return true;
}

bool IsPesel(const std::string& text) {  // Poland
  if (text.size() != 11 || !AllDigits(text) || AllTheSame(text)) return false;
  const int month = std::stoi(text.substr(2, 2)) % 20;
  if (month < 1 || month > 12) return false;
  return Weighted(text, std::array{1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1}) % 10 == 0;
}

bool IsSteuerId(const std::string& text) {  // Germany: 11 digits, modulo 11, 10
  if (text.size() != 11 || !AllDigits(text) || text[0] == '0' || AllTheSame(text)) return false;
  int product = 10;
  for (size_t i = 0; i < 10; ++i) {
    int sum = (Digit(text[i]) + product) % 10;
    if (sum == 0) sum = 10;
    product = sum * 2 % 11;
  }
  return (11 - product) % 10 == Digit(text[10]);
}

bool IsBelgianNumber(const std::string& text) {  // 85.07.30-033 28
  if (text.size() != 11 || !AllDigits(text) || AllTheSame(text)) return false;
  const long long check = std::stoll(text.substr(9)), number = std::stoll(text.substr(0, 9));
  return 97 - number % 97 == check || 97 - (2'000'000'000 + number) % 97 == check;
}

bool IsNino(const std::string& text) {  // United Kingdom: QQ 12 34 56 C
  if (text.size() != 9 || !IsUpper(text[0]) || !IsUpper(text[1]) || text[8] < 'A' || text[8] > 'D') return false;
  return AllDigits(std::string_view(text).substr(2, 6));
}

bool IsNhsNumber(const std::string& text) {  // United Kingdom: 943 476 5919
  if (text.size() != 10 || !AllDigits(text) || AllTheSame(text)) return false;
  const int check = 11 - Weighted(text, std::array{10, 9, 8, 7, 6, 5, 4, 3, 2}) % 11;
  return check != 10 && check % 11 == Digit(text[9]);
}

bool IsBsn(const std::string& text) {  // Netherlands
  if (text.size() != 9 || !AllDigits(text) || AllTheSame(text)) return false;
  return Weighted(text, std::array{9, 8, 7, 6, 5, 4, 3, 2, -1}) % 11 == 0;
}

bool IsPersonnummer(const std::string& compact) {  // Sweden: 811218-9876
  const std::string text = compact.size() == 12 ? compact.substr(2) : compact;
  if (text.size() != 10 || !AllDigits(text)) return false;
  return IsDayAndMonth(text.substr(4, 2), text.substr(2, 2)) && PassesLuhn(text);
}

bool IsHetu(std::string_view text) {  // Finland: 131052-308T
  if (text.size() != 11 || (text[6] != '-' && text[6] != 'A' && text[6] != '+')) return false;
  const std::string digits = std::string(text.substr(0, 6)) + std::string(text.substr(7, 3));
  return AllDigits(digits) && "0123456789ABCDEFHJKLMNPRSTUVWXY"[std::stoi(digits) % 31] == text[10];
}

bool IsAhv(const std::string& text) {  // Switzerland: 756.9217.0769.85
  if (text.size() != 13 || !AllDigits(text) || !text.starts_with("756")) return false;
  return Weighted(text, std::array{1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1}) % 10 == 0;
}

bool IsAadhaar(const std::string& text) {  // India: 12 digits with Verhoeff's check digit
  if (text.size() != 12 || !AllDigits(text) || text[0] < '2') return false;
  constexpr int kPermuted[8][10] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 5, 7, 6, 2, 8, 3, 0, 9, 4},
                                    {5, 8, 0, 3, 7, 9, 6, 1, 4, 2}, {8, 9, 1, 6, 0, 4, 3, 5, 2, 7},
                                    {9, 4, 5, 3, 1, 2, 6, 8, 7, 0}, {4, 2, 8, 6, 5, 7, 3, 9, 0, 1},
                                    {2, 7, 9, 3, 8, 0, 6, 4, 1, 5}, {7, 0, 4, 6, 9, 1, 3, 2, 5, 8}};
  const auto times = [](int a, int b) {  // of the group of symmetries of a pentagon
    if (a < 5) return b < 5 ? (a + b) % 5 : 5 + (a + b - 5) % 5;
    return b < 5 ? 5 + (a - 5 - b + 5) % 5 : (a - b + 5) % 5;
  };
  int check = 0;
  for (size_t i = 0; i < 12; ++i) check = times(check, kPermuted[i % 8][Digit(text[11 - i])]);
  return check == 0;
}

}  // namespace

std::string OnlyDigits(std::string_view text) {
  std::string digits;
  bool separated = true;
  for (const char c : text) {
    const bool between = c == ' ' || c == '-' || c == '.' || c == '/';
    if (!IsDigit(c) && (!between || separated)) return "";
    if (IsDigit(c)) digits += c;
    separated = between;
  }
  return separated ? "" : digits;
}

bool PassesLuhn(std::string_view digits) {
  int sum = 0;
  for (size_t i = 0; i < digits.size(); ++i) {
    int value = Digit(digits[digits.size() - 1 - i]) * (i % 2 == 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 == 0;
}

bool IsIban(std::string_view text) {
  const std::string compact = Compact(text);
  if (compact.size() < 15 || compact.size() > 34 || !IsUpper(compact[0]) || !IsUpper(compact[1])) return false;
  if (!IsDigit(compact[2]) || !IsDigit(compact[3])) return false;
  return Modulo97(compact.substr(4) + compact.substr(0, 4)) == 1;
}

bool IsPaymentCard(std::string_view text) {
  const std::string digits = OnlyDigits(text);
  if (digits.size() < 13 || digits.size() > 19 || digits[0] < '2' || digits[0] > '6' || AllTheSame(digits))
    return false;
  return PassesLuhn(digits);
}

bool IsUsSsn(std::string_view text) {
  if (text.size() != 11 || text[3] != text[6] || (text[3] != '-' && text[3] != ' ')) return false;
  const std::string_view area = text.substr(0, 3), group = text.substr(4, 2), serial = text.substr(7);
  if (!AllDigits(area) || !AllDigits(group) || !AllDigits(serial)) return false;
  return area != "000" && area != "666" && area[0] != '9' && group != "00" && serial != "0000";
}

bool IsVin(std::string_view text) {
  constexpr int kWeights[] = {8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2};
  constexpr std::string_view kLetters = "ABCDEFGHJKLMNPRSTUVWXYZ";
  constexpr int kValues[] = {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9};
  if (text.size() != 17) return false;
  int sum = 0;
  bool letters = false;
  for (size_t i = 0; i < 17; ++i) {
    const size_t letter = kLetters.find(text[i]);
    if (letter == std::string_view::npos && !IsDigit(text[i])) return false;
    letters |= letter != std::string_view::npos;
    sum += kWeights[i] * (letter == std::string_view::npos ? Digit(text[i]) : kValues[letter]);
  }
  return letters && text[8] == "0123456789X"[sum % 11];
}

std::string_view NationalNumber(std::string_view text) {
  if (text.size() < 9 || text.size() > 21) return "";
  if (IsHetu(text)) return "Finnish personal identity code";
  const std::string compact = Compact(text);
  if (compact.size() < 9 || compact.size() > 16) return "";
  if (IsDni(compact)) return "Spanish DNI or NIE";
  if (IsCodiceFiscale(compact)) return "Italian codice fiscale";
  if (IsNir(compact)) return "French social security number";
  if (IsAhv(compact)) return "Swiss social security number";
  if (IsNino(compact)) return "British National Insurance number";
  if (IsCpf(compact)) return "Brazilian CPF";
  if (IsPesel(compact)) return "Polish PESEL";
  if (IsBelgianNumber(compact)) return "Belgian national number";
  if (IsSteuerId(compact)) return "German tax number";
  if (IsAadhaar(compact)) return "Indian Aadhaar number";
  if (IsPersonnummer(compact)) return "Swedish personal identity number";
  if (IsNhsNumber(compact)) return "British NHS number";
  if (IsBsn(compact)) return "Dutch BSN";
  return "";
}

bool IsLoinc(std::string_view text) {
  const size_t hyphen = text.find('-');
  if (hyphen == std::string_view::npos || hyphen < 1 || hyphen > 6 || text.size() != hyphen + 2) return false;
  const std::string digits = std::string(text.substr(0, hyphen)) + text[hyphen + 1];
  return AllDigits(digits) && PassesLuhn(digits);
}

}  // namespace tada
