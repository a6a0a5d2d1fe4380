#include "writing/date_format.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "base/characters.h"
#include "writing/month_names.h"

namespace tada {
namespace {

constexpr int kPivot = 69;  // of POSIX: %y of 69 and more is in the 1900s

// Short forms of a format written out.
std::string_view LongForm(char letter) {
  switch (letter) {
    case 'T':
      return "%H:%M:%S";
    case 'R':
      return "%H:%M";
    case 'F':
      return "%Y-%m-%d";
    case 'D':
      return "%m/%d/%y";
    default:
      return "";
  }
}

struct Field {
  char letter = 0;  // of a conversion; 0: `literal` stands for itself
  char literal = 0;
  int pivot = kPivot;  // of y
};

// Takes the first field off a format. Pre: it is not empty.
Field TakeField(std::string_view& format) {
  Field field;
  if (format[0] != '%' || format.size() < 2) {
    field.literal = format[0];
    format.remove_prefix(1);
    return field;
  }
  field.letter = format[1];
  format.remove_prefix(2);
  if (field.letter == 'y' && format.size() >= 3 && format[0] == '@' && IsDigit(format[1]) && IsDigit(format[2])) {
    field.pivot = (format[1] - '0') * 10 + (format[2] - '0');
    format.remove_prefix(3);
  }
  if (field.letter == '%') field = {0, '%'};
  return field;
}

struct Moment {
  int year = -1, month = -1, day = -1, hour = -1, minute = -1, second = -1;
  std::string fraction, zone;
  std::optional<bool> afternoon;
};

class DateReader {
 public:
  explicit DateReader(std::string_view text) : text_(text) {}

  bool Read(std::string_view format) {
    while (!format.empty()) {
      const Field field = TakeField(format);
      if (field.letter == 0 ? !Literal(field.literal) : !Conversion(field)) return false;
    }
    return true;
  }
  bool at_end() const { return text_.empty(); }
  Moment moment;

 private:
  bool Literal(char c) {
    if (c == ' ') {
      if (text_.empty() || text_[0] != ' ') return false;
      while (!text_.empty() && text_[0] == ' ') text_.remove_prefix(1);
      return true;
    }
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  // A number of `least` to `most` digits, in [low, high].
  bool Number(size_t least, size_t most, int low, int high, int& out) {
    size_t digits = 0;
    int value = 0;
    while (digits < most && digits < text_.size() && IsDigit(text_[digits]))
      value = value * 10 + (text_[digits++] - '0');
    if (digits < least || value < low || value > high || out != -1) return false;
    text_.remove_prefix(digits);
    out = value;
    return true;
  }

  bool Conversion(const Field& field) {
    switch (field.letter) {
      case 'Y':
        return Number(4, 4, 0, 9999, moment.year);
      case 'y':
        if (!Number(2, 2, 0, 99, moment.year)) return false;
        moment.year += moment.year >= field.pivot ? 1900 : 2000;
        return true;
      case 'm':
        return Number(1, 2, 1, 12, moment.month);
      case 'd':
      case 'e':
        return Number(1, 2, 1, 31, moment.day);
      case 'H':
        return Number(1, 2, 0, 23, moment.hour);
      case 'I':
        return Number(1, 2, 1, 12, moment.hour);
      case 'M':
        return Number(2, 2, 0, 59, moment.minute);
      case 'S':
        return Number(2, 2, 0, 60, moment.second) && Fraction();
      case 'p':
        return HalfDay();
      case 'b':
      case 'B':
        return Month();
      case 'a':
      case 'A':
        return Weekday();
      case 'z':
        return Zone();
      default:
        return !LongForm(field.letter).empty() && Read(LongForm(field.letter));
    }
  }

  bool Fraction() {
    if (text_.size() < 2 || (text_[0] != '.' && text_[0] != ',') || !IsDigit(text_[1])) return true;
    size_t end = 1;
    while (end < text_.size() && IsDigit(text_[end])) ++end;
    moment.fraction = text_.substr(1, end - 1);
    text_.remove_prefix(end);
    return true;
  }

  bool HalfDay() {
    const bool dotted = text_.size() >= 4 && text_[1] == '.' && text_[3] == '.';  // p.m.
    const size_t second = dotted ? 2 : 1;
    if (text_.size() <= second || (text_[second] | 0x20) != 'm') return false;
    const char half = static_cast<char>(text_[0] | 0x20);
    if (half != 'a' && half != 'p') return false;
    moment.afternoon = half == 'p';
    text_.remove_prefix(dotted ? 4 : 2);
    return true;
  }

  bool Month() {
    const auto name = ReadMonthName(text_);
    if (!name || moment.month != -1) return false;
    moment.month = name->month;
    text_.remove_prefix(name->length);
    return true;
  }

  bool Weekday() {
    const size_t length = WordLength(text_);
    text_.remove_prefix(length);
    if (length > 0 && !text_.empty() && text_[0] == '.') text_.remove_prefix(1);
    return length >= 2;
  }

  bool Zone() {
    if (!text_.empty() && text_[0] == 'Z') {
      moment.zone = "Z";
      text_.remove_prefix(1);
      return true;
    }
    size_t end = 1;
    while (end < text_.size() && (IsDigit(text_[end]) || text_[end] == ':')) ++end;
    if (text_.empty() || (text_[0] != '+' && text_[0] != '-') || end < 3) return false;
    moment.zone = text_.substr(0, end);
    text_.remove_prefix(end);
    return true;
  }

  std::string_view text_;
};

std::string_view Weekday(std::string_view plain) {
  static constexpr std::string_view kNames[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  int number[3] = {0, 0, 0};
  for (size_t i = 0, part = 0; i < std::min<size_t>(plain.size(), 10); ++i) {
    if (plain[i] == '-') {
      ++part;
    } else {
      number[part] = number[part] * 10 + (plain[i] - '0');
    }
  }
  const std::chrono::year_month_day date{std::chrono::year(number[0]),
                                         std::chrono::month(static_cast<unsigned>(number[1])),
                                         std::chrono::day(static_cast<unsigned>(number[2]))};
  return kNames[std::chrono::weekday(std::chrono::sys_days(date)).c_encoding()];
}

}  // namespace

Status CheckDateFormat(std::string_view format) {
  std::string seen;
  for (std::string_view rest = format; !rest.empty();) {
    const Field field = TakeField(rest);
    if (field.letter == 0) continue;
    if (const std::string_view longer = LongForm(field.letter); !longer.empty()) {
      for (const char c : longer) seen += c;
      continue;
    }
    if (std::string_view("YymdebBHIMSpaAz").find(field.letter) == std::string_view::npos) {
      return InvalidArgument("Format of dates has a conversion that is not known: %{} in {}", field.letter, format)
          .WithHint("Known are %d %m %Y %y %b %H %I %M %S %p %z, and %B %e %a %A %T %R %F %D.");
    }
    seen += field.letter;
  }
  const auto has = [&](std::string_view letters) { return seen.find_first_of(letters) != std::string::npos; };
  if (has("Yy") && has("mbB") && has("de") && (!has("M") || has("HI")) && (!has("S") || has("M")) &&
      (!has("p") || has("I")))
    return Ok();
  return InvalidArgument("Format of dates does not say year, month and day, and hours before minutes: {}", format)
      .WithHint("For example %d/%m/%Y for 31/12/1942, or %m/%d/%y %I:%M %p for 12/31/42 9:30 PM.");
}

std::optional<std::string> PlainDate(std::string_view text, std::string_view format) {
  DateReader reader(text);
  if (!reader.Read(format) || !reader.at_end()) return std::nullopt;
  Moment& at = reader.moment;
  const std::chrono::year_month_day date{std::chrono::year(at.year),
                                         std::chrono::month(static_cast<unsigned>(at.month)),
                                         std::chrono::day(static_cast<unsigned>(at.day))};
  if (!date.ok()) return std::nullopt;
  if (at.afternoon && at.hour >= 0) at.hour = at.hour % 12 + (*at.afternoon ? 12 : 0);
  std::string plain = fmt::format("{:04}-{:02}-{:02}", at.year, at.month, at.day);
  if (at.hour < 0) return plain;
  fmt::format_to(std::back_inserter(plain), "T{:02}:{:02}", at.hour, std::max(at.minute, 0));
  if (at.second >= 0) fmt::format_to(std::back_inserter(plain), ":{:02}", at.second);
  if (!at.fraction.empty()) plain += '.' + at.fraction;
  return plain + at.zone;
}

std::string WriteDate(std::string_view plain, std::string_view format) {
  const auto part = [&](size_t at, size_t count) {
    return plain.size() >= at + count ? std::string(plain.substr(at, count)) : std::string(count, '0');
  };
  const auto two = [&](size_t at) { return (part(at, 2)[0] - '0') * 10 + (part(at, 2)[1] - '0'); };
  std::string text;
  while (!format.empty()) {
    const Field field = TakeField(format);
    const int hour = two(11);
    switch (field.letter) {
      case 0:
        text += field.literal;
        break;
      case 'Y':
        text += part(0, 4);
        break;
      case 'y':
        text += part(2, 2);
        break;
      case 'm':
        text += part(5, 2);
        break;
      case 'd':
      case 'e':
        text += part(8, 2);
        break;
      case 'b':
      case 'B':
        text += EnglishMonth(std::clamp(two(5), 1, 12), field.letter == 'B');
        break;
      case 'H':
        text += part(11, 2);
        break;
      case 'I':
        text += fmt::format("{:02}", hour % 12 == 0 ? 12 : hour % 12);
        break;
      case 'M':
        text += part(14, 2);
        break;
      case 'S':
        text += part(17, 2);
        break;
      case 'p':
        text += hour < 12 ? "AM" : "PM";
        break;
      case 'z':
        text += 'Z';
        break;
      case 'a':
      case 'A':
        text += Weekday(plain);
        break;
      default:
        if (!LongForm(field.letter).empty()) text += WriteDate(plain, LongForm(field.letter));
    }
  }
  return text;
}

}  // namespace tada
