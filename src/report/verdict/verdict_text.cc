#include "report/verdict/verdict_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/option_mark.h"
#include "base/words.h"
#include "report/draw/text_layout.h"
#include "report/verdict/population_text.h"
#include "report/verdict/verdict_json.h"

namespace tada {
namespace {

std::string_view VerdictWord(const Verdict& verdict) {
  if (!verdict.passed) return "FAILED";
  return verdict.unverified.empty() ? "PASSED" : "NOT VERIFIED";
}

std::string Percent(double share) { return fmt::format("{:.2f}%", share * 100); }

std::string ReachedLines(const Verdict& verdict) {
  const Requirement& asked = verdict.requirement;
  std::vector<std::vector<std::string>> rows = {
      {"", "asked", "reached"},
      {verdict.people ? "k (people)" : "k", fmt::format("{}", asked.k), fmt::format("{}", verdict.k)}};
  if (verdict.linked)
    rows.push_back({"k (people with equal rows)", fmt::format("{}", asked.k), fmt::format("{}", *verdict.linked)});
  for (size_t i = 0; i < verdict.l_of_column.size(); ++i) {
    rows.push_back({fmt::format("l of {} ({})", verdict.sensitive[i], DiversityName(asked)), fmt::format("{}", asked.l),
                    fmt::format("{}", verdict.l_of_column[i])});
  }
  for (const ReachedDemand& demand : verdict.further) {
    rows.push_back({demand.Label(), demand.asked.empty() ? "-" : demand.asked, demand.reached});
  }
  return AlignColumns(rows, {false, true, true});
}

std::string WorstLines(const Verdict& verdict) {
  if (!verdict.worst) return "";
  const AuditClass& worst = *verdict.worst;
  std::vector<std::string> cells;
  for (size_t i = 0; i < worst.cells.size(); ++i)
    cells.push_back(fmt::format("{}={}", verdict.quasi[i], worst.cells[i]));
  return fmt::format("\nWorst class: {}\n  {}\n  rows {}{}\n", fmt::join(cells, " "), worst.reason,
                     fmt::join(worst.rows, ", "), worst.rows.size() < worst.size ? ", ..." : "");
}

std::string RiskLines(const Verdict& verdict) {
  const auto line = [](std::string name, const AuditRisk& risk, std::string about) {
    return std::vector<std::string>{"  " + name, Percent(risk.highest), Percent(risk.average),
                                    Percent(risk.share_at_risk), about};
  };
  return fmt::format("\nRisk of re-identification by somebody who knows the quasi-identifiers:\n{}",
                     AlignColumns({{"", "highest", "average", fmt::format("above 1/{}", verdict.requirement.k), ""},
                                   line("prosecutor", verdict.prosecutor, "looks for one person who is in the release"),
                                   line("journalist", verdict.journalist, "looks for anybody"),
                                   line("marketer", verdict.marketer, "looks for as many as possible")},
                                  {false, true, true, true, false}));
}

std::string CoverLines(const Verdict& verdict) {
  if (verdict.cover.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const ColumnCover& column : verdict.cover) {
    const std::string_view right = column.quasi ? "covers the original" : "is as in the original";
    std::string words(right);
    if (!column.covered) {
      words = fmt::format("FAILS in {}: {}", Plural(column.uncovered_rows, "row"), column.example);
    } else if (column.unchecked_rows > 0) {
      words = fmt::format("NOT CHECKED in {} (labels: name the hierarchy with " TADA_OPTION(
                              "hierarchies") " or " TADA_OPTION("hierarchy") ")",
                          Plural(column.unchecked_rows, "row"));
    }
    rows.push_back({"  " + column.column, words});
  }
  return fmt::format("\nAgainst the original (rows: {}):\n{}", RowMatchName(verdict.row_match), AlignColumns(rows, {}));
}

std::string LossLines(const Verdict& verdict) {
  if (!verdict.loss) return "";
  const ReleaseLoss& loss = *verdict.loss;
  std::vector<std::vector<std::string>> rows = {
      loss.squared_error ? std::vector<std::string>{"  squared error of means", Percent(*loss.squared_error)}
                         : std::vector<std::string>{"  NCP", Percent(loss.ncp)}};
  if (verdict.withheld_rows > 0 && !loss.squared_error)
    rows.push_back({"  NCP, withheld rows counted 1", Percent(loss.ncp_with_withheld)});
  for (const auto& [name, ncp] : loss.per_column) rows.push_back({"    of " + name, Percent(ncp)});
  rows.push_back({"  discernibility", fmt::format("{:.6g}", loss.discernibility)});
  rows.push_back({"  average class", fmt::format("{:.1f} rows", loss.average_class)});
  return fmt::format("\nInformation loss:\n{}", AlignColumns(rows, {false, true}));
}

std::string ListLines(std::string_view title, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string lines = fmt::format("\n{}:\n", title);
  for (const std::string& item : items) lines += "  - " + Wrap(item, 100, 4) + '\n';
  return lines;
}

}  // namespace

std::string SizeHistogram(const std::vector<std::pair<uint64_t, uint64_t>>& sizes) {
  std::vector<uint64_t> bins;
  for (const auto& [size, count] : sizes) {
    const auto bin = static_cast<size_t>(std::bit_width(size)) - (size > 0 ? 1 : 0);
    bins.resize(std::max(bins.size(), bin + 1));
    bins[bin] += count;
  }
  const uint64_t most = bins.empty() ? 0 : *std::max_element(bins.begin(), bins.end());
  std::vector<std::vector<std::string>> rows;
  for (size_t bin = 0; bin < bins.size(); ++bin) {
    if (rows.empty() && bins[bin] == 0) continue;
    const uint64_t low = uint64_t{1} << bin;
    const std::string range = bin == 0 ? "1" : fmt::format("{}-{}", low, 2 * low - 1);
    const auto length = static_cast<size_t>(40.0 * static_cast<double>(bins[bin]) / static_cast<double>(most) + 0.999);
    rows.push_back({"  " + range, fmt::format("{}", bins[bin]), std::string(length, '#')});
  }
  return AlignColumns(rows, {true, true, false});
}

std::string VerdictText(const Verdict& verdict, const std::string& release, const std::string& original) {
  std::string text = fmt::format("{}: {}{}\n\n", VerdictWord(verdict), release,
                                 original.empty() ? "" : fmt::format(", against {}", original));
  text += ReachedLines(verdict);
  text += fmt::format("\n{} in {}, the largest of {}; {} masked.\n", Plural(verdict.rows, "row"),
                      Plural(verdict.classes, "class", "classes"), verdict.largest_class,
                      Plural(verdict.masked_rows, "row"));
  if (verdict.breaking_classes > 0) {
    text += fmt::format("{} with {} {} the requirement.\n", Plural(verdict.breaking_classes, "class", "classes"),
                        Plural(verdict.breaking_rows, "row"), verdict.breaking_classes == 1 ? "breaks" : "break");
  }
  text += WorstLines(verdict);
  text += fmt::format("\nClasses by size:\n{}", SizeHistogram(verdict.class_sizes));
  text += RiskLines(verdict);
  text += PopulationText(PopulationOf(verdict));
  text += CoverLines(verdict);
  text += LossLines(verdict);
  text += ListLines("Problems", verdict.problems);
  text += ListLines("Not verified", verdict.unverified);
  text += ListLines("Notes", verdict.notes);
  return text;
}

}  // namespace tada
