#include "audit/checks/linked_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/status.h"
#include "base/words.h"

namespace tada {
namespace {

// A moment as a count of the unit it is written in: 1984, 1984-07 and 1984-07-10 are years, months and days.
std::optional<int64_t> MomentOf(std::string_view text) {
  int64_t parts[3] = {0, 1, 1};
  size_t count = 0, digits = 0;
  for (const char c : text) {
    if (c == '-' && digits > 0 && count < 2) {
      ++count, digits = 0, parts[count] = 0;
    } else if (c >= '0' && c <= '9') {
      parts[count] = parts[count] * 10 + (c - '0'), ++digits;
    } else {
      return std::nullopt;
    }
  }
  if (digits == 0) return std::nullopt;
  if (count == 0) return parts[0];
  if (count == 1) return parts[0] * 12 + parts[1];
  // Days of the proleptic Gregorian calendar, from a March on.
  const int64_t year = parts[0] - (parts[1] <= 2 ? 1 : 0), month = (parts[1] + 9) % 12;
  return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + parts[2];
}

// Which rows are one person's: by the pseudonyms, or by the rows of the original that they stand for. A row without a name is a
// person of its own.
std::vector<std::vector<RowId>> RowsOfPeople(const Table& release, const AuditOptions& options) {
  const bool by_release = !options.pseudonym.empty();
  TADA_ASSERT(by_release || options.original != nullptr);
  const Table& named_in = by_release ? release : *options.original;
  std::map<std::string, std::vector<RowId>> named;
  std::vector<std::vector<RowId>> people;
  for (RowId row = 0; row < release.num_rows(); ++row) {
    std::string name;
    bool any = false;
    for (const ColumnId id : by_release ? options.pseudonym : options.person) {
      const Column& column = named_in.column(id);
      const Code code = column.codes()[by_release ? row : (*options.order)[row]];
      any |= !column.is_missing(code);
      name += fmt::format("{}\n", code);
    }
    if (any) {
      named[name].push_back(row);
    } else {
      people.push_back({row});
    }
  }
  for (auto& [name, rows] : named) people.push_back(std::move(rows));
  return people;
}

// What everybody sees of a person: the classes of the rows, how many there are, and the gaps between the dates.
std::vector<int64_t> SeenOf(const Table& release, const AuditOptions& options, std::span<const uint32_t> class_of_row,
                            const std::vector<RowId>& rows) {
  std::vector<int64_t> seen;
  for (const RowId row : rows) seen.push_back(class_of_row[row]);
  std::sort(seen.begin(), seen.end());
  for (const ColumnId id : options.shifted) {
    const Column& column = release.column(id);
    std::vector<int64_t> moments;
    for (const RowId row : rows) {
      const Code code = column.codes()[row];
      if (const auto moment = column.is_missing(code) ? std::nullopt : MomentOf(column.text(code)))
        moments.push_back(*moment);
    }
    std::sort(moments.begin(), moments.end());
    seen.push_back(-static_cast<int64_t>(moments.size()) - 1);
    for (size_t i = 1; i < moments.size(); ++i) seen.push_back(moments[i] - moments[i - 1]);
  }
  return seen;
}

}  // namespace

void JudgeLinkedRows(const Table& release, const AuditOptions& options, const Classes& classes, Verdict& verdict) {
  if (options.pseudonym.empty() && options.shifted.empty()) return;
  const bool known = options.order && options.original != nullptr && !options.person.empty();
  if (options.pseudonym.empty() && !known) {
    verdict.unverified.emplace_back(
        "shifted dates: not verified. Whose rows they are is not in the release, so neither are the gaps between the "
        "dates of a person.");
    return;
  }
  const std::vector<uint32_t> class_of_row = classes.OfRows();
  std::map<std::vector<int64_t>, uint64_t> sharing;
  for (const std::vector<RowId>& rows : RowsOfPeople(release, options))
    ++sharing[SeenOf(release, options, class_of_row, rows)];
  uint64_t fewest = UINT64_MAX, breaking = 0;
  for (const auto& [seen, people] : sharing) {
    fewest = std::min(fewest, people);
    if (people < static_cast<uint64_t>(options.requirement.k)) breaking += people;
  }
  verdict.linked = fewest;
  if (breaking == 0) return;
  verdict.problems.push_back(
      fmt::format("Released rows of a person can be told by their number{}: {} share these with fewer than k={} people "
                  "of their class, the fewest with {} in all.",
                  options.shifted.empty() ? "" : " and by how far apart their dates are",
                  Plural(breaking, "person", "people"), options.requirement.k, fewest));
}

}  // namespace tada
