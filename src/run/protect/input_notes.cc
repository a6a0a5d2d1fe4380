#include "run/protect/input_notes.h"

#include <algorithm>

#include "table/column_doubt.h"

namespace tada {
namespace {

// %y, with the pivot behind it if the format says it.
std::string PivotNote(const Column& column) {
  const std::string& format = column.writing().text();
  const size_t at = format.find("%y");
  if (at == std::string::npos || format.compare(at + 2, 1, "@") == 0) return "";
  std::string other = format;
  other.insert(at + 2, "@30");
  return fmt::format(
      "Column {} has years of two digits: 69 to 99 are read as 1969 to 1999, 00 to 68 as 2000 to 2068. {}:date:{} "
      "makes "
      "the years from 30 on 1930 to 1999",
      column.name(), column.name(), other);
}

}  // namespace

std::vector<std::string> InputNotes(const TableFile& file, const Plan& plan) {
  std::vector<std::string> notes;
  if (file.charset != "UTF-8") notes.push_back(fmt::format("The input was read as {}", file.charset));
  for (const Column& column : file.table.columns()) {
    std::string doubt = DoubtWords(column, plan.show_values), pivot = PivotNote(column);
    if (!doubt.empty()) notes.push_back(std::move(doubt));
    if (!pivot.empty()) notes.push_back(std::move(pivot));
  }
  return notes;
}

Status CheckDecided(const Table& table, const Plan& plan) {
  for (const PlannedColumn& planned : plan.quasi) {
    const auto id = table.Find(planned.name);
    const ColumnDoubt* doubt = id ? table.column(*id).doubt() : nullptr;
    if (doubt != nullptr && !doubt->undecided.empty()) return UndecidedWriting(planned.name, doubt->undecided);
  }
  return Ok();
}

}  // namespace tada
