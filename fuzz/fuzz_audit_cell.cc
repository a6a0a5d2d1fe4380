// The audit reads cells that anybody wrote. Any text is one of the forms of table/parsed_cell.h and its parts lie inside it; a set that
// we write is read back as it was; and a table audited against itself, asking nothing, passes whatever its cells look like.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "audit/audit.h"
#include "recode/release.h"
#include "table/column_builder.h"
#include "table/parsed_cell.h"

namespace {

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

bool Inside(std::string_view part, std::string_view whole) {
  return part.empty() || (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

void ReadsAnyCell(std::string_view text) {
  for (const auto reading : {tada::Reading::kNames, tada::Reading::kNumbers, tada::Reading::kDates}) {
    const tada::ParsedCell cell = tada::ParseCell(text, reading);
    Require(Inside(cell.low, text) && Inside(cell.high, text), "a bound is not part of the cell");
    Require(cell.form != tada::ParsedCell::Form::kInterval || !cell.low.empty() || !cell.high.empty(),
            "an interval without bounds");
    Require(cell.form == tada::ParsedCell::Form::kSet || cell.elements.empty(), "elements without a set");
    tada::MatchesPattern(text, text);
  }
}

void ReadsBackOurSets(const std::vector<std::string>& elements) {
  std::string text = "{";
  for (const std::string& element : elements) text += (text.size() > 1 ? "," : "") + tada::SetElementText(element);
  text += "}";
  const tada::ParsedCell cell = tada::ParseCell(text, tada::Reading::kNames);
  Require(cell.form == tada::ParsedCell::Form::kSet, "a set that we wrote is not read as one");
  Require(cell.elements == elements, "a set that we wrote has other elements when read back");
}

void PassesAgainstItself(const std::vector<std::string>& cells) {
  const auto build = [&](bool released) {
    tada::ColumnOptions options;
    if (released) options.kind = tada::Kind::kCategorical;
    if (released) options.missing = {};
    tada::ColumnBuilder builder("c", options);
    for (const std::string& cell : cells) builder.AppendText(cell);
    std::vector<tada::Column> columns;
    auto column = builder.Finish();
    Require(column.ok(), "a column of texts cannot be built");
    columns.push_back(std::move(column).value());
    return tada::Table(std::move(columns));
  };
  const tada::Table release = build(true), original = build(false);
  tada::AuditOptions options;
  options.quasi = {0};
  options.requirement.k = 1;
  options.original = &original;
  options.original_column = {tada::ColumnId{0}};
  const auto verdict = tada::Audit(release, options, tada::Workers(1));
  Require(verdict.ok(), "an audit that cannot be made");
  for (const std::string& problem : verdict->problems) std::fprintf(stderr, "%s\n", problem.c_str());
  Require(verdict->passed, "a table does not pass against itself");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> lines = Lines(text);
  ReadsAnyCell(text);
  for (const std::string& line : lines) ReadsAnyCell(line);
  ReadsBackOurSets(lines);
  PassesAgainstItself(lines);
  return 0;
}
