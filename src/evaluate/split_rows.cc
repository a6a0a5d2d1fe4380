#include "evaluate/split_rows.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/random.h"
#include "run/inspect/people.h"

namespace tada {
namespace {

// The rows of each person who is named by these columns.
std::vector<std::vector<RowId>> RowsOfPeople(const Table& table, const std::vector<ColumnId>& person) {
  const PeopleOfRows people = FindPeople(table, person);
  std::vector<std::vector<RowId>> rows(people.count);
  for (RowId row = 0; row < table.num_rows(); ++row) rows[people.of_row[row]].push_back(row);
  return rows;
}

// Gives every first row all rows of its person.
void AddOtherRows(const std::vector<std::vector<RowId>>& of_person, std::vector<RowId>& rows) {
  std::unordered_map<RowId, size_t> person_of;
  for (size_t i = 0; i < of_person.size(); ++i) person_of.emplace(of_person[i].front(), i);
  std::vector<RowId> all;
  for (const RowId first : rows) {
    const auto& others = of_person[person_of.at(first)];
    all.insert(all.end(), others.begin(), others.end());
  }
  rows = std::move(all);
}

// Rows, or first rows of people, by label; all together if it is a number.
std::vector<std::vector<RowId>> Strata(const Table& table, const BoundPlan& bound, bool regression,
                                       const std::vector<std::vector<RowId>>& of_person) {
  const Column& label = table.column(bound.roles.label.front());
  std::vector<std::vector<RowId>> strata(regression ? 1 : label.num_values());
  const auto deal = [&](RowId row) { strata[regression ? 0 : label.value_id(label.codes()[row])].push_back(row); };
  for (const std::vector<RowId>& rows : of_person) deal(rows.front());
  for (RowId row = 0; row < table.num_rows() && of_person.empty(); ++row) deal(row);
  return strata;
}

}  // namespace

TrainTest SplitRows(const Table& table, const BoundPlan& bound, bool regression, double test_share, uint64_t seed) {
  std::vector<std::vector<RowId>> of_person;
  if (!bound.person.empty()) of_person = RowsOfPeople(table, bound.person);
  TrainTest parts;
  Random random(MixSeed(seed, 0x7e57));
  for (std::vector<RowId>& rows : Strata(table, bound, regression, of_person)) {
    random.Shuffle(std::span(rows));
    // Rounded by a draw, so that labels with few rows are in the test part as often as they should.
    const auto test = static_cast<size_t>(static_cast<double>(rows.size()) * test_share + random.Unit());
    parts.test.insert(parts.test.end(), rows.begin(), rows.begin() + static_cast<ptrdiff_t>(test));
    parts.train.insert(parts.train.end(), rows.begin() + static_cast<ptrdiff_t>(test), rows.end());
  }
  if (!bound.person.empty()) AddOtherRows(of_person, parts.train), AddOtherRows(of_person, parts.test);
  std::sort(parts.train.begin(), parts.train.end());
  std::sort(parts.test.begin(), parts.test.end());
  return parts;
}

Error TooFewRows(size_t rows, double test_share) {
  const double least = std::ceil(1 / test_share);
  return Infeasible("Too few rows to learn from and to test on: rows={}, at least {:.0f}, better a hundred", rows,
                    least);
}

}  // namespace tada
