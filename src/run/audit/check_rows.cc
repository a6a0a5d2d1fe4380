#include "run/audit/check_rows.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/option_mark.h"
#include "run/inspect/people.h"

namespace tada {
namespace {

void Fail(std::string problem, Verdict& verdict) {
  verdict.passed = false;
  verdict.problems.push_back(std::move(problem));
}

uint64_t NumPeople(const Table& table, const std::vector<ColumnId>& person) {
  return person.empty() ? table.num_rows() : FindPeople(table, person).count;
}

uint64_t PeopleAllowed(const Plan& plan, uint64_t people) {
  return static_cast<uint64_t>(plan.withhold / 100.0 * static_cast<double>(people) + 1e-9);
}

// The most rows that so many people have.
uint64_t MostRowsOf(const Table& table, const std::vector<ColumnId>& person, uint64_t people) {
  if (person.empty()) return people;
  const PeopleOfRows found = FindPeople(table, person);
  std::vector<uint64_t> rows(found.count, 0);
  for (const uint32_t who : found.of_row) ++rows[who];
  std::ranges::sort(rows, std::greater<>());
  rows.resize(std::min<size_t>(rows.size(), people));
  return std::accumulate(rows.begin(), rows.end(), uint64_t{0});
}

// Each row once, released or withheld.
void CheckOnce(const Anonymized& made, size_t rows, Verdict& verdict) {
  std::vector<uint8_t> times(rows, 0);
  for (const RowId row : made.release.row_order) ++times[row];
  for (const RowId row : made.withheld) ++times[row];
  const auto wrong = std::ranges::count_if(times, [](uint8_t count) { return count != 1; });
  if (wrong > 0) Fail(fmt::format("{} rows are neither released once nor withheld.", wrong), verdict);
}

// Not more people than allowed, and with all of their rows.
void CheckPeopleWithheld(const Table& original, const Plan& plan, const Anonymized& made, Verdict& verdict) {
  const uint64_t people = CountPeople(original, made.bound.person, made.withheld),
                 all = NumPeople(original, made.bound.person),
                 staying = CountPeople(original, made.bound.person, made.release.row_order);
  if (people > PeopleAllowed(plan, all)) {
    Fail(fmt::format("{} of {} people are withheld, more than " TADA_OPTION("withhold={:g}") " allows.", people, all,
                     plan.withhold),
         verdict);
  }
  if (people + staying != all) {
    Fail(fmt::format("{} people have rows that are withheld and others that are released.", people + staying - all),
         verdict);
  }
}

}  // namespace

uint64_t CountPeople(const Table& table, const std::vector<ColumnId>& person, const std::vector<RowId>& rows) {
  if (person.empty()) return rows.size();
  const PeopleOfRows people = FindPeople(table, person);
  std::set<uint32_t> found;
  for (const RowId row : rows) found.insert(people.of_row[row]);
  return found.size();
}

void CheckEveryRow(const Table& released, const Table& original, const Plan& plan, const Anonymized& made,
                   Verdict& verdict) {
  if (released.num_rows() + made.withheld.size() != original.num_rows()) {
    Fail(fmt::format("The input has {} rows, the release has {}, and {} are withheld.", original.num_rows(),
                     released.num_rows(), made.withheld.size()),
         verdict);
    return;
  }
  if (made.withheld.empty()) return;
  CheckOnce(made, original.num_rows(), verdict);
  if (!made.by_saved_cuts) CheckPeopleWithheld(original, plan, made, verdict);
}

void CheckShareWithheld(const Plan& plan, const Table& original, const AuditOptions& options, Verdict& verdict) {
  if (plan.withhold <= 0) return;
  const uint64_t people = NumPeople(original, options.person), allowed = PeopleAllowed(plan, people);
  if (verdict.withheld_rows <= MostRowsOf(original, options.person, allowed)) return;
  Fail(fmt::format("{} of {} rows are withheld, more than " TADA_OPTION("withhold={:g}") " allows: {} of {} people.",
                   verdict.withheld_rows, original.num_rows(), plan.withhold, allowed, people),
       verdict);
}

}  // namespace tada
