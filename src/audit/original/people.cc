#include "audit/original/people.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "audit/checks/diversity.h"
#include "audit/checks/folding.h"

namespace tada {
namespace {

// Numbers people, one column after the other: rows keep one number as long as they are equal. Rows that have no name at all
// are numbered behind the others, each by itself.
std::vector<uint32_t> NumberPeople(const Table& table, std::span<const ColumnId> person, uint32_t& count) {
  const size_t rows = table.num_rows();
  std::vector<uint32_t> numbers(rows, 0);
  std::vector<bool> nameless(rows, true);
  count = 1;
  for (const ColumnId id : person) {
    const Column& column = table.column(id);
    std::vector<uint64_t> pairs(rows);
    column.codes().Visit([&](auto codes) {
      for (size_t row = 0; row < rows; ++row) {
        pairs[row] = uint64_t{numbers[row]} * column.num_codes() + codes[row];
        if (!column.is_missing(codes[row])) nameless[row] = false;
      }
    });
    if (count == 1) {  // the codes are numbers already
      for (size_t row = 0; row < rows; ++row) numbers[row] = static_cast<uint32_t>(pairs[row]);
      count = column.num_codes();
      continue;
    }
    std::vector<uint64_t> different = pairs;
    std::sort(different.begin(), different.end());
    different.erase(std::unique(different.begin(), different.end()), different.end());
    for (size_t row = 0; row < rows; ++row) {
      numbers[row] = static_cast<uint32_t>(std::ranges::lower_bound(different, pairs[row]) - different.begin());
    }
    count = static_cast<uint32_t>(different.size());
  }
  for (size_t row = 0; row < rows; ++row) {
    if (nameless[row]) numbers[row] = count++;
  }
  return numbers;
}

// The most different people who can be given different values, by augmenting paths (Kuhn 1955).
class Matching {
 public:
  explicit Matching(const std::vector<std::pair<Code, uint32_t>>& pairs) {
    for (const auto& [value, person] : pairs) people_of_[value].push_back(person);
  }
  uint64_t Size() {
    uint64_t size = 0;
    for (const auto& [value, people] : people_of_) {
      seen_.clear();
      if (Place(value)) ++size;
    }
    return size;
  }

 private:
  bool Place(Code value) {
    for (const uint32_t person : people_of_[value]) {
      if (!seen_.insert(person).second) continue;
      const auto has = value_of_.find(person);
      if (has == value_of_.end() || Place(has->second)) {
        value_of_[person] = value;
        return true;
      }
    }
    return false;
  }

  std::map<Code, std::vector<uint32_t>> people_of_;
  std::map<uint32_t, Code> value_of_;
  std::set<uint32_t> seen_;
};

// Over different pairs of a value and a person of one class, ascending.
uint64_t ReachedByPeople(const std::vector<std::pair<Code, uint32_t>>& pairs, uint64_t people,
                         const Requirement& requirement) {
  if (requirement.persons == Persons::kApart) return Matching(pairs).Size();
  std::vector<uint32_t> counts;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].first != pairs[i - 1].first) counts.push_back(0);
    ++counts.back();
  }
  std::sort(counts.begin(), counts.end(), std::greater<>());
  // A value that everybody has is known of everybody, however many others there are.
  if (requirement.diversity == Diversity::kDistinct && counts.front() == people) return 1;
  return ReachedDiversity(counts, requirement);
}

}  // namespace

PeopleOfClasses::PeopleOfClasses(const Table& original, std::span<const ColumnId> person,
                                 const ClassOfOriginal& classes_of, size_t num_classes,
                                 std::optional<ColumnId> controllers)
    : people_(num_classes, 0) {
  uint32_t num_people = 0;
  person_of_ = NumberPeople(original, person, num_people);
  std::vector<uint32_t> of_row = classes_of.of_row;
  std::ranges::replace(of_row, ClassOfOriginal::kNone, static_cast<uint32_t>(num_classes));  // behind the others
  std::tie(rows_, offsets_) = SortByNumber(of_row, num_classes + 1);
  std::vector<uint32_t> classes_of_person(num_people, 0);
  std::vector<uint32_t> members;
  for (size_t index = 0; index < num_classes; ++index) {
    members.clear();
    for (uint32_t at = offsets_[index]; at < offsets_[index + 1]; ++at) members.push_back(person_of_[rows_[at]]);
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    people_[index] = members.size();
    for (const uint32_t member : members) ++classes_of_person[member];
  }
  num_apart_ = static_cast<uint64_t>(std::ranges::count_if(classes_of_person, [](uint32_t n) { return n > 1; }));
  total_ = static_cast<uint64_t>(std::ranges::count_if(classes_of_person, [](uint32_t n) { return n > 0; }));
  if (num_apart_ > 0 && controllers) CountApartOf(original.column(*controllers), classes_of);
}

void PeopleOfClasses::CountApartOf(const Column& controllers, const ClassOfOriginal& classes_of) {
  std::vector<std::tuple<uint32_t, Code, uint32_t>> places;  // person, controller, class
  for (RowId row = 0; row < person_of_.size(); ++row) {
    if (classes_of.of_row[row] != ClassOfOriginal::kNone)
      places.emplace_back(person_of_[row], controllers.codes()[row], classes_of.of_row[row]);
  }
  std::ranges::sort(places);
  num_apart_ = 0;
  uint32_t last = UINT32_MAX;  // nobody
  for (size_t i = 1; i < places.size(); ++i) {
    const auto& [person, controller, at] = places[i];
    const auto& [person_before, controller_before, before] = places[i - 1];
    if (person == last || person != person_before || controller != controller_before || at == before) continue;
    last = person;
    ++num_apart_;
  }
}

PeopleOfClasses::Values PeopleOfClasses::ValuesOf(const Column& original, const FoldedColumn& folded,
                                                  std::span<const RowId> rows) const {
  if (rows.empty()) rows = std::span(rows_).first(offsets_[people_.size()]);
  Values found;
  std::vector<uint32_t> people;
  for (const RowId row : rows) {
    found.values.emplace_back(folded.value_of_code[original.codes()[row]], person_of_[row]);
    people.push_back(person_of_[row]);
  }
  const auto keep_different = [](auto& items) {
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
  };
  keep_different(found.values);
  keep_different(people);
  found.people = people.size();
  return found;
}

std::vector<std::pair<Code, uint32_t>> PeopleOfClasses::ValuesOf(const Column& original, const FoldedColumn& folded,
                                                                 size_t index) const {
  if (offsets_[index] == offsets_[index + 1]) return {};
  return ValuesOf(original, folded, std::span(rows_).subspan(offsets_[index], offsets_[index + 1] - offsets_[index]))
      .values;
}

std::vector<uint64_t> PeopleOfClasses::ReachedL(const Column& original, const Requirement& requirement) const {
  const FoldedColumn folded = FoldColumn(original, requirement);
  std::vector<uint64_t> reached;
  for (size_t index = 0; index < people_.size(); ++index) {
    auto pairs = ValuesOf(original, folded, index);
    std::erase_if(pairs, [&](const auto& pair) { return !folded.Counts(pair.first); });
    reached.push_back(pairs.empty() ? 0 : ReachedByPeople(pairs, people_[index], requirement));
  }
  return reached;
}

ClassValues ValuesOfPeople(const AuditOptions& options, ColumnId id, const PeopleOfClasses& people,
                           size_t num_classes) {
  const Column& column = options.original->column(*options.original_column[id]);
  ClassValues made(column, options.requirement);
  std::vector<Code> values;
  for (size_t index = 0; index < num_classes; ++index) {
    values.clear();
    for (const auto& [value, person] : people.ValuesOf(column, made.folded(), index)) values.push_back(value);
    made.Add(values, people.count(index));
  }
  // Of a person who stands in several classes, each value counts once.
  const auto all = people.ValuesOf(column, made.folded(), options.reference_order);
  ReferenceShares reference{std::vector<uint64_t>(made.folded().count, 0), all.people, all.values.size()};
  for (const auto& [value, person] : all.values) ++reference.counts[value];
  made.Compare(std::move(reference));
  return made;
}

uint64_t MostRowsOfAPerson(const Table& original, std::span<const ColumnId> person) {
  uint32_t num_people = 0;
  const std::vector<uint32_t> person_of = NumberPeople(original, person, num_people);
  std::vector<uint64_t> rows(num_people, 0);
  for (const uint32_t number : person_of) ++rows[number];
  return rows.empty() ? 0 : *std::ranges::max_element(rows);
}

}  // namespace tada
