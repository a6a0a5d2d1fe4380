#include <algorithm>

#include "recode/cell_form.h"
#include "table/parsed_cell.h"

namespace tada {
namespace {

// Without quotes PostgreSQL reads it in an array as no value at all.
bool IsNullWord(std::string_view value) {
  constexpr std::string_view kNull = "null";
  return std::ranges::equal(value, kNull, [](char a, char b) { return (a | 0x20) == b; });
}

// A cell as a literal of a range or an array.
std::string Literal(const Column& source, const ReleasedColumn& released, const Cell& cell, CellShape shape) {
  const bool range = shape == CellShape::kIntervals;
  if (cell.form == Cell::Form::kMask) return range ? "(,)" : "{NULL}";
  if (cell.form != Cell::Form::kValue) return CellText(source, released, cell);
  const Column& column = released.shown(source);
  const bool missing = column.is_missing(cell.low);
  const std::string_view text = missing ? "" : column.text(cell.low);
  if (!range) return fmt::format("{{{}}}", SetElementText(text));
  return missing ? "" : IntervalCell(text, text, column.writing());
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

CellShape ShapeOf(const Column& column, const ReleasedColumn& released) {
  if (!released.leaves.empty() || std::ranges::count(released.cells, Cell::Form::kLabel, &Cell::form) > 0)
    return CellShape::kTexts;
  const bool sets = std::ranges::count(released.cells, Cell::Form::kSet, &Cell::form) > 0;
  return column.is_numeric() && !sets ? CellShape::kIntervals : CellShape::kSets;
}

std::vector<std::string> CellTexts(const Column& source, const ReleasedColumn& released, CellForm form) {
  const CellShape shape = form == CellForm::kPostgres ? ShapeOf(source, released) : CellShape::kTexts;
  std::vector<std::string> texts;
  texts.reserve(released.cells.size());
  for (const Cell& cell : released.cells) {
    texts.push_back(shape == CellShape::kTexts ? CellText(source, released, cell)
                                               : Literal(source, released, cell, shape));
  }
  return texts;
}

}  // namespace tada
