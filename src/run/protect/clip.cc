#include "run/protect/clip.h"

#include <fmt/format.h>

#include <cmath>

#include "base/option_mark.h"
#include "table/change_values.h"
#include "table/number.h"

namespace tada {
namespace {

// An end of a clip: its number, and how the column writes it.
struct End {
  double number = 0;
  std::string text;
  operator ClipBound() const { return {number, text}; }
};

Result<End> EndOf(const Column& column, const std::string& text) {
  if (text.empty()) return End{};
  const Writing& writing = column.writing();
  const std::string plain = writing.Plain(text).value_or(text);
  const auto number = column.is_date() ? ParseDate(plain) : ParseNumber(plain);
  const bool whole = column.type() != ValueType::kInteger || (number && *number == std::floor(*number));
  if (!number || !whole) {
    return InvalidArgument(TADA_OPTION("clip={}") ": '{}' is not a {}", column.name(), text,
                           column.is_date() ? "date"
                           : whole          ? "number"
                                            : "whole number")
        .WithHint(fmt::format("For example: " TADA_OPTION("clip={}={}"), column.name(),
                              column.is_date() ? "1930-01-01..2010-12-31" : "18..90"));
  }
  return End{*number, writing.is_plain() ? text : writing.Write(plain)};
}

Result<Column> Clipped(const Column& column, const ColumnClip& clip) {
  if (!column.is_numeric()) {
    return InvalidArgument(TADA_OPTION("clip") " is for a column of numbers or dates: {} is {}", column.name(),
                           KindName(column.kind()))
        .WithHint("Leave it out of " TADA_OPTION("clip") ".");
  }
  TADA_TRY(low, EndOf(column, clip.low));
  TADA_TRY(high, EndOf(column, clip.high));
  if (!clip.low.empty() && !clip.high.empty() && low.number > high.number) {
    return InvalidArgument(TADA_OPTION("clip={}") ": the lower end is above the upper one: {}..{}", column.name(),
                           clip.low, clip.high);
  }
  return ClipColumn(column, low, high);
}

}  // namespace

Status ClipTable(const Plan& plan, Table& table) {
  if (plan.clip.empty()) return Ok();
  std::vector<Column> columns = table.columns();
  for (const ColumnClip& clip : plan.clip) {
    const auto id = table.Find(clip.column);
    if (!id) continue;
    TADA_TRY(clipped, Clipped(columns[*id], clip));
    columns[*id] = std::move(clipped);
  }
  table = Table(std::move(columns));
  return Ok();
}

std::string ClipWords(const Plan& plan) {
  std::string words;
  for (const ColumnClip& clip : plan.clip) {
    words += fmt::format("{}Values of {}", words.empty() ? "" : " ", clip.column);
    if (!clip.low.empty()) words += fmt::format(" below {0} are taken for {0}", clip.low);
    if (!clip.high.empty())
      words += fmt::format("{0} above {1} {2} {1}", clip.low.empty() ? "" : ", those", clip.high,
                           clip.low.empty() ? "are taken for" : "for");
    words += ".";
  }
  return words;
}

}  // namespace tada
