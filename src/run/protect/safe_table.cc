#include "run/protect/safe_table.h"

#include <algorithm>

#include "base/option_mark.h"
#include "guard/hipaa.h"
#include "guard/identity.h"
#include "guard/value_shapes.h"
#include "plan/plan_columns.h"
#include "run/protect/hide_people.h"
#include "table/column_builder.h"
#include "table/number.h"
#include "table/parsed_cell.h"
#include "table/value_text.h"

namespace tada {
namespace {

constexpr double kTopAge = 90;

enum class Change { kNone, kAges, kZip, kYears };

Change ChangeOf(const Column& column, const Policy& policy) {
  if (policy.years && column.is_date()) return Change::kYears;
  if (policy.top_ages && NamesAge(column.name()) && column.is_numeric()) return Change::kAges;
  if (policy.zip3 && NamesZip(column.name())) return Change::kZip;
  return Change::kNone;
}

std::string ChangedText(const Column& column, Code code, Change change) {
  const std::string text(column.text(code));
  if (change == Change::kAges) return column.number(code) >= kTopAge ? "90" : text;
  if (change == Change::kZip) return IsRestrictedZip3(text) ? "000" : text.substr(0, 3);
  return DateText(static_cast<int64_t>(column.number(code))).substr(0, 4);
}

Result<Column> Changed(const Column& column, Change change, ColumnOptions options) {
  options.order.clear();
  options.order_of_appearance = false;
  ColumnBuilder builder(column.name(), std::move(options));
  std::vector<uint32_t> numbers;
  for (Code code = 0; code < column.num_codes(); ++code) {
    numbers.push_back(
        builder.Intern(column.is_missing(code) ? std::string(column.text(code)) : ChangedText(column, code, change)));
  }
  builder.Reserve(column.num_rows());
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) builder.Append(numbers[code]);
  });
  return builder.Finish();
}

// The columns that a plan lets out, with the options that name them.
std::vector<std::pair<std::string_view, std::string>> Released(const Plan& plan) {
  std::vector<std::pair<std::string_view, std::string>> released;
  for (const auto& [option, columns] :
       {std::pair{TADA_OPTION("quasi"), &plan.quasi}, std::pair{TADA_OPTION("sensitive"), &plan.sensitive},
        std::pair{TADA_OPTION("label"), &plan.label}, std::pair{TADA_OPTION("keep"), &plan.keep}}) {
    for (const PlannedColumn& column : *columns) released.emplace_back(option, column.name);
  }
  return released;
}

// The single texts that a released cell shows.
std::vector<std::string> ShownBy(std::string_view cell) {
  for (const Reading reading : {Reading::kNumbers, Reading::kDates}) {
    const ParsedCell parsed = ParseCell(cell, reading);
    if (parsed.form == ParsedCell::Form::kSet) return parsed.elements;
    if (parsed.form == ParsedCell::Form::kInterval) return {std::string(parsed.low), std::string(parsed.high)};
  }
  return {std::string(cell)};
}

// How a cell's text breaks a rule, in words; "" if it does not.
std::string_view BrokenBy(const std::string& text, bool age, bool zip, const Policy& policy) {
  if (policy.years && IsDateLike(text)) return "dates finer than a year";
  if (policy.top_ages && age) {
    const auto number = ParseNumber(text);
    if (number && *number > kTopAge) return "ages above 90";
  }
  if (policy.zip3 && zip) {
    const auto digits = std::ranges::count_if(text, [](char c) { return c >= '0' && c <= '9'; });
    if (digits > 3) return "ZIP codes with more than three digits";
    if (IsRestrictedZip3(text)) return "ZIP codes of areas with few people";
  }
  return "";
}

}  // namespace

Result<Table> SafeTable(Table table, const Plan& plan, const Policy& policy) {
  if (!policy.changes_cells()) return table;
  const auto options = PlannedColumnOptions(plan);
  std::vector<Column> columns = table.columns();
  for (Column& column : columns) {
    const Change change = ChangeOf(column, policy);
    const auto known = options.find(column.name());
    if (change == Change::kNone || known == options.end()) continue;
    const bool person = std::ranges::find(plan.person, column.name(), &PlannedColumn::name) != plan.person.end();
    if (person) continue;
    TADA_TRY(changed, Changed(column, change, known->second));
    column = std::move(changed);
  }
  return Table(std::move(columns));
}

std::vector<std::string> SafeColumns(const Table& table, const Plan& plan, const Policy& policy) {
  std::vector<std::string> names;
  for (const auto& [option, name] : Released(plan)) {
    const auto id = table.Find(name);
    if (id && ChangeOf(table.column(*id), policy) != Change::kNone) names.push_back(name);
  }
  return names;
}

Status CheckPolicy(const Table& table, const Plan& plan, const Policy& policy) {
  if (!policy.no_identifiers) return Ok();
  for (const auto& [option, name] : Released(plan)) {
    const auto id = table.Find(name);
    if (!id || ChangeOf(table.column(*id), policy) != Change::kNone) continue;
    const auto finding = FindIdentity(table.column(*id));
    if (!finding || finding->confidence < 0.5) continue;
    return InvalidArgument("Column '{}' looks like {} ({}), which " TADA_OPTION("profile={}") " does not let out: {}",
                           name, IdentityName(finding->identity), finding->evidence, policy.name, option)
        .WithHint("Leave the column out.");
  }
  return Ok();
}

void JudgePolicy(const Table& released, const Plan& plan, const Policy& policy, Verdict& verdict) {
  if (policy.name.empty()) return;
  for (const Column& column : released.columns()) {
    const bool age = NamesAge(column.name()), zip = NamesZip(column.name());
    std::string_view broken;
    for (Code code = 0; code < column.num_codes() && broken.empty(); ++code) {
      for (const std::string& text : ShownBy(column.text(code))) {
        if (broken.empty()) broken = BrokenBy(text, age, zip, policy);
      }
    }
    const bool quasi = std::ranges::find(plan.quasi, column.name(), &PlannedColumn::name) != plan.quasi.end();
    const auto finding =
        policy.no_identifiers && !zip && !quasi && broken.empty() ? FindIdentity(column) : std::nullopt;
    std::string what(broken);
    if (finding && finding->confidence >= 0.5 && !finding->near_unique)
      what = fmt::format("{} ({})", IdentityName(finding->identity), finding->evidence);
    if (!what.empty()) {
      verdict.problems.push_back(fmt::format("Profile {}: column '{}' shows {}.", policy.name, column.name(), what));
    }
  }
  if (policy.no_pseudonyms && LinksRows(plan)) {
    verdict.problems.push_back(fmt::format("Profile {}: pseudonyms or shifted dates are released.", policy.name));
  }
  verdict.notes.push_back(fmt::format("{}.", fmt::join(policy.Rules(), ". ")));
  verdict.passed = verdict.problems.empty();
}

Result<Table> HiddenTable(Table table, const Plan& plan, std::set<std::string>& changed) {
  TADA_TRY(policy, ReadPolicy(plan.profile));
  TADA_CHECK_OK(CheckPolicy(table, plan, policy));
  changed = HiddenColumns(plan);
  for (std::string& name : SafeColumns(table, plan, policy)) changed.insert(std::move(name));
  TADA_TRY(safe, SafeTable(std::move(table), plan, policy));
  return HidePeople(std::move(safe), plan);
}

}  // namespace tada
