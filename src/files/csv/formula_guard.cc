#include "files/csv/formula_guard.h"

#include <algorithm>

#include "table/column_builder.h"
#include "table/number.h"

namespace tada {
namespace {

// What is written, without the guard that was put before it.
std::string_view Unguarded(std::string_view text) {
  return text.starts_with('\'') && IsGuarded(text.substr(1)) ? text.substr(1) : text;
}

Column WithoutGuards(const Column& column) {
  const auto guarded = [&](Code code) { return Unguarded(column.text(code)).size() != column.text(code).size(); };
  bool any = false;
  for (Code code = 0; code < column.num_codes(); ++code) any |= guarded(code);
  if (!any) return column;
  std::vector<std::string> missing;
  for (Code code = 0; code < column.num_missing(); ++code) missing.emplace_back(column.text(code));
  ColumnBuilder builder(column.name(), {.kind = column.kind(), .missing = std::move(missing)});
  std::vector<uint32_t> number(column.num_codes());
  for (Code code = 0; code < column.num_codes(); ++code) number[code] = builder.Intern(Unguarded(column.text(code)));
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) builder.Append(number[code]);
  });
  Result<Column> made = builder.Finish();
  TADA_ASSERT(made.ok());
  return std::move(made).value();
}

}  // namespace

bool IsGuarded(std::string_view text) {
  // Texts that have apostrophes of their own get one more, so that taking one off gives every text back.
  const std::string_view shown = text.substr(std::min(text.find_first_not_of('\''), text.size()));
  if (shown.empty() || std::string_view("=+-@\t\r").find(shown.front()) == std::string_view::npos) return false;
  return !ParseNumber(shown) || shown.size() < text.size();
}

Table WithoutGuards(Table table) {
  std::vector<Column> columns;
  for (const Column& column : table.columns()) columns.push_back(WithoutGuards(column));
  return Table(std::move(columns));
}

}  // namespace tada
