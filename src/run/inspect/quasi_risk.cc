#include "run/inspect/quasi_risk.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "run/inspect/inspect.h"
#include "run/inspect/keys_alone.h"

namespace tada {
namespace {

using Keys = std::vector<uint64_t>;

uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The random number of every code of a column; spellings of one value share it.
Keys NumbersOf(const Column& column, ColumnId id) {
  Keys numbers(column.num_codes());
  const uint64_t seed = Mix(0x9e3779b97f4a7c15u * (uint64_t{id} + 1));
  for (Code code = 0; code < column.num_codes(); ++code) {
    numbers[code] = Mix(seed + 0x9e3779b97f4a7c15u * (uint64_t{column.value_id(code)} + 1));
  }
  return numbers;
}

/// Rows in the order in which they are counted, and who they are: those of a person stand together.
struct Order {
  std::vector<RowId> rows;  // empty: as they are, each a person
  const PeopleOfRows* people = nullptr;

  explicit Order(const PeopleOfRows* of) {
    if (of == nullptr || !of->repeated()) return;
    people = of;
    std::vector<uint32_t> begin(of->count + 1, 0);
    for (const uint32_t person : of->of_row) ++begin[person + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    rows.resize(of->of_row.size());
    for (size_t row = 0; row < of->of_row.size(); ++row) rows[begin[of->of_row[row]]++] = static_cast<RowId>(row);
  }
};

/// Members of classes by their sums: an open hash table.
class ClassCounts {
 public:
  struct Slot {
    uint64_t key = 0;
    uint32_t members = 0, last = 0;
  };

  explicit ClassCounts(size_t rows) : slots_(std::bit_ceil(std::max<size_t>(16, rows + rows / 2))) {}
  const std::vector<Slot>& slots() const { return slots_; }
  const Slot& operator[](uint64_t key) const { return slots_[Find(key)]; }

  /// A member whose rows come one after another counts once.
  void Add(uint64_t key, uint32_t member) {
    Slot& slot = slots_[Find(key)];
    if (slot.members != 0 && slot.last == member) return;
    slot.key = key;
    ++slot.members;
    slot.last = member;
  }

 private:
  size_t Find(uint64_t key) const {
    const size_t mask = slots_.size() - 1;
    size_t at = Mix(key) & mask;
    while (slots_[at].members != 0 && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  std::vector<Slot> slots_;
};

std::vector<QuasiRisk::SizeBin> EmptyBins(uint64_t k) {
  std::vector<uint64_t> from = {1, 2, 5, 10, 50};
  if (k > 1) from.push_back(k);
  std::ranges::sort(from);
  from.erase(std::unique(from.begin(), from.end()), from.end());
  std::vector<QuasiRisk::SizeBin> bins;
  for (size_t i = 0; i < from.size(); ++i) bins.push_back({from[i], i + 1 < from.size() ? from[i + 1] - 1 : 0, 0});
  return bins;
}

/// Adds these classes to the ones that are counted.
void Summarize(const ClassCounts& counts, uint64_t k, QuasiRisk& risk) {
  for (const ClassCounts::Slot& slot : counts.slots()) {
    if (slot.members == 0) continue;
    ++risk.classes;
    if (slot.members < k) risk.below_k += slot.members;
    const auto bin =
        std::find_if(risk.sizes.rbegin(), risk.sizes.rend(), [&](const auto& b) { return b.from <= slot.members; });
    bin->members += slot.members;
  }
}

/// Where people have several rows: all rows of a person are counted one after another.
class PeopleCounter {
 public:
  PeopleCounter(const Order& order, const Keys& sums) : order_(order), sums_(sums) {}

  void Measure(uint64_t k, QuasiRisk& risk) const {
    const ClassCounts counts = Count([&](size_t row) { return sums_[row]; });
    risk.unique = Unique(counts);
    Summarize(counts, k, risk);
  }
  /// Members who are alone in a class once every row's sum has its number added.
  uint64_t UniqueWith(const auto& number_of, bool /*removed*/) const {
    return Unique(Count([&](size_t row) { return sums_[row] + number_of(row); }));
  }

 private:
  ClassCounts Count(const auto& key_of) const {
    ClassCounts counts(order_.rows.size());
    for (const RowId row : order_.rows) counts.Add(key_of(row), order_.people->of_row[row]);
    return counts;
  }
  /// A person who is alone in several classes counts once.
  uint64_t Unique(const ClassCounts& counts) const {
    std::vector<bool> alone(order_.people->count, false);
    for (const ClassCounts::Slot& slot : counts.slots()) {
      if (slot.members == 1) alone[slot.last] = true;
    }
    return static_cast<uint64_t>(std::ranges::count(alone, true));
  }

  const Order& order_;
  const Keys& sums_;
};

/// Where every row is a person. Once classes are known, a column is taken out by one row of each class, since the others go with it;
/// and put in by the rows that are not alone, since the others stay so.
class RowCounter {
 public:
  explicit RowCounter(const Keys& sums) : sums_(sums) {}

  void Measure(uint64_t k, QuasiRisk& risk) {
    const KeyParts<KeyedRow> parts(sums_.size(),
                                   [&](size_t row) { return KeyedRow{sums_[row], static_cast<RowId>(row)}; });
    standing_.resize(sums_.size());
    for (size_t part = 0; part < parts.size(); ++part) {
      ClassCounts counts(parts[part].size());
      for (const KeyedRow& keyed : parts[part]) counts.Add(keyed.key, keyed.row);
      for (const KeyedRow& keyed : parts[part]) {
        const ClassCounts::Slot& slot = counts[keyed.key];
        standing_[keyed.row] =
            static_cast<uint8_t>((slot.last == keyed.row ? kOneOfClass : 0) | (slot.members == 1 ? kAlone : 0));
      }
      Summarize(counts, k, risk);
    }
    for (size_t row = 0; row < sums_.size(); ++row) {
      if ((standing_[row] & kOneOfClass) != 0) one_of_class_.push_back({sums_[row], static_cast<RowId>(row)});
      if ((standing_[row] & kAlone) == 0) crowded_.push_back({sums_[row], static_cast<RowId>(row)});
    }
    alone_ = risk.unique = sums_.size() - crowded_.size();
  }
  uint64_t UniqueWith(const auto& number_of, bool removed) const {
    const std::vector<KeyedRow>& counted = removed ? one_of_class_ : crowded_;
    const KeyParts<uint64_t> keys(counted.size(), [&](size_t i) {
      const auto [key, row] = counted[i];
      return MarkedKey(key + number_of(row), removed && (standing_[row] & kAlone) == 0);
    });
    return (removed ? 0 : alone_) + CountAlone(keys);
  }

 private:
  static constexpr uint8_t kOneOfClass = 1, kAlone = 2;
  const Keys& sums_;
  std::vector<uint8_t> standing_;  // by row
  std::vector<KeyedRow> one_of_class_, crowded_;
  uint64_t alone_ = 0;
};

/// How many are unique once a column is taken out, or put in.
void MeasureChanges(const Table& table, const std::vector<ColumnId>& quasi, const auto& counter, const Workers& workers,
                    QuasiRisk& risk) {
  risk.unique_if_changed.resize(table.num_columns());
  workers.For(table.num_columns(), [&](size_t index) {
    workers.Poll();
    const auto id = static_cast<ColumnId>(index);
    const bool removed = std::ranges::find(quasi, id) != quasi.end();
    Keys numbers = NumbersOf(table.column(id), id);
    if (removed) {
      for (uint64_t& number : numbers) number = -number;
    }
    table.column(id).codes().Visit([&](auto codes) {
      risk.unique_if_changed[index] = counter.UniqueWith([&](size_t row) { return numbers[codes[row]]; }, removed);
    });
  });
}

}  // namespace

QuasiRisk MeasureQuasiRisk(const Table& table, const std::vector<ColumnId>& quasi, const PeopleOfRows* people,
                           uint64_t k, bool changes, const Workers& workers) {
  const size_t rows = table.num_rows();
  const Order order(people);
  Keys sums(rows, 0);
  for (const ColumnId id : quasi) {
    const Keys numbers = NumbersOf(table.column(id), id);
    table.column(id).codes().Visit([&](auto codes) {
      for (size_t row = 0; row < rows; ++row) sums[row] += numbers[codes[row]];
    });
    workers.Poll();
  }
  QuasiRisk risk;
  risk.sizes = EmptyBins(k);
  risk.members = order.people != nullptr ? order.people->count : rows;
  const auto measure = [&](auto counter) {
    counter.Measure(k, risk);
    if (changes) MeasureChanges(table, quasi, counter, workers, risk);
  };
  if (order.people != nullptr)
    measure(PeopleCounter(order, sums));
  else
    measure(RowCounter(sums));
  return risk;
}

void AddColumnEffects(const Table& table, const Workers& workers, Profile& profile) {
  std::vector<ColumnId> quasi, person;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    if (profile.columns[id].role == ColumnRole::kQuasi) quasi.push_back(id);
    if (profile.columns[id].role == ColumnRole::kPerson) person.push_back(id);
  }
  PeopleOfRows people;
  if (!person.empty()) people = FindPeople(table, person);
  const QuasiRisk risk = MeasureQuasiRisk(table, quasi, person.empty() ? nullptr : &people, 1, true, workers);
  profile.unique_members = risk.unique;
  for (ColumnId id = 0; id < table.num_columns(); ++id)
    profile.columns[id].unique_if_changed = risk.unique_if_changed[id];
}

std::vector<uint64_t> ColumnShape(const Column& column, size_t bins) {
  std::vector<uint64_t> counts(column.num_codes());
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) ++counts[code];
  });
  const Code first = column.num_missing();
  if (first >= column.num_codes()) return {};
  if (!column.is_numeric()) {
    counts.erase(counts.begin(), counts.begin() + first);
    std::ranges::sort(counts, std::greater<>());
    counts.resize(std::min(bins, counts.size()));
    return counts;
  }
  const double low = column.number(first), span = column.number(column.num_codes() - 1) - low;
  const size_t used = std::min<size_t>(bins, std::max<Code>(1, column.num_values()));
  std::vector<uint64_t> shape(used, 0);
  for (Code code = first; code < column.num_codes(); ++code) {
    const double share = span > 0 ? (column.number(code) - low) / span : 0;
    shape[std::min(used - 1, static_cast<size_t>(share * static_cast<double>(used)))] += counts[code];
  }
  return shape;
}

}  // namespace tada
