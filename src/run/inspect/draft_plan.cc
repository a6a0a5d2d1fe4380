// A profile as a plan that somebody can read, change and run.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "privacy/check/requirements.h"
#include "run/inspect/inspect.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

/// Text for a comment: on one line, whatever a column is called.
std::string OneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

const PlannedColumn* FindPlanned(const Plan& plan, const std::string& name) {
  for (const auto* columns : {&plan.quasi, &plan.sensitive, &plan.label, &plan.keep, &plan.person}) {
    for (const PlannedColumn& column : *columns) {
      if (column.name == name) return &column;
    }
  }
  return nullptr;
}

std::string ColumnItem(const ColumnProfile& profile, const Plan& plan) {
  const PlannedColumn* given = FindPlanned(plan, profile.name);
  PlannedColumn column;
  if (given != nullptr) column = *given;
  column.name = profile.name;
  if (profile.kind_differs) column.kind = profile.kind;
  if (given == nullptr && !profile.kind_differs && !profile.format.empty()) {
    column.kind = profile.kind;
    column.dates = profile.is_date;
    column.format = profile.format;
  }
  return TomlString(PlannedColumnText(column, profile.role == ColumnRole::kLabel));
}

std::string About(const ColumnProfile& profile) {
  return OneLine(fmt::format("{}, {} values, {} missing; {}", profile.is_date ? "dates" : KindName(profile.kind),
                             profile.distinct, profile.missing, profile.reason));
}

void AddList(std::string& toml, std::string_view comment, ColumnRole role, const Profile& profile, const Plan& plan) {
  toml += fmt::format("\n# {}\n{} = [\n", comment, ColumnRoleName(role));
  for (const ColumnProfile& column : profile.columns) {
    if (column.role == role) toml += fmt::format("  {},  # {}\n", ColumnItem(column, plan), About(column));
  }
  toml += "]\n";
}

/// The l to ask for: 2, or what the plan asks for; 1 if a sensitive column has a single value.
int64_t DraftL(const Profile& profile, const Plan& plan) {
  uint64_t fewest = 0;
  bool any = false;
  for (const ColumnProfile& column : profile.columns) {
    if (column.role != ColumnRole::kSensitive) continue;
    const uint64_t values = column.distinct + (column.missing > 0 ? 1 : 0);
    fewest = any ? std::min(fewest, values) : values;
    any = true;
  }
  if (!any) return 1;
  if (plan.requirement.l > 1) return plan.requirement.l;
  return fewest >= 2 ? 2 : 1;
}

}  // namespace

std::string DraftPlanToml(const Profile& profile, const Plan& plan, const std::string& input) {
  std::string toml = fmt::format(
      "# A plan for {}, drafted by 'tada inspect': {} rows, {} of them unique on the quasi-identifiers.\n"
      "# The roles are proposals. Move a column to another list to change its role; one that is in no list is not "
      "released.\n"
      "# Then: tada anonymize <input> --plan tada.toml -o <output>\n",
      OneLine(input), profile.rows, profile.unique_rows);
  AddList(toml, "Quasi-identifiers: what somebody could know of a person and look up. Widened.", ColumnRole::kQuasi,
          profile, plan);
  AddList(toml, "Sensitive: released as they are, protected by l.", ColumnRole::kSensitive, profile, plan);
  AddList(toml, "Label: what a model will predict; released as it is.", ColumnRole::kLabel, profile, plan);
  AddList(toml, "Kept: released unchanged. Put here only what nobody could look a person up by.", ColumnRole::kKeep,
          profile, plan);
  if (std::ranges::find(profile.columns, ColumnRole::kPerson, &ColumnProfile::role) != profile.columns.end()) {
    AddList(toml,
            "Person: together these name a person, who may have several rows; k and l count people. Never released.",
            ColumnRole::kPerson, profile, plan);
  }
  toml += "\n# Not released:\n";
  for (const ColumnProfile& column : profile.columns) {
    if (column.role == ColumnRole::kDrop) toml += fmt::format("#   {}  # {}\n", TomlString(column.name), About(column));
  }
  const auto k = std::max<int64_t>(1, std::min<int64_t>(plan.requirement.k, static_cast<int64_t>(profile.rows)));
  toml += fmt::format(
      "\n# Every group of rows that look alike has at least k rows and l different values of each sensitive column.\n"
      "k = {}\nl = {}\ndiversity = \"{}\"\n",
      k, DraftL(profile, plan), DiversityName(plan.requirement));
  for (const WrittenOption& option : WriteRequirement(plan.requirement, false)) {  // what is told of the population
    if (option.name == "weights" || option.name == "sampling" || option.name == "population")
      toml += fmt::format("{} = {}\n", option.name, TomlString(option.values.front()));
  }
  std::vector<std::string> missing;
  for (const std::string& spelling : plan.missing) missing.push_back(TomlString(spelling));
  toml += fmt::format("\n# Spellings of a missing value.\nmissing = [{}]\n", fmt::join(missing, ", "));
  if (plan.delimiter) {
    toml += fmt::format("delimiter = {}\n", *plan.delimiter == '\t' ? "\"tab\"" : TomlString({&*plan.delimiter, 1}));
  }
  if (!plan.charset.empty()) toml += fmt::format("charset = {}\n", TomlString(plan.charset));
  if (!plan.sheet.empty()) toml += fmt::format("sheet = {}\n", TomlString(plan.sheet));
  return toml;
}

}  // namespace tada
