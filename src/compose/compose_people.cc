#include <algorithm>
#include <bit>
#include <set>
#include <unordered_map>

#include "base/option_mark.h"
#include "compose/composer.h"

namespace tada {
namespace {

// The classes of a person in some releases, as a key of a hash table.
std::string ClassKey(const std::vector<uint32_t>& class_of, uint32_t releases) {
  std::string key;
  for (size_t r = 0; r < class_of.size(); ++r) {
    if (releases >> r & 1) key.append(reinterpret_cast<const char*>(&class_of[r]), sizeof(uint32_t));
  }
  return key;
}

}  // namespace

Status Composer::FindPeople() {
  std::unordered_map<std::string_view, uint32_t> number;
  uint64_t nameless = 0;
  for (size_t r = 0; r < releases_.size(); ++r) {
    const Column& keys = table(r).column(table(r).Find(options_.key).value());
    const std::vector<uint32_t> class_of_row = classes_[r].OfRows();
    for (RowId row = 0; row < table(r).num_rows(); ++row) {
      const std::string_view key = keys.text(keys.codes()[row]);
      if (std::find(options_.missing.begin(), options_.missing.end(), key) != options_.missing.end()) {
        ++nameless;
        continue;
      }
      const auto [found, is_new] = number.emplace(key, static_cast<uint32_t>(people_.size()));
      if (is_new)
        people_.push_back({key, 0, std::vector<uint32_t>(releases_.size()), std::vector<RowId>(releases_.size())});
      Person& person = people_[found->second];
      if (person.releases >> r &
          1) {  // several rows of a person: of one class, or they are no person that a release keeps together
        if (person.class_of[r] != class_of_row[row]) {
          return DataError("A key stands in two classes of a release: {}={}, {}, rows {} and {}", options_.key, key,
                           releases_[r].name, person.row_of[r] + 1, row + 1)
              .WithHint(
                  "Name a column that tells people apart, in releases that keep the rows of a person together "
                  "(" TADA_OPTION("person") ").");
        }
        more_rows_[{r, found->second}].push_back(row);
        continue;
      }
      person.releases |= 1u << r;
      person.class_of[r] = class_of_row[row];
      person.row_of[r] = row;
    }
  }
  if (nameless > 0) result_.notes.push_back(fmt::format("{} rows have no key and were left out.", nameless));
  return Ok();
}

// Whether a person has the same values of each sensitive column in all releases. Who has not misleads an attacker who thinks so.
bool Composer::SameValues(const Person& person) const {
  for (size_t s = 0; s < candidates_->num_columns(); ++s) {
    std::optional<std::set<uint32_t>> first;
    for (uint32_t r = 0; r < releases_.size(); ++r) {
      if ((person.releases >> r & 1) == 0) continue;
      std::set<uint32_t> values;
      const auto add = [&](RowId row) {
        if (const auto value = candidates_->value(r, row, s)) values.insert(*value);
      };
      add(person.row_of[r]);
      const auto more = more_rows_.find({r, static_cast<uint32_t>(&person - people_.data())});
      if (more != more_rows_.end()) std::ranges::for_each(more->second, add);
      if (values.empty()) continue;
      if (first && *first != values) return false;
      first = std::move(values);
    }
  }
  return true;
}

Status Composer::JudgePeople() {
  std::map<uint32_t, std::vector<const Person*>> by_releases;
  for (const Person& person : people_) {
    if (std::popcount(person.releases) >= 2) by_releases[person.releases].push_back(&person);
  }
  for (const auto& [bits, people] : by_releases) {
    workers_.Poll();
    std::unordered_map<std::string, uint64_t> together;  // people in these classes, others in further releases too
    for (const Person& person : people_) {
      if ((person.releases & bits) == bits) ++together[ClassKey(person.class_of, bits)];
    }
    std::unordered_map<std::string, size_t> region_of;
    std::vector<Region> regions;
    for (const Person* person : people) {
      ++result_.people;
      if (!SameValues(*person)) {
        ++result_.people_changed;
        continue;
      }
      const std::string key = ClassKey(person->class_of, bits);
      const auto [found, is_new] = region_of.emplace(key, regions.size());
      if (is_new) regions.push_back(RegionOf(*person, together[key]));
      ++regions[found->second].people;
    }
    for (Region& region : regions) TADA_CHECK_OK(Judge(std::move(region)));
  }
  return Ok();
}

Composer::Region Composer::RegionOf(const Person& person, uint64_t together) const {
  Region region;
  region.person = person.key;
  for (uint32_t r = 0; r < releases_.size(); ++r) {
    if (person.releases >> r & 1) region.classes.push_back({r, person.class_of[r]});
  }
  const Candidates::Left left = candidates_->Intersect(region.classes);
  region.k = std::min(left.k(), together);
  region.l = left.l();
  return region;
}

}  // namespace tada
