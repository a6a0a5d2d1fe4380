#include "audit/original/own_writing.h"

#include <algorithm>
#include <array>
#include <vector>

#include "table/parsed_cell.h"
#include "writing/month_names.h"

namespace tada {
namespace {

struct Run {
  enum class Of { kDigits, kLetters } of;
  std::string_view text;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::vector<Run> RunsOf(std::string_view text) {
  std::vector<Run> runs;
  while (!text.empty()) {
    const size_t letters = WordLength(text);
    size_t digits = 0;
    while (digits < text.size() && IsDigit(text[digits])) ++digits;
    if (letters > 0) runs.push_back({Run::Of::kLetters, text.substr(0, letters)});
    if (digits > 0) runs.push_back({Run::Of::kDigits, text.substr(0, digits)});
    text.remove_prefix(std::max<size_t>(1, letters + digits));
  }
  return runs;
}

struct Field {
  char letter;
  int pivot = 69;
};

// The letters of the conversions, in their order.
std::vector<Field> FieldsOf(const std::string& format) {
  std::vector<Field> fields;
  for (size_t i = 0; i + 1 < format.size(); ++i) {
    if (format[i] != '%') continue;
    const char letter = format[++i];
    const std::string_view several = letter == 'T'   ? "HMS"
                                     : letter == 'R' ? "HM"
                                     : letter == 'F' ? "Ymd"
                                     : letter == 'D' ? "mdy"
                                                     : "";
    for (const char c : several) fields.push_back({c});
    if (!several.empty() || letter == '%') continue;
    fields.push_back({letter});
    if (letter == 'y' && format.size() > i + 3 && format[i + 1] == '@')
      fields.back().pivot = std::stoi(format.substr(i + 2, 2));
  }
  return fields;
}

size_t WidthOf(char letter) { return letter == 'Y' ? 4 : 2; }

std::string OwnDate(std::string_view text, const std::string& format) {
  const std::vector<Run> runs = RunsOf(text);
  std::array<int, 128> value{};
  value.fill(-1);
  std::string fraction, zone;
  size_t run = 0, used = 0;  // bytes of the run that fields have taken
  for (const Field& field : FieldsOf(format)) {
    if (field.letter == 'z') {  // the rest of the text: a sign may belong to it
      const size_t at = text.find_last_of("Z+-");
      if (at == std::string_view::npos) return "";
      zone = text.substr(at);
      break;
    }
    if (run >= runs.size()) return "";
    std::string_view piece = runs[run].text.substr(used);
    const bool word = std::string_view("bBaAp").find(field.letter) != std::string_view::npos;
    if (word != (runs[run].of == Run::Of::kLetters)) return "";
    if (word) {
      if (field.letter == 'p') {
        value['p'] = (piece[0] | 0x20) == 'p' ? 12 : 0;
      } else if (field.letter == 'b' || field.letter == 'B') {
        const auto name = ReadMonthName(piece);
        if (!name) return "";
        value['m'] = name->month;
      }
      ++run;
      continue;
    }
    piece = piece.substr(0, WidthOf(field.letter));
    int number = 0;
    for (const char c : piece) number = number * 10 + (c - '0');
    if (field.letter == 'y') number += number < field.pivot ? 2000 : 1900;
    const char slot = field.letter == 'y' ? 'Y' : field.letter == 'e' ? 'd' : field.letter == 'I' ? 'H' : field.letter;
    value[static_cast<size_t>(slot)] = number;
    if (field.letter == 'I') value['I'] = 1;
    used += piece.size();
    if (used == runs[run].text.size()) {
      ++run;
      used = 0;
    }
    // A fraction follows seconds behind a point or a comma.
    if (field.letter != 'S' || run >= runs.size() || runs[run].of != Run::Of::kDigits) continue;
    const char before = *(runs[run].text.data() - 1);
    if (before != '.' && before != ',') continue;
    fraction = runs[run++].text;
  }
  if (value['Y'] < 0 || value['m'] < 1 || value['d'] < 1) return "";
  std::string plain = fmt::format("{:04}-{:02}-{:02}", value['Y'], value['m'], value['d']);
  if (value['H'] < 0) return plain;
  const int hour = value['p'] >= 0 ? value['H'] % 12 + value['p'] : value['H'];
  plain += fmt::format("T{:02}:{:02}", hour, std::max(0, value['M']));
  if (value['S'] >= 0) plain += fmt::format(":{:02}", value['S']);
  if (!fraction.empty()) plain += "." + fraction;
  return plain + zone;
}

// Digits, the decimal sign and what makes it negative; all else is there for people.
std::string OwnNumber(std::string_view text, char decimal) {
  std::string plain;
  bool any = false;
  if (text.find('-') != std::string_view::npos || text.find("\xE2\x88\x92") != std::string_view::npos) plain = "-";
  for (size_t i = 0; i < text.size(); ++i) {
    const bool at_number = i + 1 < text.size() && IsDigit(text[i + 1]);
    if (IsDigit(text[i])) {
      plain += text[i];
      any = true;
    } else if (text[i] == decimal && (any || at_number) && plain.find('.') == std::string::npos) {
      plain += '.';
    } else if ((text[i] | 0x20) == 'e' && any && i + 1 < text.size() &&
               (at_number || text[i + 1] == '+' || text[i + 1] == '-')) {
      if (plain.starts_with('-') && text.find('-') > i) plain.erase(0, 1);  // the sign is the exponent's
      return plain.append(text.substr(i));
    }
  }
  return any ? plain : "";
}

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Takes a bound off the front of what is between brackets; with it what separates it from the next.
std::string_view TakeBound(std::string_view& body, bool semicolon) {
  body = Trim(body);
  std::string_view bound;
  if (body.starts_with('"')) {
    const size_t end = std::min(body.find('"', 1), body.size());
    bound = body.substr(1, end - 1);
    body.remove_prefix(std::min(end + 1, body.size()));
    body = Trim(body);
    body.remove_prefix(std::min<size_t>(1, body.size()));
    return bound;
  }
  const size_t end = std::min(body.find(semicolon ? ';' : ','), body.size());
  bound = Trim(body.substr(0, end));
  body.remove_prefix(std::min(end + 1, body.size()));
  return bound;
}

bool IsBracketed(std::string_view cell) {
  return cell.size() > 2 && std::string_view("[](").find(cell.front()) != std::string_view::npos &&
         std::string_view("[])").find(cell.back()) != std::string_view::npos;
}

}  // namespace

std::string OwnPlainValue(std::string_view text, const Writing& writing) {
  text = Trim(text);
  return writing.is_dates() ? OwnDate(text, writing.text()) : OwnNumber(text, writing.has_decimal_comma() ? ',' : '.');
}

std::string OwnPlainCell(std::string_view cell, const Writing& writing) {
  const std::string_view trimmed = Trim(cell);
  if (IsBracketed(trimmed)) {
    std::string_view body = trimmed.substr(1, trimmed.size() - 2);
    const bool semicolon = body.find('"') == std::string_view::npos && body.find(';') != std::string_view::npos;
    std::string_view low, high;
    if (writing.has_decimal_comma() && !semicolon && body.find('"') == std::string_view::npos) {
      const auto commas = std::count(body.begin(), body.end(), ',');
      size_t middle = commas == 1 || commas == 3 ? body.find(',') : std::string_view::npos;
      if (commas == 3) middle = body.find(',', middle + 1);
      if (middle == std::string_view::npos) return std::string(cell);
      low = Trim(body.substr(0, middle));
      high = Trim(body.substr(middle + 1));
    } else {
      low = TakeBound(body, semicolon);
      high = TakeBound(body, semicolon);
      if (!body.empty()) return std::string(cell);
    }
    const std::string plain_low = low.empty() ? "" : OwnPlainValue(low, writing);
    const std::string plain_high = high.empty() ? "" : OwnPlainValue(high, writing);
    if ((plain_low.empty() && !low.empty()) || (plain_high.empty() && !high.empty())) return std::string(cell);
    return fmt::format("{}{},{}{}", trimmed.front(), plain_low, plain_high, trimmed.back());
  }
  const ParsedCell parsed = ParseCell(trimmed, Reading::kNames);
  if (parsed.form == ParsedCell::Form::kSet) {
    std::string set;
    for (const std::string& element : parsed.elements) {
      const std::string plain = OwnPlainValue(element, writing);
      set += fmt::format("{}\"{}\"", set.empty() ? "{" : ",", plain.empty() ? element : plain);
    }
    return set + "}";
  }
  if (parsed.form != ParsedCell::Form::kValue || !writing.Plain(trimmed)) return std::string(cell);  // a label
  const std::string plain = OwnPlainValue(trimmed, writing);
  return plain.empty() ? std::string(cell) : plain;
}

}  // namespace tada
