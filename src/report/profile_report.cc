#include "report/profile_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/option_mark.h"
#include "base/words.h"
#include "plan/shell_command.h"
#include "report/draw/text_layout.h"
#include "report/verdict/population_text.h"
#include "report/verdict/verdict_text.h"

namespace tada {

using Json = nlohmann::ordered_json;

namespace {

// Said first where people have several rows: what counts rows counts wrong.
std::string PeopleText(const Profile& profile, const Plan& plan) {
  if (profile.people == 0) return "";
  std::vector<std::string> columns;
  for (const ColumnProfile& column : profile.columns) {
    if (column.role == ColumnRole::kPerson) columns.push_back(column.name);
  }
  const std::string names = fmt::format("{}", fmt::join(columns, ","));
  std::string text = fmt::format("{} people have {} rows ({}). {} classes hold fewer than k={} people.\n",
                                 profile.people, profile.rows, names, profile.classes_below_k, plan.requirement.k);
  if (plan.person.empty()) {
    text += fmt::format("Release with " TADA_OPTION("person={}") " so that k and l count people; or with " TADA_OPTION(
                            "rows-are-people") " if every row is one.\n",
                        ShellQuote(names));
  }
  return text + "\n";
}

}  // namespace

namespace {

// What a column adds to how identifying a row is: how many it makes unique, or would if it were a quasi-identifier too.
std::string EffectText(const Profile& profile, const ColumnProfile& column) {
  if (column.role == ColumnRole::kQuasi) return fmt::format("{}", profile.unique_members - column.unique_if_changed);
  return fmt::format("+{}", column.unique_if_changed - profile.unique_members);
}

// Rows that a few columns already tell apart, and the columns that do it most.
std::string SudaText(const ProfileRisk& risk) {
  if (!risk.suda) return "";
  const SudaScores& scores = *risk.suda;
  std::vector<std::string> by_size;
  uint64_t rows = 0;
  for (size_t size = 1; size < scores.rows_by_size.size(); ++size) {
    rows += scores.rows_by_size[size];
    by_size.push_back(fmt::format("{} by {}", scores.rows_by_size[size], Plural(size, "column")));
  }
  std::string text =
      fmt::format("\nSpecial uniques: at most {} of {} quasi-identifiers tell {} apart ({}).\n", scores.largest_set,
                  risk.suda_columns.size(), Plural(rows, "row"), fmt::join(by_size, ", "));
  std::vector<std::vector<std::string>> lines = {{"  column", "share of the score"}};
  for (size_t i = 0; i < risk.suda_columns.size(); ++i) {
    lines.push_back({"  " + risk.suda_columns[i], fmt::format("{:.1f}%", 100 * scores.of_column[i])});
  }
  return text + AlignColumns(lines, {false, true});
}

Json SudaJson(const ProfileRisk& risk) {
  const SudaScores& scores = *risk.suda;
  Json columns = Json::object();
  for (size_t i = 0; i < risk.suda_columns.size(); ++i) columns[risk.suda_columns[i]] = scores.of_column[i];
  return {{"largest_set", scores.largest_set},
          {"rows_by_size", scores.rows_by_size},
          {"total", scores.total},
          {"columns", columns}};
}

}  // namespace

std::string ProfileText(const Profile& profile, const Plan& plan, const std::string& input) {
  std::vector<std::vector<std::string>> rows = {
      {"column", "kind", "distinct", "missing", "unique", "makes unique", "role", "sure", "why"}};
  std::vector<std::string> quasi;
  for (const ColumnProfile& column : profile.columns) {
    rows.push_back({column.name,
                    (column.is_date ? "date" : std::string(KindName(column.kind))) +
                        (column.format.empty() ? "" : " " + column.format),
                    fmt::format("{}", column.distinct), fmt::format("{}", column.missing),
                    fmt::format("{:.1f}%", column.uniqueness * 100), EffectText(profile, column),
                    std::string(ColumnRoleName(column.role)),
                    column.given ? "" : fmt::format("{:.0f}%", column.confidence * 100), column.reason});
    if (column.role == ColumnRole::kQuasi) quasi.push_back(column.name);
  }
  std::string text =
      fmt::format("{}: {}, {}\n\n", input, Plural(profile.rows, "row"), Plural(profile.columns.size(), "column"));
  text += PeopleText(profile, plan);
  text += AlignColumns(rows, {false, false, true, true, true, true, false, true, false});
  const double share = 100.0 / static_cast<double>(std::max<uint64_t>(1, profile.rows));
  text += fmt::format(
      "\n{} ({:.1f}%) {} unique on the {} {}: whoever knows {} of a person has found the row.\n"
      "{} ({:.1f}%) {} in classes smaller than k={}. Classes: {}, from {} to {}.\n\nClasses by size:\n{}",
      Plural(profile.unique_rows, "row"), static_cast<double>(profile.unique_rows) * share,
      PluralWord(profile.unique_rows, "is", "are"), PluralWord(quasi.size(), "quasi-identifier"),
      fmt::join(quasi, ", "), PluralWord(quasi.size(), "it", "these"), Plural(profile.rows_below_k, "row"),
      static_cast<double>(profile.rows_below_k) * share, PluralWord(profile.rows_below_k, "is", "are"),
      plan.requirement.k, profile.classes, profile.smallest_class, Plural(profile.largest_class, "row"),
      SizeHistogram(profile.class_sizes));
  text += PopulationText(profile.risk.population, profile.risk.counts_people ? "people" : "rows");
  text += SudaText(profile.risk);
  for (const std::string& note : profile.notes) text += fmt::format("\nNote: {}.\n", note);
  return text;
}

std::string HipaaText(const Profile& profile, const std::string& input) {
  std::vector<std::vector<std::string>> rows = {{"", "class", "column", "sure", "why"}};
  for (int i = 0; i < kIdentities; ++i) {
    const auto identity = static_cast<Identity>(i);
    bool first = true;
    for (const HipaaColumn& column : profile.hipaa) {
      if (column.identity != identity) continue;
      rows.push_back({first ? std::string(1, IdentityLetter(identity)) : "",
                      first ? std::string(IdentityName(identity)) : "", column.column,
                      fmt::format("{:.0f}%", column.confidence * 100), column.evidence});
      first = false;
    }
    if (first)
      rows.push_back(
          {std::string(1, IdentityLetter(identity)), std::string(IdentityName(identity)), "-", "", "nothing found"});
  }
  return fmt::format(
      "{}: {}, {}, beside the eighteen classes of HIPAA's Safe Harbor rule\n\n{}\n"
      "Found by names of columns and by what values look like. What is not found may be there all the same: this "
      "certifies "
      "nothing.\n",
      input, Plural(profile.rows, "row"), Plural(profile.columns.size(), "column"),
      AlignColumns(rows, {false, false, false, true, false}));
}

std::string ProfileJson(const Profile& profile, const Plan& plan) {
  Json columns = Json::array(), quasi = Json::array();
  for (const ColumnProfile& column : profile.columns) {
    columns.push_back({{"name", column.name},
                       {"kind", KindName(column.kind)},
                       {"kind_differs", column.kind_differs},
                       {"date", column.is_date},
                       {"format", column.format},
                       {"distinct", column.distinct},
                       {"missing", column.missing},
                       {"uniqueness", column.uniqueness},
                       {"role", ColumnRoleName(column.role)},
                       {"given", column.given},
                       {"confidence", column.confidence},
                       {"identity", column.identity == 0 ? Json(nullptr) : Json(std::string(1, column.identity))},
                       {"reason", column.reason},
                       {"unique_if_changed", column.unique_if_changed}});
    if (column.role == ColumnRole::kQuasi) quasi.push_back(column.name);
  }
  Json hipaa = Json::array();
  for (const HipaaColumn& column : profile.hipaa) {
    hipaa.push_back({{"class", std::string(1, IdentityLetter(column.identity))},
                     {"name", IdentityName(column.identity)},
                     {"column", column.column},
                     {"confidence", column.confidence},
                     {"evidence", column.evidence}});
  }
  const double rows = static_cast<double>(std::max<uint64_t>(1, profile.rows));
  Json json = {{"rows", profile.rows},
               {"columns", columns},
               {"notes", profile.notes},
               {"quasi", quasi},
               {"unique_rows", profile.unique_rows},
               {"unique_members", profile.unique_members},
               {"unique_share", static_cast<double>(profile.unique_rows) / rows},
               {"classes", profile.classes},
               {"smallest_class", profile.smallest_class},
               {"largest_class", profile.largest_class},
               {"k", plan.requirement.k},
               {"rows_below_k", profile.rows_below_k},
               {"people", profile.people},
               {"classes_below_k", profile.classes_below_k},
               {"class_sizes", profile.class_sizes},
               {"hipaa", hipaa}};
  if (profile.risk.population) json["population"] = PopulationJson(*profile.risk.population);
  if (profile.risk.suda) json["suda"] = SudaJson(profile.risk);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tada
