#include "run/protect/hide_people.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "base/option_mark.h"
#include "keys/secret_key.h"
#include "run/inspect/people.h"
#include "table/column_builder.h"
#include "table/column_doubt.h"
#include "table/value_text.h"

namespace tada {
namespace {

constexpr int kMostDays = 365;

Result<SecretKey> KeyOf(const Plan& plan) {
  const std::string_view option = plan.pseudonym.empty() ? TADA_OPTION("shift-dates") : TADA_OPTION("pseudonym");
  if (plan.key.empty()) {
    return InvalidArgument("{} needs " TADA_OPTION("key") ", the file of a secret key", option)
        .WithHint("'tada key -o secret.key' makes one.");
  }
  if (plan.domain.empty()) {
    return InvalidArgument("{} needs " TADA_OPTION("key-domain") ", a name for what may be joined", option)
        .WithHint("Releases of one key and domain have the same pseudonyms: " TADA_OPTION("key-domain=study-a"));
  }
  return SecretKey::Read(plan.key);
}

std::string Message(const Plan& plan, std::string_view text) { return plan.domain + '\0' + std::string(text); }

// A column with another text for each code.
Column Replaced(const Column& column, const std::vector<std::string>& texts, const ColumnOptions& options) {
  ColumnBuilder builder(column.name(), options);
  std::vector<uint32_t> numbers(texts.size());
  for (size_t code = 0; code < texts.size(); ++code) numbers[code] = builder.Intern(texts[code]);
  builder.Reserve(column.num_rows());
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) builder.Append(numbers[code]);
  });
  Result<Column> replaced = builder.Finish();
  TADA_ASSERT(replaced.ok());
  return std::move(replaced).value();
}

Column Pseudonyms(const Column& column, const Plan& plan, const SecretKey& key) {
  std::vector<std::string> texts;
  for (Code code = 0; code < column.num_codes(); ++code) {
    if (column.is_missing(code)) {
      texts.emplace_back(column.text(code));
      continue;
    }
    const SecretKey::Bytes bytes = key.Code("pseudonym", Message(plan, column.text(code)));
    texts.push_back(HexOf(bytes.data(), bytes.size() / 2));
  }
  return Replaced(column, texts, {.kind = Kind::kCategorical, .missing = plan.missing});
}

// The days that each person's dates are moved by.
std::vector<int> Shifts(const Table& table, const std::vector<ColumnId>& person, const PeopleOfRows& people,
                        const Plan& plan, const SecretKey& key) {
  std::vector<int> shifts(people.count);
  std::vector<bool> known(people.count);
  for (RowId row = 0; row < people.of_row.size(); ++row) {
    const uint32_t who = people.of_row[row];
    if (known[who]) continue;
    known[who] = true;
    std::string name;
    for (const ColumnId id : person) name += std::string(table.column(id).text(table.column(id).codes()[row])) + '\0';
    const SecretKey::Bytes bytes = key.Code("shift", Message(plan, name));
    uint64_t number = 0;
    for (int i = 0; i < 8; ++i) number = number << 8 | bytes[static_cast<size_t>(i)];
    const int days = static_cast<int>(number % (2 * kMostDays));  // 730 of them: -365 to -1 and 1 to 365
    shifts[who] = days < kMostDays ? days - kMostDays : days - kMostDays + 1;
  }
  return shifts;
}

std::string AtResolution(std::string date, const std::string& resolution) {
  if (resolution == "year") date.resize(4);
  if (resolution == "month") date.resize(7);
  return date;
}

Result<Column> Shifted(const Table& table, const Column& column, const Plan::ShiftedDates& dates,
                       const std::vector<ColumnId>& person, const PeopleOfRows& people, const std::vector<int>& shifts,
                       const Plan& plan) {
  if (!column.is_date()) {
    return InvalidArgument(TADA_OPTION("shift-dates") " is for dates: {} holds others", column.name())
        .WithHint("Every value has to be a date, or a spelling of \"missing\" (" TADA_OPTION("missing") ").");
  }
  ColumnBuilder builder(column.name(), {.kind = Kind::kCategorical, .missing = plan.missing});
  for (RowId row = 0; row < column.num_rows(); ++row) {
    const Code code = column.codes()[row];
    if (column.is_missing(code)) {
      builder.AppendText(column.text(code));
      continue;
    }
    const bool nobody = std::ranges::all_of(
        person, [&](ColumnId id) { return table.column(id).is_missing(table.column(id).codes()[row]); });
    if (nobody) {
      return InvalidArgument("The date in {}, {}, is nobody's: by how much is it to be shifted?", column.name(),
                             PlaceOfRow(column, row))
          .WithHint("Fill in who it is, or leave the row out.");
    }
    const auto day = static_cast<int64_t>(std::floor(column.number(code))) + shifts[people.of_row[row]];
    builder.AppendText(AtResolution(DateText(day), dates.resolution));
  }
  return builder.Finish();
}

// A moment as released, counted in its own unit: 1984, 1984-07, 1984-07-10.
int64_t MomentOf(std::string_view text) {
  int64_t parts[3] = {0, 1, 1};
  size_t at = 0;
  for (int64_t& part : parts) {
    if (at >= text.size()) break;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), part);
    at = static_cast<size_t>(end - text.data()) + 1;
  }
  if (text.size() == 4) return parts[0];
  if (text.size() == 7) return parts[0] * 12 + parts[1];
  const int64_t year = parts[0] - (parts[1] <= 2 ? 1 : 0), month = (parts[1] + 9) % 12;
  return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + parts[2];
}

}  // namespace

std::set<std::string> HiddenColumns(const Plan& plan) {
  std::set<std::string> names;
  for (const PlannedColumn& column : plan.pseudonym) names.insert(column.name);
  for (const Plan::ShiftedDates& dates : plan.shift_dates) names.insert(dates.name);
  return names;
}

Result<Table> HidePeople(Table table, const Plan& plan) {
  if (!LinksRows(plan)) return table;
  TADA_TRY(key, KeyOf(plan));
  std::vector<ColumnId> person;
  for (const PlannedColumn& column : plan.person) {
    const auto id = table.Find(column.name);
    if (!id)
      return InvalidArgument(TADA_OPTION("person") " names a column that the table does not have: {}", column.name);
    person.push_back(*id);
  }
  std::vector<Column> columns = table.columns();
  const PeopleOfRows people = FindPeople(table, person);
  const std::vector<int> shifts =
      plan.shift_dates.empty() ? std::vector<int>() : Shifts(table, person, people, plan, key);
  for (const Plan::ShiftedDates& dates : plan.shift_dates) {
    const ColumnId id = table.Find(dates.name).value();
    TADA_TRY(shifted, Shifted(table, table.column(id), dates, person, people, shifts, plan));
    columns[id] = std::move(shifted);
  }
  for (const PlannedColumn& column : plan.pseudonym) {
    const ColumnId id = table.Find(column.name).value();
    columns[id] = Pseudonyms(table.column(id), plan, key);
  }
  return Table(std::move(columns));
}

std::vector<uint32_t> SharedSigns(const Table& hidden, const Plan& plan, const std::vector<uint32_t>& person_of,
                                  uint32_t people) {
  std::vector<std::vector<int64_t>> signs(people);
  for (const uint32_t who : person_of) {
    if (signs[who].empty()) signs[who].push_back(0);
    ++signs[who][0];
  }
  for (const Plan::ShiftedDates& dates : plan.shift_dates) {
    const Column& column = hidden.column(hidden.Find(dates.name).value());
    std::vector<std::vector<int64_t>> moments(people);
    for (RowId row = 0; row < person_of.size(); ++row) {
      const Code code = column.codes()[row];
      if (!column.is_missing(code)) moments[person_of[row]].push_back(MomentOf(column.text(code)));
    }
    for (uint32_t who = 0; who < people; ++who) {
      std::sort(moments[who].begin(), moments[who].end());
      signs[who].push_back(-static_cast<int64_t>(moments[who].size()) - 1);
      for (size_t i = 1; i < moments[who].size(); ++i) signs[who].push_back(moments[who][i] - moments[who][i - 1]);
    }
  }
  std::map<std::vector<int64_t>, uint32_t> known;
  for (const auto& sign : signs) known.emplace(sign, 0);
  uint32_t count = 0;
  for (auto& [sign, number] : known) number = count++;
  std::vector<uint32_t> numbers;
  for (const auto& sign : signs) numbers.push_back(known[sign]);
  return numbers;
}

}  // namespace tada
