#include "cli/demo/demo_view.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "audit/original/cover.h"
#include "report/draw/chart_axis.h"
#include "report/draw/text_layout.h"
#include "report/release/report.h"

namespace tada {
namespace {

constexpr const char kBold[] = "1", kDim[] = "2", kGreen[] = "1;32", kRed[] = "1;31", kCyan[] = "36";

std::string Pad(const std::string& text, size_t width) {
  const size_t have = TextWidth(text);
  return have >= width ? text : text + std::string(width - have, ' ');
}

// A cell that fits: a long set as its first elements and how many there are.
std::string ShortCell(const std::string& cell, size_t width) {
  if (TextWidth(cell) <= width) return cell;
  if (!cell.starts_with('{')) return cell.substr(0, width - 3) + "...";
  const auto elements = static_cast<size_t>(std::count(cell.begin(), cell.end(), ',')) + 1;
  std::string shown = "{";
  size_t taken = 0;
  for (size_t at = 1; taken < elements; ++taken) {
    const size_t end = cell.find_first_of(",}", at);
    const std::string longer = shown + cell.substr(at, end - at) + ",";
    if (TextWidth(longer) + 10 > width) break;
    shown = longer;
    at = end + 1;
  }
  return shown + fmt::format("{} more}}", elements - taken);
}

struct ReleasedColumns {
  std::vector<ColumnId> released, original;
  std::vector<bool> quasi;
};

ReleasedColumns MatchColumns(const Table& original, const Table& released, const Plan& plan) {
  ReleasedColumns columns;
  for (ColumnId id = 0; id < released.num_columns(); ++id) {
    const std::string& name = released.column(id).name();
    const auto found = original.Find(name);
    if (!found) continue;
    columns.released.push_back(id);
    columns.original.push_back(*found);
    columns.quasi.push_back(
        std::any_of(plan.quasi.begin(), plan.quasi.end(), [&](const auto& c) { return c.name == name; }));
  }
  return columns;
}

// The first released row that may be the person's.
std::optional<RowId> FindRow(const Table& original, const Table& released, const ReleasedColumns& columns,
                             const std::vector<CellCover>& covers, RowId person) {
  for (RowId row = 0; row < released.num_rows(); ++row) {
    bool fits = true;
    for (size_t i = 0; fits && i < columns.released.size(); ++i) {
      const Code value = original.column(columns.original[i]).codes()[person];
      fits = covers[i].Covers(released.column(columns.released[i]).codes()[row], covers[i].position(value));
    }
    if (fits) return row;
  }
  return std::nullopt;
}

uint64_t ClassSize(const Table& released, const ReleasedColumns& columns, RowId like) {
  uint64_t size = 0;
  for (RowId row = 0; row < released.num_rows(); ++row) {
    bool same = true;
    for (size_t i = 0; same && i < columns.released.size(); ++i) {
      const Codes& codes = released.column(columns.released[i]).codes();
      same = !columns.quasi[i] || codes[row] == codes[like];
    }
    size += same;
  }
  return size;
}

bool HasMissing(const Table& table, RowId row) {
  return std::any_of(table.columns().begin(), table.columns().end(),
                     [&](const Column& column) { return column.is_missing(column.codes()[row]); });
}

}  // namespace

std::vector<BeforeAfter> FindExamples(const Table& original, const Table& released, const Plan& plan, size_t count) {
  const ReleasedColumns columns = MatchColumns(original, released, plan);
  std::vector<CellCover> covers;
  for (size_t i = 0; i < columns.released.size(); ++i) {
    covers.emplace_back(released.column(columns.released[i]), original.column(columns.original[i]));
  }
  std::vector<BeforeAfter> examples;
  for (RowId person = 0; person < original.num_rows() && examples.size() < count; ++person) {
    if (HasMissing(original, person)) continue;
    const auto row = FindRow(original, released, columns, covers, person);
    TADA_ASSERT(row.has_value());  // the audit has passed: every person is covered
    BeforeAfter example;
    example.person = original.column(0).text(original.column(0).codes()[person]);
    for (size_t i = 0; i < columns.released.size(); ++i) {
      const Column& before = original.column(columns.original[i]);
      const Column& after = released.column(columns.released[i]);
      example.columns.push_back(after.name());
      example.before.emplace_back(before.text(before.codes()[person]));
      example.after.emplace_back(after.text(after.codes()[*row]));
    }
    example.group_size = ClassSize(released, columns, *row);
    examples.push_back(std::move(example));
  }
  return examples;
}

std::string DemoView::Paint(const char* code, const std::string& text) const {
  return colours_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string DemoView::Heading(const std::string& text) const { return "\n" + Paint(kBold, text) + "\n"; }

std::string DemoView::CommandLine(const std::string& text) const { return "  " + Paint(kCyan, text) + "\n"; }

std::string DemoView::Examples(const std::vector<BeforeAfter>& examples) const {
  constexpr size_t kName = 12, kBefore = 13, kAfter = 24;
  if (examples.empty()) return "";
  std::string text = "  " + std::string(kName, ' ');
  for (const BeforeAfter& example : examples) {
    const bool last = &example == &examples.back();
    text += Paint(kDim, Pad(example.person, kBefore + 3) +
                            Pad(fmt::format("one of {} alike", example.group_size), last ? 0 : kAfter));
  }
  text += "\n";
  for (size_t i = 0; i < examples[0].columns.size(); ++i) {
    text += "  " + Pad(examples[0].columns[i], kName);
    for (const BeforeAfter& example : examples) {
      const bool same = example.before[i] == example.after[i];
      text += Pad(example.before[i], kBefore) + Paint(kDim, same ? "=  " : "\xE2\x86\x92  ") +
              Paint(same ? kDim : kGreen, Pad(ShortCell(example.after[i], kAfter - 2), kAfter));
    }
    while (text.ends_with(' ')) text.pop_back();
    text += "\n";
  }
  return text;
}

std::string DemoView::Reached(const Outcome& outcome) const {
  const Verdict& verdict = outcome.verdict;
  const Requirement& asked = outcome.plan.requirement;
  std::string text =
      "  " + (verdict.passed ? Paint(kGreen, "\xE2\x9C\x94 audit passed") : Paint(kRed, "\xE2\x9C\x98 audit failed")) +
      "\n";
  text += AlignColumns(
      {{"  rows that look alike (k)", fmt::format("at least {}", verdict.k), fmt::format("asked: {}", asked.k)},
       {"  diagnoses among them (l)", fmt::format("at least {}", ReachedL(outcome)), fmt::format("asked: {}", asked.l)},
       {"  groups", WithCommas(verdict.classes),
        fmt::format("{} rows on average, {} at most", ShortNumber(outcome.score.average_group),
                    WithCommas(verdict.largest_class))},
       {"  risk to be singled out", fmt::format("{} at most", Percent(verdict.prosecutor.highest)),
        fmt::format("{} on average", Percent(verdict.marketer.average))}},
      {});
  return text;
}

std::string DemoView::Cost(const Outcome& outcome) const {
  constexpr int kWidth = 40;
  std::string text;
  std::vector<std::pair<std::string, double>> losses = outcome.score.per_column;
  losses.emplace_back("all", outcome.score.ncp);
  for (const auto& [name, loss] : losses) {
    const int full = std::clamp(static_cast<int>(std::lround(loss * kWidth)), 0, kWidth);
    std::string bar, rest;
    for (int i = 0; i < full; ++i) bar += "\xE2\x96\x88";
    for (int i = full; i < kWidth; ++i) rest += "\xE2\x96\x91";
    const bool all = &name == &losses.back().first;
    text += "  " + Paint(all ? kBold : "0", Pad(name, 12)) + Paint(kCyan, bar) + Paint(kDim, rest) +
            fmt::format(" {:>6}\n", Percent(loss));
  }
  return text;
}

}  // namespace tada
