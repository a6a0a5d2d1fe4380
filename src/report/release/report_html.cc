#include "report/release/report_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "base/option_mark.h"
#include "base/version.h"
#include "plan/shell_command.h"
#include "report/draw/chart_axis.h"
#include "report/draw/html_text.h"
#include "report/draw/note_html.h"
#include "report/draw/report_page.h"
#include "report/draw/svg_chart.h"
#include "report/release/regulator.h"
#include "report/release/report.h"
#include "report/release/report_words.h"
#include "report/verdict/population_text.h"

namespace tada {
namespace {

constexpr const char kYes[] =
    R"(<svg viewBox="0 0 72 72" aria-hidden="true"><path d="M36 4 62 13v21c0 17-11 28-26 34C21 62 10 51 10 34V13z" fill="currentColor"/>)"
    R"svg(<path d="m24 36 9 9 16-18" fill="none" stroke="var(--goodbg)" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/></svg>)svg";
constexpr const char kNo[] =
    R"(<svg viewBox="0 0 72 72" aria-hidden="true"><path d="M36 4 62 13v21c0 17-11 28-26 34C21 62 10 51 10 34V13z" fill="currentColor"/>)"
    R"svg(<path d="m26 25 20 20m0-20L26 45" fill="none" stroke="var(--badbg)" stroke-width="6" stroke-linecap="round"/></svg>)svg";

std::string Tile(const std::string& name, const std::string& value, const std::string& note) {
  return fmt::format("<div class=\"tile\"><span>{}</span><b>{}</b><span>{}</span></div>", Escape(name), Escape(value),
                     Escape(note));
}

std::string TileOneIn(double risk) {
  return risk <= 0 ? "none" : fmt::format("1 in {}", ShortNumber(std::floor(1 / risk * 10 + 1e-6) / 10));
}

std::string Hero(const Outcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  const Requirement& asked = Asked(outcome);
  std::string html = fmt::format("<div class=\"verdict {}\">{}<div><b>{}</b><p>{}</p></div></div><div class=\"tiles\">",
                                 verdict.passed ? "pass" : "fail", verdict.passed ? kYes : kNo,
                                 verdict.passed ? "Audit passed" : "Audit failed", Escape(VerdictWords(outcome)));
  html += Tile("Smallest group (k)", WithCommas(verdict.k), fmt::format("asked: at least {}", asked.k));
  if (!outcome.plan.sensitive.empty()) {
    html += Tile("Sensitive values (l)", WithCommas(verdict.l),
                 fmt::format("asked: at least {}, {}", asked.l, DiversityName(asked)));
  }
  html += Tile("Highest risk", TileOneIn(verdict.prosecutor.highest), "to single out a person");
  if (outcome.plan.recode == "mean") {
    html += Tile("Cells", "means", "of a group's numbers; the most frequent of its names");
  } else {
    html += Tile("Information lost", Percent(outcome.score.ncp), "NCP: 0% raw, 100% all masked");
  }
  html += "</div>";
  for (const std::string& warning : ShownWarnings(outcome))
    html += "<div class=\"warning\">" + Escape(warning) + "</div>";
  return html;
}

// Why something has no limit: each controller has its own, or nothing was asked.
std::string OnlyMeasured(const ReachedDemand& demand) {
  return demand.name == "individual_risk" ? "" : "each controller by itself";
}

ReportSection Population(const PopulationRisk& risk) {
  std::string html = "<ul>";
  for (const std::string& sentence : PopulationSentences(risk)) html += "<li>" + Escape(sentence) + "</li>";
  return {"In the population", "What the released rows, as a sample, tell about it.", html + "</ul>"};
}

ReportSection AskedAndReached(const Outcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  const Requirement& asked = Asked(outcome);
  const auto mark = [](bool good) -> std::string {
    return good ? "<span class=\"yes\">met</span>" : "<span class=\"no\">not met</span>";
  };
  DataTable table;
  table.header = {"", "asked", "reached", ""};
  table.right = {false, true, true, false};
  table.rows.push_back({verdict.people ? "People in the smallest group (k)" : "Rows in the smallest group (k)",
                        fmt::format("\xE2\x89\xA5 {}", asked.k), WithCommas(verdict.k),
                        mark(verdict.k >= static_cast<uint64_t>(std::max<int64_t>(0, asked.k)))});
  if (!outcome.plan.sensitive.empty()) {
    table.rows.push_back({fmt::format("Sensitive values in every group (l, {})", Escape(DiversityName(asked))),
                          fmt::format("\xE2\x89\xA5 {}", asked.l), WithCommas(verdict.l),
                          mark(verdict.passed || verdict.l >= static_cast<uint64_t>(std::max<int64_t>(0, asked.l)))});
  }
  if (verdict.linked) {
    table.rows.push_back({"People of a class with equally many rows", fmt::format("\xE2\x89\xA5 {}", asked.k),
                          WithCommas(*verdict.linked), mark(*verdict.linked >= static_cast<uint64_t>(asked.k))});
  }
  for (const ReachedDemand& demand : verdict.further) {
    const std::string_view bound = demand.at_most ? "\xE2\x89\xA4 " : "\xE2\x89\xA5 ";
    table.rows.push_back({Escape(demand.Label()),
                          demand.asked.empty() ? "" : Escape(fmt::format("{}{}", bound, demand.asked)),
                          Escape(demand.reached), demand.asked.empty() ? OnlyMeasured(demand) : mark(demand.holds)});
  }
  table.rows.push_back(
      {"Rows released", WithCommas(outcome.input_rows), WithCommas(verdict.rows),
       outcome.withheld_rows == 0 ? "" : fmt::format("{} withheld", WithCommas(outcome.withheld_rows))});
  table.rows.push_back({"Rows with every quasi-identifier masked", "", WithCommas(verdict.masked_rows), ""});
  if (outcome.report_raw) {
    table.rows.push_back({"Groups with missing beside present values", "", WithCommas(outcome.mixed_missing),
                          outcome.mixed_missing == 0 ? "" : "\"\" in a set, or a masked number"});
  }
  table.rows.push_back({"Groups", "", WithCommas(verdict.classes),
                        fmt::format("{} rows on average, {} at most", ShortNumber(outcome.score.average_group),
                                    WithCommas(verdict.largest_class))});
  uint64_t uncovered = 0, unchecked = 0;
  for (const ColumnCover& cover : verdict.cover) {
    uncovered += cover.uncovered_rows;
    unchecked += cover.unchecked_rows;
  }
  if (!verdict.cover.empty()) {
    const std::string not_checked = fmt::format("<span class=\"no\">{} not checked</span>", WithCommas(unchecked));
    table.rows.push_back({"Released cells that do not cover their original", "0", WithCommas(uncovered),
                          uncovered == 0 && unchecked > 0 ? not_checked : mark(uncovered == 0)});
  }
  std::string html = ToHtml(table, CellsAre::kHtml);
  for (const std::string& note : verdict.notes)
    html += "<p class=\"lead\" style=\"margin:12px 0 0\">" + Escape(note) + "</p>";
  return {"What was asked, what was reached", "", html};
}

ReportSection Controllers(const Outcome& outcome) {
  DataTable table;
  table.header = {"controller", "rows", "groups", "k asked", "k reached"};
  table.right = {false, true, true, true, true};
  const bool diverse = !outcome.plan.sensitive.empty();
  if (diverse)
    table.header.insert(table.header.end(), {"l asked", "l reached"}),
        table.right.insert(table.right.end(), {true, true});
  table.header.push_back("");
  table.right.push_back(false);
  const bool shown = ShowsControllers(outcome);
  const auto counted = [&](uint64_t count) { return shown ? WithCommas(count) : std::string(); };
  for (size_t i = 0; i < outcome.controllers.size(); ++i) {
    const Verdict& verdict = outcome.controllers[i].verdict;
    std::vector<std::string> row = {shown ? Escape(outcome.controllers[i].name) : fmt::format("{}", i + 1),
                                    counted(verdict.rows), counted(verdict.classes),
                                    fmt::format("{}", verdict.requirement.k), counted(verdict.k)};
    if (diverse) row.insert(row.end(), {fmt::format("{}", verdict.requirement.l), counted(verdict.l)});
    row.emplace_back(verdict.passed ? "<span class=\"yes\">met</span>" : "<span class=\"no\">not met</span>");
    table.rows.push_back(std::move(row));
  }
  return {"Data controllers",
          "Each controller's rows were anonymized alone, and audited by themselves besides the whole file. What the "
          "whole file "
          "promises holds for people whom only one controller knows; for the others, see tada compose.",
          ToHtml(table, CellsAre::kHtml)};
}

ReportSection Columns(const Outcome& outcome) {
  DataTable table;
  table.header = {"column", "role", "kind", "different values", "missing"};
  table.right = {false, false, false, true, true};
  if (outcome.report_raw) table.header.insert(table.header.end(), {"smallest", "largest"});
  for (const Outcome::Column& column : outcome.columns) {
    if (!ShowsColumn(outcome, column)) continue;
    const bool counts = ShowsCounts(outcome, column);
    table.rows.push_back({Escape(column.name),
                          fmt::format("<span class=\"role {}\">{}</span>",
                                      Escape(column.role.substr(0, column.role.find('-'))), Escape(column.role)),
                          Escape(column.kind), counts ? WithCommas(column.distinct) : "",
                          counts ? WithCommas(column.missing) : ""});
    if (outcome.report_raw) {
      table.rows.back().push_back(Escape(column.smallest));
      table.rows.back().push_back(Escape(column.largest));
    }
  }
  std::string html = ToHtml(table, CellsAre::kHtml);
  if (outcome.report_raw && !outcome.dropped_columns.empty()) {
    html += "<p class=\"lead\" style=\"margin:14px 0 0\">Not released, because they have no role: " +
            Escape(NameList(outcome.dropped_columns)) + ".</p>";
  }
  return {"Columns", "Quasi-identifiers are widened. Sensitive, label and kept columns are released as they are.",
          html};
}

ReportSection Risk(const Outcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  DataTable table;
  table.header = {"attacker", "knows", "highest", "average", "people above 1/k"};
  table.right = {false, false, true, true, true};
  const auto row = [&](const char* name, const char* knows, const AuditRisk& risk) {
    table.rows.push_back({name, knows, Percent(risk.highest), Percent(risk.average), Percent(risk.share_at_risk)});
  };
  row("Prosecutor", "that one person is in the table, and their quasi-identifiers", verdict.prosecutor);
  row("Journalist", "the quasi-identifiers of many people, and wants any one of them", verdict.journalist);
  table.rows.push_back({"Marketer", "the quasi-identifiers of everybody, and wants as many as possible", "",
                        Percent(verdict.marketer.average), ""});
  return {"Risk of re-identification",
          "The chance of picking the right row for a person, for three kinds of attackers.", ToHtml(table)};
}

// Where columns have hierarchies: the share of a column's values that an average label stands for.
std::string LossByLeaves(const Outcome& outcome) {
  const Scorecard& score = outcome.input_score;
  if (!outcome.report_raw || !score.ncp_leaves) return "";
  DataTable table;
  table.header = {"", "NCP", "by leaves of hierarchies"};
  table.right = {false, true, true};
  for (size_t i = 0; i < score.per_column.size(); ++i) {
    table.rows.push_back(
        {score.per_column[i].first, Percent(score.per_column[i].second), Percent(score.per_column_leaves[i].second)});
  }
  table.rows.push_back({"all", Percent(score.ncp), Percent(*score.ncp_leaves)});
  return "<p>By leaves, a label costs the share of the column's values that are below it.</p>" + ToHtml(table);
}

// How far from the best it is, at most.
std::string AboveLeast(const Outcome& outcome) {
  const std::string words = outcome.report_raw ? AboveLeastWords(outcome) : "";
  return words.empty() ? "" : fmt::format("<p>{}</p>", words);
}

ReportSection Loss(const Outcome& outcome) {
  std::vector<Bar> bars;
  for (const auto& [name, loss] : outcome.score.per_column) bars.push_back({name, loss, Percent(loss)});
  ChartFrame frame;
  frame.title = "Information loss per quasi-identifier";
  return {"What it cost, column by column",
          "How much of a column's whole range an average released cell leaves open: 0% as it was, 100% says nothing.",
          "<figure>" + BarChart(frame, bars, 1.0) + "</figure>" + AboveLeast(outcome) + LossByLeaves(outcome)};
}

ReportSection Sizes(const Outcome& outcome) {
  ChartFrame frame;
  frame.title = "Number of groups by size";
  frame.x_label = "rows in the group";
  frame.y_label = "groups";
  frame.height = 280;
  const Verdict& verdict = outcome.verdict;
  std::string sizes = fmt::format("{}; the smallest has {}, the largest {}.", Counted(verdict.classes, "group"),
                                  Counted(verdict.smallest_class, "row"), WithCommas(verdict.largest_class));
  if (verdict.people) sizes += fmt::format(" No group has fewer than {} people.", WithCommas(*verdict.people));
  return {"How large the groups are", std::move(sizes),
          "<figure>" + Histogram(frame, BinSizes(outcome.score.group_sizes)) + "</figure>"};
}

// Long sets are cut: the sample is there to see what cells look like.
std::string CutCell(const std::string& text, size_t most) {
  if (text.size() <= most) return Escape(text);
  size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return Escape(text.substr(0, end)) + "\xE2\x80\xA6";
}

std::string SampleTable(const std::vector<std::vector<std::string>>& rows, const std::set<std::string>& quasi) {
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Released rows\"><table class=\"sample\">";
  for (size_t i = 0; i < rows.size(); ++i) {
    html += "<tr>";
    for (size_t j = 0; j < rows[i].size(); ++j) {
      const bool widened = j < rows[0].size() && quasi.count(rows[0][j]) > 0;
      html += fmt::format("<{0}{1}>{2}</{0}>", i == 0 ? "th" : "td", widened ? " class=\"q\"" : "",
                          CutCell(rows[i][j], 27));
    }
    html += "</tr>";
  }
  return html + "</table></div>";
}

ReportSection Sample(const Outcome& outcome) {
  std::set<std::string> quasi;
  for (const PlannedColumn& column : outcome.plan.quasi) quasi.insert(column.name);
  std::string html = SampleTable(outcome.sample, quasi);
  if (outcome.report_raw && !outcome.raw_sample.empty()) {
    html += "<h3>Raw rows of the input (confidential)</h3>" + SampleTable(outcome.raw_sample, {});
  }
  return {"What released rows look like",
          "Tinted columns are quasi-identifiers: ranges, sets, or * where nothing is said.", html};
}

ReportSection Meanings(const Outcome& outcome) {
  std::string html = "<ul>";
  for (const std::string& sentence : PlainWords(Asked(outcome))) html += "<li>" + Escape(sentence) + "</li>";
  return {"What that means", "", html + "</ul>"};
}

// What the plan says of the release: [about].
ReportSection Purpose(const Outcome& outcome) {
  std::string html = "<dl>";
  for (const auto& [name, text] : outcome.plan.about) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '-', ' ');
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
    html += fmt::format("<dt>{}</dt><dd>{}</dd>", Escape(words), Escape(text));
  }
  return {"What it is for", "As the plan says.", html + "</dl>"};
}

ReportSection PolicyRules(const Outcome& outcome) {
  std::string html = "<ul>";
  for (size_t i = 1; i < outcome.policy.size(); ++i) html += "<li>" + Escape(outcome.policy[i]) + "</li>";
  return {outcome.policy.front(), "Rules that the profile made, checked on the finished file.", html + "</ul>"};
}

ReportSection Regulator(const Outcome& outcome) {
  std::string html;
  for (const RegulatorAnswer& answer : RegulatorAnswers(outcome)) {
    html += fmt::format("<h3>{}</h3><p>{}</p><p class=\"lead\"><b>Not checked.</b> {}</p>", Escape(answer.question),
                        Escape(answer.answer), Escape(answer.not_checked));
  }
  return {"What a regulator asks",
          "Singling out, linkability and inference (Article 29 Working Party, opinion 05/2014), with figures of this "
          "release.",
          html};
}

ReportSection SignOff(const Outcome& outcome) {
  std::string html;
  if (!outcome.release_sha256.empty()) {
    html += fmt::format("<p>For the release with SHA-256 <code>{}</code>:</p>", Escape(outcome.release_sha256));
  }
  DataTable table;
  table.header = {"", "name", "date", "signature"};
  table.right = {false, false, false, false};
  for (const char* role : {"Prepared by", "Reviewed by", "Approved for release by"}) {
    const std::string blank(24, '_');
    table.rows.push_back({role, blank, blank, blank});
  }
  return {"Sign-off", "To be filled in by people: an audit is a fact about a file, and no decision.",
          html + ToHtml(table)};
}

// Columns as a whole before and after; raw values, as it were.
ReportSection BeforeAndAfter(const Outcome& outcome) {
  DataTable table;
  table.header = {"column", "", "mean", "variance", "different values", "most frequent"};
  table.right = {false, false, true, true, true, true};
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value) : std::string();
  };
  for (const Outcome::Column& column : outcome.columns) {
    if (!column.before || !column.after) continue;
    for (const auto& [when, statistics] : {std::pair{"before", *column.before}, std::pair{"after", *column.after}}) {
      table.rows.push_back({column.name, when, number(statistics.mean), number(statistics.variance),
                            WithCommas(statistics.distinct), Percent(statistics.top_share)});
    }
  }
  return {"Columns before and after (confidential)", "Intervals count by their middles; masked cells do not count.",
          ToHtml(table)};
}

ReportSection Limits(const Outcome& outcome) {
  std::string html = "<ul>";
  for (const std::string& item : LimitWords(outcome)) {
    const size_t stop = item.find(". ");
    html += "<li><b>" + Escape(item.substr(0, stop + 1)) + "</b>" + Escape(item.substr(stop + 1)) + "</li>";
  }
  return {"What this does not protect against", "", html + "</ul>"};
}

ReportSection Reproduce(const Outcome& outcome) {
  std::string html = "<dl>";
  const auto item = [&](const char* name, const std::string& value) {
    html += fmt::format("<dt>{}</dt><dd>{}</dd>", name, Escape(value));
  };
  item("tada", kVersion);
  item("Method",
       outcome.method + (outcome.stages.empty() ? "" : fmt::format(" ({})", fmt::join(outcome.stages, ", then "))));
  item("Seed", std::to_string(outcome.plan.seed));
  item("Input", fmt::format("{} ({} rows{})", outcome.input_path, WithCommas(outcome.input_rows),
                            outcome.report_raw ? fmt::format(", {} columns", WithCommas(outcome.input_columns)) : ""));
  const auto digest = [&](const char* of, const std::string& value) {
    if (!value.empty()) html += fmt::format("<dt>SHA-256 of the {}</dt><dd><code>{}</code></dd>", of, Escape(value));
  };
  if (outcome.report_raw) digest("input", outcome.input_sha256);
  item("Release", outcome.output_path);
  digest("release", outcome.release_sha256);
  item("Order of rows", outcome.plan.keep_order
                            ? "that of the input, which identifies people (" TADA_OPTION("keep-order") ")"
                            : "by what is released of them, so that it tells nothing");
  item("Bounds of cells",
       outcome.plan.range_cut ? "boxes of the cuts (" TADA_OPTION("range=cut") ")" : "values of the people inside");
  item("Groups",
       outcome.plan.safe > 0
           ? fmt::format("formed by the quasi-identifiers alone (" TADA_OPTION("safe={}") ")", outcome.plan.safe)
           : "formed by the requirement too, which somebody who runs the method again can use (no " TADA_OPTION(
                 "safe") ")");
  html += "</dl>";
  if (!outcome.command.empty()) html += "<p>It was made with:</p><pre>" + Escape(outcome.command) + "</pre>";
  html += "<p>To make it again, save this plan as <code>tada.toml</code>:</p><pre>" + Escape(PlanToToml(outcome.plan)) +
          "</pre>";
  html += "<p>Then make the release, the same byte for byte, and verify it:</p><pre>" +
          Escape(AnonymizeCommand(outcome.input_path, outcome.output_path)) + "\n" +
          Escape(AuditCommand(outcome.plan, Asked(outcome), outcome.input_path, outcome.output_path)) + "</pre>";
  return {"How to reproduce it", "The same input, plan, seed and version give the same bytes.", html};
}

ReportSection Effort(const Outcome& outcome) {
  std::vector<Bar> bars;
  double sum = 0;
  for (const auto& [stage, seconds] : outcome.seconds) {
    bars.push_back({stage, seconds, ShortNumber(std::round(seconds * 1000) / 1000) + " s"});
    sum += seconds;
  }
  ChartFrame frame;
  frame.title = "Seconds per stage";
  return {"How long it took",
          fmt::format("{} seconds in all, at most {} MB of memory.", ShortNumber(std::round(sum * 1000) / 1000),
                      ShortNumber(std::round(outcome.peak_memory_mb))),
          "<figure>" + BarChart(frame, bars) + "</figure>"};
}

}  // namespace

std::string ReportHtml(const Outcome& outcome) {
  ReportPage page;
  page.title = "Anonymization report";
  page.subtitle = outcome.output_path + (outcome.created.empty() ? "" : " \xC2\xB7 " + outcome.created);
  if (outcome.report_raw) page.notice = "Confidential: this report holds raw values of the input";
  page.hero = Hero(outcome);
  if (!outcome.plan.about.empty()) page.sections.push_back(Purpose(outcome));
  page.sections.push_back(AskedAndReached(outcome));
  if (!outcome.policy.empty()) page.sections.push_back(PolicyRules(outcome));
  page.sections.push_back(Regulator(outcome));
  if (!outcome.controllers.empty()) page.sections.push_back(Controllers(outcome));
  page.sections.insert(page.sections.end(), {Columns(outcome), Risk(outcome)});
  if (const auto population = PopulationOf(outcome.verdict)) page.sections.push_back(Population(*population));
  if (outcome.report_raw) page.sections.push_back(BeforeAndAfter(outcome));
  if (!outcome.score.per_column.empty() && outcome.plan.recode != "mean") page.sections.push_back(Loss(outcome));
  if (!outcome.score.group_sizes.empty()) page.sections.push_back(Sizes(outcome));
  for (const NoteSection& section : outcome.sections) {
    if (section.raw && !outcome.report_raw) continue;
    if (!section.blocks.empty()) page.sections.push_back({section.title, "", BlocksHtml(section.blocks)});
  }
  if (!outcome.sample.empty()) page.sections.push_back(Sample(outcome));
  page.sections.push_back(
      {"How the method works", "", "<p style=\"margin:0\">" + Escape(MethodWords(outcome)) + "</p>"});
  page.sections.push_back(Meanings(outcome));
  page.sections.push_back(Limits(outcome));
  page.sections.push_back(Reproduce(outcome));
  page.sections.push_back(SignOff(outcome));
  if (!outcome.seconds.empty()) page.sections.push_back(Effort(outcome));
  return ToHtml(page);
}

}  // namespace tada
