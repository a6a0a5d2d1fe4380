#include "guard/hipaa.h"

#include <fmt/format.h>

#include <algorithm>

#include "guard/name_parts.h"

namespace tada {
namespace {

constexpr double kOldest = 89;  // years, that may be told

// Ages over 89 are of class C: they tell the year of birth of few people.
void AddOldAges(const Column& column, std::vector<HipaaColumn>& found) {
  if (!column.is_numeric() || column.is_date() || !NamesAge(column.name())) return;
  uint64_t old = 0;
  for (Code code = column.num_missing(); code < column.num_codes(); ++code)
    old += column.number(code) > kOldest ? 1 : 0;
  if (old == 0) return;
  found.push_back({Identity::kDate, column.name(),
                   fmt::format("{} different ages over 89: to be one cell, 90 and more", old), 0.9});
}

// What the first three digits of ZIP codes allow.
std::string ZipEvidence(const Column& column) {
  uint64_t restricted = 0, finer = 0;
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    restricted += IsRestrictedZip3(column.text(code)) ? 1 : 0;
    finer += column.text(code).size() > 3 ? 1 : 0;
  }
  return fmt::format("ZIP codes, {} of them with more than three digits, {} in areas that are to be written 000", finer,
                     restricted);
}

}  // namespace

bool IsRestrictedZip3(std::string_view zip) {
  constexpr std::string_view kRestricted[] = {"036", "059", "063", "102", "203", "556", "692", "790", "821",
                                              "823", "830", "831", "878", "879", "884", "890", "893"};
  if (zip.size() < 3) return false;
  return std::ranges::find(kRestricted, zip.substr(0, 3)) != std::end(kRestricted);
}

bool NamesAge(std::string_view column) {
  const auto parts = NameParts(column);
  for (const std::string_view word :
       {"age", "ages", "alter", "edad", "eta", "idade", "leeftijd", "wiek", "alder", "agew", "ageh", "iage"}) {
    if (std::ranges::find(parts, word) != parts.end()) return true;
  }
  return false;
}

bool NamesZip(std::string_view column) {
  const auto parts = NameParts(column);
  for (const std::string_view word : {"zip", "zipcode", "postcode", "postal", "plz", "postleitzahl", "zip3", "zip5"}) {
    if (NameHas(parts, word)) return true;
  }
  return false;
}

std::vector<HipaaColumn> FindHipaa(const Table& table) {
  std::vector<HipaaColumn> found;
  for (const Column& column : table.columns()) {
    AddOldAges(column, found);
    const auto finding = FindIdentity(column);
    if (NamesZip(column.name()) && column.num_codes() > column.num_missing()) {
      found.push_back({Identity::kPlace, column.name(), ZipEvidence(column), 0.9});
    } else if (finding) {
      found.push_back({finding->identity, column.name(), finding->evidence, finding->confidence});
    }
  }
  std::ranges::stable_sort(found, {}, [](const HipaaColumn& column) { return static_cast<int>(column.identity); });
  return found;
}

}  // namespace tada
