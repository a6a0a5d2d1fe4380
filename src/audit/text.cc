#include "audit/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kBars = 12;      // rows of the histogram
constexpr size_t kBarWidth = 40;  // characters

std::string DiversityWords(const Requirement& requirement) {
  switch (requirement.diversity) {
    case Diversity::kDistinct:
      return "distinct";
    case Diversity::kEntropy:
      return "entropy";
    case Diversity::kRecursive:
      return fmt::format("recursive:{}", requirement.c);
  }
  return "";
}

template <class... Args>
void Line(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  text += '\n';
}

std::string Plural(uint64_t count, std::string_view word, std::string_view ending = "s") {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : ending);
}

// Sizes in at most kBars steps: single sizes while they are few, else doubling ones.
struct Bar {
  uint64_t from = 0, to = 0, classes = 0;
};

std::vector<Bar> Bars(const Verdict& verdict) {
  std::vector<Bar> bars;
  if (verdict.class_sizes.size() <= kBars) {
    for (const auto& [size, classes] : verdict.class_sizes) bars.push_back({size, size, classes});
    return bars;
  }
  const uint64_t least = verdict.class_sizes.front().first, most = verdict.class_sizes.back().first;
  double factor = 2;  // widened until the steps are few enough
  for (;; factor *= 1.5) {
    bars.clear();
    for (uint64_t from = least; from <= most && bars.size() <= kBars;) {
      const auto to = std::max(from, static_cast<uint64_t>(static_cast<double>(from) * factor) - 1);
      bars.push_back({from, std::min(to, most), 0});
      from = to + 1;
    }
    if (bars.size() <= kBars) break;
  }
  auto bar = bars.begin();
  for (const auto& [size, classes] : verdict.class_sizes) {
    while (size > bar->to) ++bar;
    bar->classes += classes;
  }
  return bars;
}

void AddHistogram(const Verdict& verdict, std::string& text) {
  if (verdict.class_sizes.empty()) return;
  const std::vector<Bar> bars = Bars(verdict);
  uint64_t most = 1;
  size_t width = 0;
  const auto label = [](const Bar& bar) {
    return bar.from == bar.to ? fmt::format("{}", bar.from) : fmt::format("{}-{}", bar.from, bar.to);
  };
  for (const Bar& bar : bars) {
    most = std::max(most, bar.classes);
    width = std::max(width, label(bar).size());
  }
  Line(text, "Class sizes (rows: classes)");
  for (const Bar& bar : bars) {
    // A bar of at least one character for every class there is: a lonely class is what one looks for here.
    const auto scaled = static_cast<size_t>(static_cast<double>(bar.classes) / static_cast<double>(most) * kBarWidth);
    const size_t length = bar.classes == 0 ? 0 : std::max<size_t>(1, scaled);
    Line(text, "  {:>{}}  {:<{}} {}", label(bar), width, std::string(length, '#'), kBarWidth, bar.classes);
  }
}

void AddWorst(const Verdict& verdict, std::string& text) {
  if (!verdict.worst) return;
  const AuditClass& worst = *verdict.worst;
  Line(text, "Worst class: {}", worst.reason);
  std::string cells, rows;
  for (size_t i = 0; i < worst.cells.size(); ++i) cells += fmt::format(" {}={}", verdict.quasi[i], worst.cells[i]);
  for (const uint64_t row : worst.rows) rows += fmt::format("{}{}", rows.empty() ? "" : ", ", row);
  Line(text, "  cells {}", cells);
  Line(text, "  rows   {}{}", rows, worst.size > worst.rows.size() ? ", ..." : "");
}

void AddRisks(const Verdict& verdict, std::string& text) {
  Line(text, "Risk of re-identification, knowing the quasi-identifiers");
  Line(text, "  prosecutor  highest {:.4g}, average {:.4g}, rows above 1/k: {:.2f}%", verdict.prosecutor.highest,
       verdict.prosecutor.average, verdict.prosecutor.share_at_risk * 100);
  Line(text, "  journalist  the same: at most the prosecutor's, and no table of the population was given");
  Line(text, "  marketer    average {:.4g}", verdict.marketer.average);
}

std::string_view RowMatchWords(RowMatch match) {
  switch (match) {
    case RowMatch::kNotChecked:
      return "not checked";
    case RowMatch::kGiven:
      return "in the order given";
    case RowMatch::kSameOrder:
      return "in the same order";
    case RowMatch::kFound:
      return "in another order, which was found";
    case RowMatch::kNone:
      return "there is no order in which they fit";
    case RowMatch::kUndecided:
      return "in another order, not searched to the end";
  }
  return "";
}

void AddCover(const Verdict& verdict, std::string& text) {
  if (verdict.row_match == RowMatch::kNotChecked) return;
  Line(text, "Against the original (rows {})", RowMatchWords(verdict.row_match));
  size_t width = 0;
  for (const ColumnCover& cover : verdict.cover) width = std::max(width, cover.column.size());
  for (const ColumnCover& cover : verdict.cover) {
    // Where no order of the rows was found, that a column fits by itself is all that can be said of it.
    std::string words = cover.quasi ? "covers the original" : "unchanged";
    if (verdict.row_match == RowMatch::kNone || verdict.row_match == RowMatch::kUndecided) words += ", taken by itself";
    if (!cover.covered) {
      words = fmt::format("{} in {}: {}", cover.quasi ? "DOES NOT COVER" : "CHANGED",
                          Plural(cover.uncovered_rows, "row"), cover.example);
    } else if (cover.unchecked_rows > 0) {
      words = fmt::format("not checked in {} with labels of a hierarchy; covers in the others",
                          Plural(cover.unchecked_rows, "row"));
    }
    Line(text, "  {:<{}}  {}", cover.column, width, words);
  }
}

Json RiskJson(const AuditRisk& risk) {
  return {{"highest", risk.highest}, {"average", risk.average}, {"share_at_risk", risk.share_at_risk}};
}

Json WorstJson(const Verdict& verdict) {
  if (!verdict.worst) return nullptr;
  const AuditClass& worst = *verdict.worst;
  Json cells = Json::object();
  for (size_t i = 0; i < worst.cells.size(); ++i) cells[verdict.quasi[i]] = worst.cells[i];
  return {{"cells", cells}, {"rows", worst.rows}, {"size", worst.size}, {"l", worst.l}, {"reason", worst.reason}};
}

Json OriginalJson(const Verdict& verdict) {
  if (verdict.row_match == RowMatch::kNotChecked) return nullptr;
  Json columns = Json::array();
  for (const ColumnCover& cover : verdict.cover) {
    columns.push_back({{"column", cover.column},
                       {"quasi", cover.quasi},
                       {"covered", cover.covered},
                       {"uncovered_rows", cover.uncovered_rows},
                       {"unchecked_rows", cover.unchecked_rows},
                       {"example", cover.example}});
  }
  return {{"row_match", RowMatchName(verdict.row_match)},
          {"rows_match", verdict.rows_match},
          {"withheld_rows", verdict.withheld_rows},
          {"columns", columns}};
}

}  // namespace

std::string_view RowMatchName(RowMatch match) {
  switch (match) {
    case RowMatch::kNotChecked:
      return "not_checked";
    case RowMatch::kGiven:
      return "given";
    case RowMatch::kSameOrder:
      return "same_order";
    case RowMatch::kFound:
      return "found";
    case RowMatch::kNone:
      return "none";
    case RowMatch::kUndecided:
      return "undecided";
  }
  return "";
}

std::string VerdictText(const Verdict& verdict) {
  std::string text;
  const Requirement& asked = verdict.requirement;
  Line(text, "{}", verdict.passed ? "PASSED" : "FAILED");
  for (const std::string& problem : verdict.problems) Line(text, "  {}", problem);
  Line(text, "Asked    k={} l={} ({})", asked.k, asked.l, DiversityWords(asked));
  if (verdict.sensitive.empty()) {
    Line(text, "Reached  k={}, no sensitive column to count l in", verdict.k);
  } else {
    Line(text, "Reached  k={} l={}", verdict.k, verdict.l);
  }
  for (size_t i = 0; verdict.sensitive.size() > 1 && i < verdict.l_of_column.size(); ++i) {
    Line(text, "  l={} in {}", verdict.l_of_column[i], verdict.sensitive[i]);
  }
  Line(text, "{} in {}, the largest of {}; {} masked", Plural(verdict.rows, "row"),
       Plural(verdict.classes, "class", "es"), verdict.largest_class, verdict.masked_rows);
  Line(text, "{} with {} break{} the requirement", Plural(verdict.breaking_classes, "class", "es"),
       Plural(verdict.breaking_rows, "row"), verdict.breaking_classes == 1 ? "s" : "");
  AddWorst(verdict, text);
  AddHistogram(verdict, text);
  if (verdict.rows > 0) AddRisks(verdict, text);
  AddCover(verdict, text);
  for (const std::string& note : verdict.notes) Line(text, "Note: {}", note);
  return text;
}

std::string VerdictJson(const Verdict& verdict) {
  Json l_of_column = Json::object();
  for (size_t i = 0; i < verdict.l_of_column.size(); ++i) l_of_column[verdict.sensitive[i]] = verdict.l_of_column[i];
  Json sizes = Json::array();
  for (const auto& [size, classes] : verdict.class_sizes) sizes.push_back({{"size", size}, {"classes", classes}});
  const Json json = {{"passed", verdict.passed},
                     {"requirement",
                      {{"k", verdict.requirement.k},
                       {"l", verdict.requirement.l},
                       {"diversity", DiversityWords(verdict.requirement)}}},
                     {"quasi", verdict.quasi},
                     {"sensitive", verdict.sensitive},
                     {"reached",
                      {{"k", verdict.k},
                       {"l", verdict.l},
                       {"l_of_column", l_of_column},
                       {"rows", verdict.rows},
                       {"masked", verdict.masked_rows},
                       {"groups", verdict.classes},
                       {"largest_group", verdict.largest_class}}},
                     {"breaking", {{"groups", verdict.breaking_classes}, {"rows", verdict.breaking_rows}}},
                     {"worst", WorstJson(verdict)},
                     {"class_sizes", sizes},
                     {"risk",
                      {{"prosecutor", RiskJson(verdict.prosecutor)},
                       {"journalist", RiskJson(verdict.journalist)},
                       {"marketer", RiskJson(verdict.marketer)}}},
                     {"original", OriginalJson(verdict)},
                     {"problems", verdict.problems},
                     {"notes", verdict.notes}};
  // A cell of another tool's file may hold any bytes; JSON must be UTF-8 all the same.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tada
