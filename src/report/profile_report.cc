#include "report/profile_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plan/shell_command.h"
#include "report/draw/text_layout.h"
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
    text += fmt::format(
        "Release with --person {} so that k and l count people; or with --rows-are-people if every row is one.\n",
        ShellQuote(names));
  }
  return text + "\n";
}

}  // namespace

std::string ProfileText(const Profile& profile, const Plan& plan, const std::string& input) {
  std::vector<std::vector<std::string>> rows = {{"column", "kind", "distinct", "missing", "unique", "role", "why"}};
  std::vector<std::string> quasi;
  for (const ColumnProfile& column : profile.columns) {
    rows.push_back({column.name, column.is_date ? "date" : std::string(KindName(column.kind)),
                    fmt::format("{}", column.distinct), fmt::format("{}", column.missing),
                    fmt::format("{:.1f}%", column.uniqueness * 100), std::string(ColumnRoleName(column.role)),
                    column.reason});
    if (column.role == ColumnRole::kQuasi) quasi.push_back(column.name);
  }
  std::string text = fmt::format("{}: {} rows, {} columns\n\n", input, profile.rows, profile.columns.size());
  text += PeopleText(profile, plan);
  text += AlignColumns(rows, {false, false, true, true, true, false, false});
  const double share = 100.0 / static_cast<double>(std::max<uint64_t>(1, profile.rows));
  text += fmt::format(
      "\n{} rows ({:.1f}%) are unique on the quasi-identifiers {}: whoever knows these of a person has found the row.\n"
      "{} rows ({:.1f}%) are in classes smaller than k={}. Classes: {}, from {} to {} rows.\n\nClasses by size:\n{}",
      profile.unique_rows, static_cast<double>(profile.unique_rows) * share, fmt::join(quasi, ", "),
      profile.rows_below_k, static_cast<double>(profile.rows_below_k) * share, plan.requirement.k, profile.classes,
      profile.smallest_class, profile.largest_class, SizeHistogram(profile.class_sizes));
  return text;
}

std::string ProfileJson(const Profile& profile, const Plan& plan) {
  Json columns = Json::array(), quasi = Json::array();
  for (const ColumnProfile& column : profile.columns) {
    columns.push_back({{"name", column.name},
                       {"kind", KindName(column.kind)},
                       {"kind_differs", column.kind_differs},
                       {"date", column.is_date},
                       {"distinct", column.distinct},
                       {"missing", column.missing},
                       {"uniqueness", column.uniqueness},
                       {"role", ColumnRoleName(column.role)},
                       {"given", column.given},
                       {"reason", column.reason}});
    if (column.role == ColumnRole::kQuasi) quasi.push_back(column.name);
  }
  const double rows = static_cast<double>(std::max<uint64_t>(1, profile.rows));
  const Json json = {{"rows", profile.rows},
                     {"columns", columns},
                     {"quasi", quasi},
                     {"unique_rows", profile.unique_rows},
                     {"unique_share", static_cast<double>(profile.unique_rows) / rows},
                     {"classes", profile.classes},
                     {"smallest_class", profile.smallest_class},
                     {"largest_class", profile.largest_class},
                     {"k", plan.requirement.k},
                     {"rows_below_k", profile.rows_below_k},
                     {"people", profile.people},
                     {"classes_below_k", profile.classes_below_k},
                     {"class_sizes", profile.class_sizes}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tada
