#include <algorithm>

#include "recode/release.h"
#include "table/parsed_cell.h"

namespace tada {
namespace {

// Without quotes PostgreSQL reads it in an array as no value at all.
bool IsNullWord(std::string_view value) {
  constexpr std::string_view kNull = "null";
  return std::ranges::equal(value, kNull, [](char a, char b) { return (a | 0x20) == b; });
}

}  // namespace

std::string SetElementText(std::string_view value) {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  const bool plain = !value.empty() && value.find_first_of(",{}\"\\") == std::string_view::npos &&
                     !blank(value.front()) && !blank(value.back()) && !IsNullWord(value);
  if (plain) return std::string(value);
  std::string quoted = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string SingleCellText(std::string_view value) {
  const bool is_plain = ParseCell(value, Reading::kNames).form == ParsedCell::Form::kValue;
  return is_plain ? std::string(value) : fmt::format("{{{}}}", SetElementText(value));
}

std::string CellText(const Column& source, const ReleasedColumn& released, const Cell& cell) {
  const Column& column = released.shown(source);
  switch (cell.form) {
    case Cell::Form::kValue:
      return std::string(column.text(cell.low));
    case Cell::Form::kInterval:
      return IntervalCell(column.text(cell.low), column.text(cell.high), column.writing());
    case Cell::Form::kLabel:
      return released.labels[cell.index];
    case Cell::Form::kMask:
      return "*";
    case Cell::Form::kSet:
      break;
  }
  // Sorted by text: the order of codes may be the user's, which is nobody else's business.
  std::vector<std::string_view> texts;
  for (const Code code : released.sets[cell.index]) texts.push_back(column.is_missing(code) ? "" : column.text(code));
  std::sort(texts.begin(), texts.end());
  std::string set = "{";
  for (const std::string_view text : texts) {
    if (set.size() > 1) set += ',';
    set += SetElementText(text);
  }
  return set + '}';
}

}  // namespace tada
