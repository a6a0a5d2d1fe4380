#include "testing/tables.h"

#include <sstream>
#include <stdexcept>

namespace tada::testing {

Table MakeTable(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line, word;
  std::vector<ColumnBuilder> builders;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    if (builders.empty()) {
      while (words >> word) {
        ColumnOptions options;
        options.merge_missing = true;
        const size_t colon = word.find(':');
        const std::string kind = colon == std::string::npos ? "" : word.substr(colon + 1);
        if (kind == "categorical") options.kind = Kind::kCategorical;
        if (kind == "numeric") options.kind = Kind::kNumeric;
        if (kind == "ordinal") options.kind = Kind::kOrdinal;
        if (kind == "appearance") options.order_of_appearance = true;
        builders.emplace_back(word.substr(0, colon), options);
      }
      continue;
    }
    for (ColumnBuilder& builder : builders) {
      if (!(words >> word)) throw std::runtime_error("too few cells: " + line);
      builder.AppendText(word == "_" ? "" : word);
    }
  }
  std::vector<Column> columns;
  for (ColumnBuilder& builder : builders) {
    Result<Column> column = builder.Finish();
    if (!column.ok()) throw std::runtime_error(column.error().message);
    columns.push_back(std::move(column).value());
  }
  return Table(std::move(columns));
}

std::vector<ColumnId> Ids(const Table& table, const std::vector<std::string>& names) {
  std::vector<ColumnId> ids;
  for (const std::string& name : names) ids.push_back(table.Find(name).value());
  return ids;
}

Table RunningExample(bool twelve_rows, bool states_by_appearance) {
  std::string text = std::string("Age State") + (states_by_appearance ? ":appearance" : "") + R"( Job Income
    51 MN Gov 150
    30 CA Non-gov 150
    35 CA Non-gov 120
    35 TX Gov 300
    62 MN Gov 200
    40 TX Gov 300
    62 CA Gov 300
    37 MN Non-gov 150
    36 TX Gov 180
    24 MN Gov 100
    64 CA Gov 250
  )";
  if (twelve_rows) text += "34 TX Gov 300\n";
  return MakeTable(text);
}

}  // namespace tada::testing
