#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/attack_report.h"
#include "report/draw/chart_axis.h"
#include "report/draw/html_text.h"
#include "report/draw/svg_chart.h"
#include "report/verdict/population_text.h"

namespace tada {
namespace {

ReportSection FindingSection(const AttackResult& result) {
  const AttackFigures& all = result.all;
  const auto bar = [](const char* label, double share) { return Bar{label, share, Percent(share)}; };
  ReportSection section{"Finding a person's row",
                        fmt::format("{} people were looked up by {}.", WithCommas(all.people),
                                    fmt::format("{}", fmt::join(all.known, ", "))),
                        ""};
  section.html = BarChart(
      {.title = "Re-identification"},
      {bar("knows the person is in it, average", all.prosecutor_average),
       bar("knows the person is in it, worst", all.prosecutor_highest),
       bar("does not know it, average", all.journalist_average), bar("does not know it, worst", all.journalist_highest),
       bar("one row can be theirs", all.single), bar("class found", all.class_found)},
      1.0);
  std::vector<std::pair<uint64_t, uint64_t>> rows;
  for (const auto& entry : all.candidate_rows) {
    if (entry.first > 0) rows.push_back(entry);
  }
  if (!rows.empty()) {
    section.html += Histogram({.title = "Rows that can be a person's",
                               .x_label = "released rows that can be a person's",
                               .y_label = "people"},
                              BinSizes(rows));
  }
  return section;
}

ReportSection GuessingSection(const AttackResult& result) {
  std::vector<Bar> bars;
  for (const Disclosure& found : result.all.disclosure) {
    bars.push_back({found.column + ", without the release", found.baseline, Percent(found.baseline)});
    bars.push_back({found.column + ", with it", found.guessed, Percent(found.guessed)});
    bars.push_back({found.column + ", for certain", found.certain, Percent(found.certain)});
  }
  return {"Guessing the sensitive value",
          "The commonest value among the rows that can be a person's, against the commonest value of all.",
          BarChart({.title = "Sensitive values guessed"}, bars, 1.0)};
}

ReportSection MembershipSection(const AttackResult& result) {
  const AttackFigures& all = result.all;
  return {"Telling who is in it",
          fmt::format("People who are in it match a released row more often than others by {}. Others are {}.",
                      Percent(all.membership_advantage()),
                      result.population_rows > 0 ? "people of the population who are not in the original"
                                                 : "made up from the columns of the original, each shuffled by itself"),
          BarChart({.title = "Membership"},
                   {{"members match", all.matched, Percent(all.matched)},
                    {"others match", all.others_matched, Percent(all.others_matched)}},
                   1.0)};
}

// The largest and the mean re-identification over the sets of each size.
ReportSection SubsetSection(const AttackResult& result) {
  std::map<double, std::pair<double, std::vector<double>>> by_size;
  DataTable table{{"known", "columns", "found on average", "found for certain", "others match"},
                  {},
                  {false, true, true, true, true}};
  for (const Disclosure& found : result.all.disclosure) {
    table.header.push_back("gain: " + found.column);
    table.right.push_back(true);
  }
  std::vector<const AttackFigures*> ordered{&result.all};
  for (const AttackFigures& figures : result.subsets) ordered.push_back(&figures);
  for (const AttackFigures* figures : ordered) {
    auto& [most, shares] = by_size[static_cast<double>(figures->known.size())];
    most = std::max(most, figures->prosecutor_average);
    shares.push_back(figures->prosecutor_average);
  }
  std::stable_sort(ordered.begin(), ordered.end(), [](const AttackFigures* a, const AttackFigures* b) {
    return a->prosecutor_average > b->prosecutor_average;
  });
  for (size_t i = 0; i < std::min<size_t>(ordered.size(), 200); ++i) {
    const AttackFigures& figures = *ordered[i];
    std::vector<std::string> row{fmt::format("{}", fmt::join(figures.known, ", ")),
                                 fmt::format("{}", figures.known.size()), Percent(figures.prosecutor_average),
                                 Percent(figures.single), Percent(figures.others_matched)};
    for (const Disclosure& found : figures.disclosure) row.push_back(fmt::format("{:+.2f}%", 100 * found.gain()));
    table.rows.push_back(std::move(row));
  }
  Series worst{"the set that identifies most", {}, {}, {}, {}, {}}, mean{"mean over the sets", {}, {}, {}, {}, {}};
  for (const auto& [size, found] : by_size) {
    worst.x.push_back(size);
    worst.y.push_back(found.first);
    mean.x.push_back(size);
    double sum = 0;
    for (const double share : found.second) sum += share;
    mean.y.push_back(sum / static_cast<double>(found.second.size()));
  }
  return {"Who knows less", "Re-identification by how many of the columns somebody knows.",
          LineChart({.title = "Re-identification by columns known",
                     .x_label = "columns known",
                     .y_label = "people found",
                     .y_is_share = true},
                    {worst, mean}) +
              ToHtml(table)};
}

// What somebody learns who knows how the release was made.
ReportSection MethodSection(const AttackResult& result) {
  DataTable cells{{"column", "bounds", "somebody's value", "bits per person"}, {}, {false, true, true, true}};
  for (const Narrowing& found : result.narrowing) {
    cells.rows.push_back(
        {found.column, WithCommas(found.bounds), WithCommas(found.values), fmt::format("{:.3f}", found.bits)});
  }
  DataTable again{{"column", "people", "from the class", "at most", "running it again", "at most", "what it adds"},
                  {},
                  {false, true, true, true, true, true, true}};
  for (const Minimality& found : result.minimality) {
    again.rows.push_back({found.column, WithCommas(found.people), Percent(found.blind), Percent(found.blind_highest),
                          Percent(found.belief), Percent(found.belief_highest),
                          fmt::format("{:+.2f}%", 100 * found.gain())});
  }
  std::string html = cells.rows.empty() ? "" : ToHtml(cells);
  if (!again.rows.empty()) html += ToHtml(again);
  return {
      "Knowing how it was made",
      "Which ends of cells are people's values, and how much surer somebody is of a person's true value who runs the "
      "method again on values dealt at random and keeps the deals that give the same class.",
      html};
}

}  // namespace

std::vector<ReportSection> AttackSections(const AttackResult& result) {
  std::vector<ReportSection> sections{FindingSection(result)};
  if (!result.all.disclosure.empty()) sections.push_back(GuessingSection(result));
  sections.push_back(MembershipSection(result));
  if (!result.narrowing.empty() || !result.minimality.empty()) sections.push_back(MethodSection(result));
  for (const auto& [what, risk] : {std::pair("The original in the population", result.original_population),
                                   std::pair("The release in the population", result.released_population)}) {
    if (!risk) continue;
    std::string html = "<ul>";
    for (const std::string& sentence : PopulationSentences(*risk)) html += "<li>" + Escape(sentence) + "</li>";
    sections.push_back({what, "", html + "</ul>"});
  }
  if (!result.subsets.empty()) sections.push_back(SubsetSection(result));
  if (!result.notes.empty()) {
    std::string html = "<ul>";
    for (const std::string& note : result.notes) html += "<li>" + EscapeWords(note) + "</li>";
    sections.push_back({"Notes", "", html + "</ul>"});
  }
  return sections;
}

}  // namespace tada
