#pragma once

// Reads the text of a released cell, ours or another tool's.
//   value     a number, a date, a name: stands for itself. A label of a hierarchy looks like one too.
//   interval  `[20,30]` `[20-30]` `20-30` `20..30` `20~30` `20 to 30`, also dates and negative numbers (`-5--1`). A bracket
//             that turns away leaves its bound out: `[20,30[` `[20,30)` `]20,30]` `(20,30]`. `>=50` `<10` `50+` `[,30]` have one
//             bound.
//   set       `{a,b}` `a~b`. In braces an element may be "quoted" with backslash escapes; `""` is "missing".
//   pattern   `476**`: a star stands for one character.       mask   `*`, or nothing but stars: stands for anything.
// Every sequence of bytes is one of these: what is nothing else is a value.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "table/column.h"

namespace tada {

/// What the values of a column are. Intervals are looked for among numbers and dates only: `11-20` may be a name.
enum class Reading { kNames, kNumbers, kDates };

struct ParsedCell {
  enum class Form { kValue, kInterval, kSet, kPattern, kMask };
  Form form = Form::kValue;
  std::string_view low, high;                ///< bounds of an interval, parts of the text; empty: none on this side
  bool low_open = false, high_open = false;  ///< whether a bound itself is left out
  std::vector<std::string> elements;         ///< of a set
};

/// Reads a cell. The result refers to `text`.
ParsedCell ParseCell(std::string_view text, Reading reading);

/// Whether `text` is a value that `reading` counts with: a number or a date.
bool IsValue(std::string_view text, Reading reading);

/// What most of some texts count as: numbers or dates if more than half are such values or intervals of them. Masks say nothing.
Reading MostRead(std::span<const std::string_view> texts);

/// Whether any value of a column counts as `reading`.
bool HoldsAny(const Column& column, Reading reading);

/// Whether `value` is `pattern` with some character in place of every star.
bool MatchesPattern(std::string_view pattern, std::string_view value);

/// Whether two patterns have a text in common; a text without stars is a pattern of itself alone. Careful: a star may stand
/// for a character or, as some tools mask texts, for a byte.
bool PatternsMeet(std::string_view a, std::string_view b);

/// The parts of a text between its semicolons, without outer blanks: some tools write sets as `{a;b}`.
std::vector<std::string> SplitAtSemicolons(std::string_view text);

/// The elements of a set, given as they were parsed: `{a;b}` has a semicolon between them unless `is_value(a;b)`.
template <class IsKnown>
std::vector<std::string> ElementsOfSet(std::vector<std::string> parsed, const IsKnown& is_value) {
  return parsed.size() == 1 && !is_value(parsed[0]) ? SplitAtSemicolons(parsed[0]) : std::move(parsed);
}

}  // namespace tada
