#pragma once

// How the numbers or dates of a column are written where that is not the plain way (`7`, `1.5`, `2024-02-29`).
//   writing   of dates a format: `%d/%m/%Y`; of numbers the decimal sign, `comma` or `point`: `1.234,50 €`, `$1,234.50`, `12,5%`.
//             Of a plain column: nothing.
//   plain     the same value written plainly: `1942-12-31`, `1234.50`. Order and arithmetic work on plain texts alone, so that one
//             place knows what a writing means.
// A format is what strptime takes: %d %m %Y %y %b %H %I %M %S %p %z, and %B %e %a %A %T %R %F %D. A day, month or hour may lack its
// leading zero, a month's name may be in one of seven languages, short or long; %S takes a fraction. %y has a pivot: 69 to 99 are
// 1969 to 1999, or with `%y@30` 30 to 99 are 1930 to 1999; all others are in the 2000s.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tada {

class Writing {
 public:
  /// The plain one.
  Writing() = default;
  /// Of dates; kInvalidArgument for what is no format of a day.
  static Result<Writing> Dates(std::string_view format);
  static Writing Numbers(bool decimal_comma) { return Writing(decimal_comma ? "comma" : "point"); }
  /// By the text that text() gives.
  static Result<Writing> Parse(std::string_view text);

  bool is_plain() const { return text_.empty(); }
  bool is_dates() const { return text_.find('%') != std::string::npos; }
  bool has_decimal_comma() const { return text_ == "comma"; }
  /// As plans write it: "", "%d/%m/%Y", "comma" or "point".
  const std::string& text() const { return text_; }
  bool operator==(const Writing&) const = default;

  /// The value that `text` spells in this writing, plainly; nothing if it spells none. A plain writing says nothing of any text.
  std::optional<std::string> Plain(std::string_view text) const;
  /// A number or a date that is plain, in this writing. What the writing leaves out (a time of day) is lost; months have English
  /// names.
  std::string Write(std::string_view plain) const;

 private:
  explicit Writing(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// What stands around a number: `$`, ` EUR`, `%`; blanks aside. The sign stays with the digits.
struct NumberParts {
  std::string_view before, body, behind;
  bool negative = false;
};
NumberParts TakeUnitsOff(std::string_view text);

/// A cell of a release whose values are in a writing, with its values plain: `["1,5","2,75"]` is `[1.5,2.75]`. What is no value, interval
/// or set of them stays as it is.
std::string PlainCell(std::string_view cell, const Writing& writing);

/// Calls `visit` with every value that a cell shows, as it is written: itself, or the bounds of an interval in brackets.
void ForEachValue(std::string_view cell, const std::function<void(std::string_view)>& visit);

/// An interval as cells show it, `[low,high]`. A bound that holds a comma or a bracket is quoted, and so are both where commas are
/// decimal signs: `["5","10"]`, since `5,10` is a number there.
std::string IntervalCell(std::string_view low, std::string_view high, const Writing& writing, bool high_open = false);

}  // namespace tada
