#include "compose/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "audit/checks/folding.h"

namespace tada {
namespace {

constexpr uint32_t kNoColumn = UINT32_MAX;

constexpr uint32_t kMissing = 0;  // as a value

// Equal keys are equal values: numbers by what they are, all spellings of "missing" alike, everything else as the audit compares it.
std::string ValueKey(const Column& column, Code code, bool numeric, bool exact) {
  if (column.is_missing(code)) return "";
  if (exact) return fmt::format("={}", column.text(code));
  if (numeric) return fmt::format("#{}", column.number(code) + 0.0);  // -0 is 0
  return FoldedText(column.text(code));
}

}  // namespace

uint64_t Candidates::Left::k() const { return rows.empty() ? 0 : *std::min_element(rows.begin(), rows.end()); }

uint64_t Candidates::Left::l() const {
  uint64_t fewest = UINT64_MAX;
  for (const auto& of_column : values) {
    if (of_column.empty()) continue;
    const bool less = !missing_counts && of_column.front() == kMissing;
    fewest = std::min<uint64_t>(fewest, of_column.size() - (less ? 1 : 0));
  }
  return fewest == UINT64_MAX ? 0 : fewest;
}

Candidates::Candidates(std::span<const Table* const> releases,
                       std::span<const std::vector<std::optional<ColumnId>>> columns, std::span<const Classes> classes,
                       const Requirement& requirement)
    : exact_values_(requirement.exact_values),
      missing_counts_(requirement.missing_counts),
      releases_(releases.size()),
      texts_(columns.empty() ? 0 : columns[0].size()) {
  for (size_t r = 0; r < releases.size(); ++r) {
    for (size_t s = 0; s < texts_.size(); ++s) {
      releases_[r].codes.push_back(columns[r][s] ? &releases[r]->column(*columns[r][s]).codes() : nullptr);
    }
    releases_[r].value_of_code.resize(texts_.size());
  }
  for (size_t s = 0; s < texts_.size(); ++s) NumberValues(s, releases, columns);
  for (size_t r = 0; r < releases.size(); ++r) CountCombinations(classes[r], releases_[r]);
}

void Candidates::NumberValues(size_t column, std::span<const Table* const> releases,
                              std::span<const std::vector<std::optional<ColumnId>>> columns) {
  bool numeric = true;
  for (size_t r = 0; r < releases.size(); ++r) {
    if (columns[r][column]) numeric &= releases[r]->column(*columns[r][column]).is_numeric();
  }
  std::unordered_map<std::string, uint32_t> numbers = {{"", kMissing}};
  texts_[column].emplace_back();
  for (size_t r = 0; r < releases.size(); ++r) {
    if (!columns[r][column]) continue;
    const Column& values = releases[r]->column(*columns[r][column]);
    for (Code code = 0; code < values.num_codes(); ++code) {
      const auto [found, is_new] =
          numbers.emplace(ValueKey(values, code, numeric, exact_values_), static_cast<uint32_t>(texts_[column].size()));
      if (is_new) texts_[column].emplace_back(values.text(code));
      releases_[r].value_of_code[column].push_back(found->second);
    }
  }
}

std::optional<uint32_t> Candidates::value(uint32_t release, RowId row, size_t column) const {
  const Codes* codes = releases_[release].codes[column];
  if (codes == nullptr) return std::nullopt;
  return releases_[release].value_of_code[column][(*codes)[row]];
}

void Candidates::CountCombinations(const Classes& classes, Release& release) const {
  const auto number = static_cast<uint32_t>(&release - releases_.data());
  release.begin.push_back(0);
  std::vector<std::vector<uint32_t>> rows;
  for (size_t index = 0; index < classes.count(); ++index) {
    rows.clear();
    for (const RowId row : classes.members(index)) {
      rows.emplace_back();
      for (size_t s = 0; s < num_columns(); ++s) rows.back().push_back(value(number, row, s).value_or(kNoColumn));
    }
    std::sort(rows.begin(), rows.end());
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i > 0 && rows[i] == rows[i - 1]) {
        ++release.counts.back();
        continue;
      }
      release.combinations.insert(release.combinations.end(), rows[i].begin(), rows[i].end());
      release.counts.push_back(1);
    }
    release.begin.push_back(static_cast<uint32_t>(release.counts.size()));
  }
}

std::vector<uint32_t> Candidates::Values(const ClassId& id, size_t column, std::span<const char> possible) const {
  const Release& release = releases_[id.release];
  std::vector<uint32_t> values;
  for (uint32_t c = release.begin[id.index]; c < release.begin[id.index + 1]; ++c) {
    if (possible[c - release.begin[id.index]]) values.push_back(release.combinations[c * num_columns() + column]);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

Candidates::Left Candidates::Intersect(std::span<const ClassId> classes) const {
  Left left;
  left.missing_counts = missing_counts_;
  left.values.resize(num_columns());
  std::vector<std::vector<char>> possible;
  for (const ClassId& id : classes) {
    const Release& release = releases_[id.release];
    possible.emplace_back(release.begin[id.index + 1] - release.begin[id.index], char{1});
  }
  // Ruling out a value rules out rows, and these may have been the last ones with some other value: until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t s = 0; s < num_columns(); ++s) {
      bool first = true;
      std::vector<uint32_t> common, both;
      for (size_t i = 0; i < classes.size(); ++i) {
        if (releases_[classes[i].release].codes[s] == nullptr) continue;
        std::vector<uint32_t> values = Values(classes[i], s, possible[i]);
        if (first) {
          common = std::move(values);
        } else {
          both.clear();
          std::set_intersection(common.begin(), common.end(), values.begin(), values.end(), std::back_inserter(both));
          common.swap(both);
        }
        first = false;
      }
      for (size_t i = 0; i < classes.size(); ++i) {
        const Release& release = releases_[classes[i].release];
        if (release.codes[s] == nullptr) continue;
        for (size_t c = 0; c < possible[i].size(); ++c) {
          const uint32_t value = release.combinations[(release.begin[classes[i].index] + c) * num_columns() + s];
          if (!possible[i][c] || std::binary_search(common.begin(), common.end(), value)) continue;
          possible[i][c] = 0;
          changed = num_columns() > 1;
        }
      }
      left.values[s] = std::move(common);
    }
  }
  for (size_t i = 0; i < classes.size(); ++i) {
    const Release& release = releases_[classes[i].release];
    left.rows.push_back(0);
    for (size_t c = 0; c < possible[i].size(); ++c) {
      if (possible[i][c]) left.rows.back() += release.counts[release.begin[classes[i].index] + c];
    }
  }
  left.possible = std::move(possible);
  return left;
}

std::pair<uint64_t, uint64_t> Candidates::IntersectPair(const ClassId& a, const ClassId& b) const {
  const Release& left = releases_[a.release];
  const Release& right = releases_[b.release];
  if (num_columns() != 1 || left.codes[0] == nullptr || right.codes[0] == nullptr) {
    const Left both = Intersect(std::vector{a, b});
    return both.k() == 0 ? std::pair<uint64_t, uint64_t>{0, 0} : std::pair{both.k(), both.l()};
  }
  uint64_t left_rows = 0, right_rows = 0, values = 0;
  uint32_t i = left.begin[a.index], j = right.begin[b.index];
  while (i < left.begin[a.index + 1] &&
         j < right.begin[b.index + 1]) {  // one column: combinations are values, ascending
    const uint32_t x = left.combinations[i], y = right.combinations[j];
    if (x == y) {
      left_rows += left.counts[i];
      right_rows += right.counts[j];
      values += missing_counts_ || x != kMissing ? 1 : 0;
    }
    if (x <= y) ++i;
    if (y <= x) ++j;
  }
  return {std::min(left_rows, right_rows), values};
}

}  // namespace tada
