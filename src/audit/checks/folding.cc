#include "audit/checks/folding.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "audit/checks/fold_table.h"

namespace tada {
namespace {

using Characters = std::u32string;

const std::set<std::string, std::less<>> kMissing = {"",     "?",   ".",    "-",   "--",  "na",   "n/a", "n.a.",
                                                     "#n/a", "#na", "<na>", "nan", "nat", "null", "nil", "missing"};

// The tables of fold_table.h, unpacked when the first text asks.
class CharacterTable {
 public:
  static const CharacterTable& Get() {
    static const CharacterTable table;
    return table;
  }
  /// What becomes of a character that is listed; null: it stays as it is.
  const Characters* Folded(char32_t c) const {
    const auto found = folded_.find(c);
    return found == folded_.end() ? nullptr : &found->second;
  }
  int MarkClass(char32_t c) const {
    const auto found = classes_.find(c);
    return found == classes_.end() ? 0 : found->second;
  }

 private:
  CharacterTable() {
    ForEachRecord(kFoldTable, [&](char32_t first, uint32_t count, const Characters& result) {
      for (uint32_t i = 0; i < count; ++i) folded_[first + i] = result.size() == 1 ? Characters{result[0] + i} : result;
    });
    ForEachRecord(kMarkTable, [&](char32_t first, uint32_t count, const Characters& result) {
      for (uint32_t i = 0; i < count; ++i) classes_[first + i] = static_cast<int>(result[0]);
    });
  }

  template <class F>
  static void ForEachRecord(std::string_view text, const F& f) {
    char32_t first = 0;
    std::vector<char32_t> numbers{0};
    for (const char c : text) {
      if (c == ',') {
        numbers.push_back(0);
      } else if (c == ';') {
        first += numbers[0];
        f(first, static_cast<uint32_t>(numbers[1]), Characters(numbers.begin() + 2, numbers.end()));
        numbers.assign(1, 0);
      } else {
        numbers.back() = numbers.back() * 36 + static_cast<char32_t>(c <= '9' ? c - '0' : c - 'a' + 10);
      }
    }
  }

  std::unordered_map<char32_t, Characters> folded_;
  std::unordered_map<char32_t, int> classes_;
};

// The next character of a UTF-8 text, which every reader has checked.
char32_t Next(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0x80);
  };
  const char32_t lead = byte(at);
  const int more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  char32_t c = more == 0 ? lead : lead & (0x3Fu >> more);
  for (int i = 1; i <= more; ++i) c = c << 6 | (byte(at + static_cast<size_t>(i)) & 0x3F);
  at += static_cast<size_t>(more) + 1;
  return c;
}

void Append(char32_t c, Characters& out) {
  constexpr char32_t kSyllables = 0xAC00, kLead = 0x1100, kVowel = 0x1161, kTail = 0x11A7;
  if (c >= kSyllables && c < kSyllables + 11172) {  // a Hangul syllable: two or three letters
    const char32_t number = c - kSyllables;
    out += {kLead + number / 588, kVowel + number % 588 / 28};
    if (number % 28 != 0) out += kTail + number % 28;
  } else if (const Characters* folded = CharacterTable::Get().Folded(c)) {
    for (const char32_t part : *folded) {  // which may be a syllable, as of one in a circle
      if (part >= kSyllables && part < kSyllables + 11172) {
        Append(part, out);
      } else {
        out += part;
      }
    }
  } else {
    out += c;
  }
}

// Marks that stand behind one another have no order of their own: they get that of their classes.
void OrderMarks(Characters& text) {
  const CharacterTable& table = CharacterTable::Get();
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && table.MarkClass(text[end]) != 0) ++end;
    const auto first = text.begin() + static_cast<ptrdiff_t>(begin), last = text.begin() + static_cast<ptrdiff_t>(end);
    std::stable_sort(first, last, [&](char32_t a, char32_t b) { return table.MarkClass(a) < table.MarkClass(b); });
    begin = end + 1;
  }
}

bool IsBlank(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0x1680 || c == 0x2028 || c == 0x2029;
}

Characters Form(std::string_view text) {
  Characters form;
  for (size_t at = 0; at < text.size();) Append(Next(text, at), form);
  OrderMarks(form);
  const auto first = std::find_if_not(form.begin(), form.end(), IsBlank);
  const auto last = std::find_if_not(form.rbegin(), std::make_reverse_iterator(first), IsBlank).base();
  return Characters(first, last);
}

// A decimal number by its value: a sign, the digits from the first to the last that is not zero, and where the point stands before
// them. Nothing if the text is none.
std::optional<std::string> NumberKey(std::string_view text) {
  size_t at = 0;
  const auto is = [&](char c) { return at < text.size() && text[at] == c; };
  const auto digit = [&] { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  const bool negative = is('-');
  if (negative || is('+')) ++at;
  std::string digits;
  int64_t point = 0;
  bool any = false;
  for (; digit(); ++at, any = true) {
    if (digits.empty() && text[at] == '0') continue;
    digits += text[at];
    ++point;
  }
  if (is('.')) {
    for (++at; digit(); ++at, any = true) {
      if (digits.empty() && text[at] == '0') {
        --point;
        continue;
      }
      digits += text[at];
    }
  }
  if (!any) return std::nullopt;
  if (is('e')) {
    ++at;
    const bool down = is('-');
    if (down || is('+')) ++at;
    if (!digit()) return std::nullopt;
    int64_t power = 0;
    for (; digit(); ++at) {
      power = power * 10 + (text[at] - '0');
      if (power > 1'000'000'000'000'000) return std::nullopt;  // no number that anybody means
    }
    point += down ? -power : power;
  }
  if (at != text.size()) return std::nullopt;
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  if (digits.empty()) return "#0";
  return std::string(negative ? "#-" : "#") + digits + "@" + std::to_string(point);
}

}  // namespace

std::string FoldedText(std::string_view text) {
  std::string narrow;
  std::string key;
  bool ascii = true;
  for (const char32_t c : Form(text)) {
    ascii = ascii && c < 0x80;
    if (ascii) narrow += static_cast<char>(c);
    key += {static_cast<char>(c >> 16), static_cast<char>(c >> 8 & 0xFF), static_cast<char>(c & 0xFF)};
  }
  if (!ascii) return "=" + key;
  if (kMissing.contains(narrow)) return "";
  if (auto number = NumberKey(narrow)) return *std::move(number);
  return "=" + key;
}

FoldedColumn FoldColumn(const Column& column, const Requirement& requirement) {
  // What a code is compared by: numbers and dates by the value that the column has for them, names by their form.
  const auto key_of = [&](Code code) -> std::string {
    if (column.is_missing(code)) return "";
    if (requirement.exact_values) return "=" + std::to_string(code);
    if (column.is_numeric()) return "=" + std::to_string(column.value_id(code));
    return FoldedText(column.text(code));
  };
  std::vector<std::string> keys(column.num_codes());
  for (Code code = 0; code < column.num_codes(); ++code) keys[code] = key_of(code);
  FoldedColumn folded;
  folded.missing_counts = requirement.missing_counts;
  if (std::ranges::find(keys, "") != keys.end()) folded.missing = folded.count++;
  std::unordered_map<std::string, uint32_t> known;
  if (folded.missing) known[""] = *folded.missing;
  for (const std::string& key : keys) {
    const auto [found, is_new] = known.try_emplace(key, folded.count);
    if (is_new) ++folded.count;
    folded.value_of_code.push_back(found->second);
  }
  return folded;
}

std::vector<std::pair<std::string, std::string>> FoldedPairs(const Column& column, const FoldedColumn& folded) {
  std::vector<std::optional<Code>> first(folded.count);
  std::vector<std::pair<std::string, std::string>> pairs;
  for (Code code = 0; code < column.num_codes(); ++code) {
    const uint32_t value = folded.value_of_code[code];
    const std::string_view text = column.text(code);
    if (value == folded.missing) {
      if (!text.empty()) pairs.emplace_back(text, "");
      continue;
    }
    if (!first[value]) {
      first[value] = code;
    } else {
      pairs.emplace_back(text, column.text(*first[value]));
    }
  }
  return pairs;
}

}  // namespace tada
