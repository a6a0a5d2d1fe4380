#include "run/inspect/inspect.h"

#include <algorithm>
#include <cctype>

#include "plan/weights_column.h"
#include "run/inspect/guard_people.h"
#include "run/inspect/people.h"

namespace tada {
namespace {

constexpr uint64_t kFewRows = 20;  // below this, a column of different values says nothing

/// How often each value occurs, by value id, and how often none does.
struct Counts {
  std::vector<uint64_t> of_value;
  uint64_t missing = 0;
};

Counts CountValues(const Column& column) {
  Counts counts;
  counts.of_value.resize(column.num_values());
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) {
      if (column.is_missing(code))
        ++counts.missing;
      else
        ++counts.of_value[column.value_id(code)];
    }
  });
  return counts;
}

/// Numbers that begin with a zero are codes: postcodes, keys, telephone numbers.
bool HasLeadingZeros(const Column& column) {
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    const std::string_view text = column.text(code);
    if (text.size() > 1 && text[0] == '0' && std::isdigit(static_cast<unsigned char>(text[1])) != 0) return true;
  }
  return false;
}

/// Whole numbers without gaps, each once: somebody counted the rows.
bool CountsTheRows(const Column& column, const ColumnProfile& profile, uint64_t rows) {
  if (!column.is_numeric() || column.is_date() || profile.distinct != rows || rows < kFewRows) return false;
  return column.number(column.num_codes() - 1) - column.number(column.num_missing()) == static_cast<double>(rows - 1);
}

bool IsPostcode(const std::string& reason) {
  for (const char* word : {"\"zip\"", "\"zipcode\"", "\"postcode\"", "\"postal\"", "\"plz\"", "\"cap\""}) {
    if (reason.starts_with(word)) return true;
  }
  return false;
}

void SetRole(ColumnProfile& profile, ColumnRole role, double confidence, std::string reason) {
  profile.role = role;
  profile.confidence = confidence;
  profile.reason = std::move(reason);
}

void ProposeRole(const Column& column, uint64_t rows, ColumnProfile& profile) {
  if (profile.name.empty()) return SetRole(profile, ColumnRole::kDrop, 1, "has no name to call it by");
  const auto found = FindIdentity(column);
  if (found) profile.identity = IdentityLetter(found->identity);
  if (found && found->direct && found->confidence >= 0.5) {
    return SetRole(profile, ColumnRole::kDrop, found->confidence,
                   fmt::format("{}: {}", IdentityName(found->identity), found->evidence));
  }
  if (profile.distinct == 0 || (profile.distinct == 1 && profile.missing == 0)) {
    return SetRole(profile, ColumnRole::kDrop, 0.9, "has one value only: tells nothing");
  }
  if (CountsTheRows(column, profile, rows)) return SetRole(profile, ColumnRole::kDrop, 0.9, "numbers the rows");
  if (const auto codes = MedicalCode(column); !codes.empty()) {
    return SetRole(profile, ColumnRole::kSensitive, 0.9, fmt::format("{}: what people would not want known", codes));
  }
  std::string from_name;
  auto role = RoleFromName(profile.name, &from_name);
  if (role == ColumnRole::kDrop) role.reset();  // "id" of a few values: a code that many share
  if (role) return SetRole(profile, *role, 0.8, from_name);
  if (found) {
    return SetRole(profile, ColumnRole::kQuasi, found->confidence,
                   fmt::format("{}: {}", IdentityName(found->identity), found->evidence));
  }
  SetRole(profile, ColumnRole::kQuasi, 0.3, "nothing says that others cannot know it");
}

void Propose(const Column& column, uint64_t rows, ColumnProfile& profile) {
  ProposeRole(column, rows, profile);
  if (profile.kind != Kind::kNumeric || column.is_date() || profile.role != ColumnRole::kQuasi) return;
  if (IsPostcode(profile.reason) || HasLeadingZeros(column)) {
    profile.kind = Kind::kCategorical;
    profile.kind_differs = true;
    profile.reason += "; digits, but a code and no number";
  }
}

bool TakeGivenRole(const Plan& plan, ColumnProfile& profile) {
  const std::pair<ColumnRole, const std::vector<PlannedColumn>*> lists[] = {{ColumnRole::kQuasi, &plan.quasi},
                                                                            {ColumnRole::kSensitive, &plan.sensitive},
                                                                            {ColumnRole::kLabel, &plan.label},
                                                                            {ColumnRole::kKeep, &plan.keep},
                                                                            {ColumnRole::kPerson, &plan.person}};
  for (const auto& [role, columns] : lists) {
    for (const PlannedColumn& column : *columns) {
      if (column.name != profile.name) continue;
      profile.role = role;
      profile.given = true;
      profile.reason = "given";
      profile.kind_differs = column.kind.has_value();
      return true;
    }
  }
  return false;
}

ColumnProfile ProfileColumn(const Column& column, const Plan& plan, uint64_t rows) {
  ColumnProfile profile;
  profile.name = column.name();
  profile.kind = column.kind();
  profile.is_date = column.is_date();
  profile.format = column.writing().text();
  const Counts counts = CountValues(column);
  profile.missing = counts.missing;
  profile.distinct = static_cast<uint64_t>(
      std::count_if(counts.of_value.begin(), counts.of_value.end(), [](auto n) { return n > 0; }));
  const auto alone = std::count(counts.of_value.begin(), counts.of_value.end(), 1u);
  profile.uniqueness = rows == 0 ? 0 : static_cast<double>(alone) / static_cast<double>(rows);
  const std::vector<std::string> weights = WeightsColumns(plan);
  if (TakeGivenRole(plan, profile)) return profile;
  if (std::ranges::find(weights, profile.name) != weights.end()) {
    profile.given = true;
    SetRole(profile, ColumnRole::kDrop, 1, "weights: how many people each row stands for");
  } else {
    Propose(column, rows, profile);
  }
  return profile;
}

/// One label is proposed, the last: that is where tables have it. A label that the plan gives leaves no room for another.
void KeepOneLabel(std::vector<ColumnProfile>& columns) {
  bool seen = std::any_of(columns.begin(), columns.end(),
                          [](const auto& c) { return c.given && c.role == ColumnRole::kLabel; });
  for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
    if (column->given || column->role != ColumnRole::kLabel) continue;
    if (seen) {
      column->role = ColumnRole::kQuasi;
      column->reason = "another column is the label, and nothing says that others cannot know it";
    }
    seen = true;
  }
}

/// One column is proposed as the one that names people, the first that looks like it and repeats; unless the plan says who
/// the people are.
void ProposePerson(const Table& table, const Plan& plan, std::vector<ColumnProfile>& columns) {
  if (plan.rows_are_people || !plan.person.empty()) return;
  for (ColumnId id = 0; id < columns.size(); ++id) {
    if (columns[id].given || !NamesPeople(columns[id].name) || !RepeatsPeople(table.column(id))) continue;
    columns[id].role = ColumnRole::kPerson;
    columns[id].reason = "looks like an identifier of people, who have several rows each";
    return;
  }
}

bool Has(const std::vector<ColumnProfile>& columns, ColumnRole role) {
  return std::ranges::find(columns, role, &ColumnProfile::role) != columns.end();
}

/// Income in two values is what somebody wants to predict.
void LabelOfTwoIncomes(std::vector<ColumnProfile>& columns) {
  if (Has(columns, ColumnRole::kLabel)) return;
  for (ColumnProfile& column : columns) {
    const bool two = column.role == ColumnRole::kSensitive && column.distinct == 2 && NamesMoney(column.name);
    if (column.given || !two) continue;
    return SetRole(column, ColumnRole::kLabel, 0.5, "an income in two classes: what a model would predict");
  }
}

/// Where nothing is plainly sensitive: what is predicted from measurements of patients, or what is likeliest.
void LikeliestSecret(std::vector<ColumnProfile>& columns) {
  if (Has(columns, ColumnRole::kSensitive)) return;
  const auto medical = std::ranges::count_if(columns, [](const auto& column) { return NamesMedicine(column.name); });
  for (ColumnProfile& column : columns) {
    if (column.given || column.role != ColumnRole::kLabel || medical < 3) continue;
    return SetRole(column, ColumnRole::kSensitive, 0.6, "what measurements of patients predict: a diagnosis");
  }
  for (ColumnProfile& column : columns) {
    if (column.given || column.role != ColumnRole::kQuasi || !NamesLikelySecret(column.name)) continue;
    return SetRole(column, ColumnRole::kSensitive, 0.4, "no other column is sensitive, and this is the likeliest");
  }
}

/// Different people of each class of rows that are alike in the quasi-identifiers.
std::vector<uint64_t> CountPeople(const std::vector<uint32_t>& class_of, const PeopleOfRows& people, size_t classes) {
  std::vector<std::pair<uint32_t, uint32_t>> members;
  for (size_t row = 0; row < class_of.size(); ++row) members.emplace_back(class_of[row], people.of_row[row]);
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  std::vector<uint64_t> counts(classes);
  for (const auto& [index, person] : members) ++counts[index];
  return counts;
}

/// A plan needs a quasi-identifier: without any, what is likeliest to be known of a person becomes one.
void EnsureQuasi(std::vector<ColumnProfile>& columns) {
  const auto has = [&](ColumnRole role) {
    return std::find_if(columns.begin(), columns.end(), [&](const auto& c) {
      return c.role == role && (role == ColumnRole::kQuasi || !c.given) && !c.name.empty();
    });
  };
  if (has(ColumnRole::kQuasi) != columns.end()) return;
  for (const ColumnRole role : {ColumnRole::kLabel, ColumnRole::kSensitive, ColumnRole::kDrop}) {
    const auto column = has(role);
    if (column == columns.end()) continue;
    column->role = ColumnRole::kQuasi;
    column->reason = "no other column is a quasi-identifier, and there must be one";
    return;
  }
}

void SummarizeClasses(std::vector<uint64_t> sizes, int64_t k, Profile& profile) {
  std::sort(sizes.begin(), sizes.end());
  profile.classes = sizes.size();
  if (sizes.empty()) return;
  profile.smallest_class = sizes.front();
  profile.largest_class = sizes.back();
  for (const uint64_t size : sizes) {
    if (size == 1) ++profile.unique_rows;
    if (size < static_cast<uint64_t>(k)) profile.rows_below_k += size;
    if (profile.class_sizes.empty() || profile.class_sizes.back().first != size)
      profile.class_sizes.emplace_back(size, 0);
    ++profile.class_sizes.back().second;
  }
}

}  // namespace

std::string_view ColumnRoleName(ColumnRole role) {
  switch (role) {
    case ColumnRole::kQuasi:
      return "quasi";
    case ColumnRole::kSensitive:
      return "sensitive";
    case ColumnRole::kLabel:
      return "label";
    case ColumnRole::kKeep:
      return "keep";
    case ColumnRole::kPerson:
      return "person";
    case ColumnRole::kDrop:
      return "drop";
  }
  return "";
}

Profile Inspect(const Table& table, const Plan& plan) {
  Profile profile;
  profile.rows = table.num_rows();
  for (const Column& column : table.columns()) profile.columns.push_back(ProfileColumn(column, plan, profile.rows));
  KeepOneLabel(profile.columns);
  LabelOfTwoIncomes(profile.columns);
  LikeliestSecret(profile.columns);
  ProposePerson(table, plan, profile.columns);
  EnsureQuasi(profile.columns);
  size_t num_classes = 0;
  const std::vector<uint32_t> class_of = ClassOfRows(table, profile.columns, num_classes);
  std::vector<uint64_t> sizes(num_classes);
  for (const uint32_t number : class_of) ++sizes[number];
  std::vector<ColumnId> person;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    if (profile.columns[id].role == ColumnRole::kPerson) person.push_back(id);
  }
  std::vector<uint64_t> counted = sizes;
  if (!person.empty()) {
    const PeopleOfRows people = FindPeople(table, person);
    if (people.repeated()) profile.people = people.count;
    counted = CountPeople(class_of, people, num_classes);
  }
  profile.classes_below_k = static_cast<uint64_t>(
      std::ranges::count_if(counted, [&](uint64_t n) { return n < static_cast<uint64_t>(plan.requirement.k); }));
  profile.hipaa = FindHipaa(table);
  SummarizeClasses(std::move(sizes), plan.requirement.k, profile);
  return profile;
}

}  // namespace tada
