#include "run/inspect/quasi_risk.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "run/inspect/inspect.h"

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

  ClassCounts(size_t rows, const Order& order, const auto& key_of) {
    slots_.resize(std::bit_ceil(std::max<size_t>(16, rows + rows / 2)));
    mask_ = slots_.size() - 1;
    if (order.people == nullptr) {
      for (size_t row = 0; row < rows; ++row) Add(key_of(row), static_cast<uint32_t>(row));
    } else {
      for (const RowId row : order.rows) Add(key_of(row), order.people->of_row[row]);
    }
  }
  const std::vector<Slot>& slots() const { return slots_; }

  /// Members who are alone in a class; a person in several counts once.
  uint64_t Unique(const Order& order) const {
    if (order.people == nullptr)
      return static_cast<uint64_t>(std::ranges::count_if(slots_, [](const Slot& slot) { return slot.members == 1; }));
    std::vector<bool> alone(order.people->count, false);
    for (const Slot& slot : slots_) {
      if (slot.members == 1) alone[slot.last] = true;
    }
    return static_cast<uint64_t>(std::ranges::count(alone, true));
  }

 private:
  void Add(uint64_t key, uint32_t member) {
    size_t at = Mix(key) & mask_;
    while (slots_[at].members != 0 && slots_[at].key != key) at = (at + 1) & mask_;
    Slot& slot = slots_[at];
    if (slot.members != 0 && slot.last == member) return;
    slot.key = key;
    ++slot.members;
    slot.last = member;
  }
  std::vector<Slot> slots_;
  size_t mask_ = 0;
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

void Summarize(const ClassCounts& counts, uint64_t k, QuasiRisk& risk) {
  risk.sizes = EmptyBins(k);
  for (const ClassCounts::Slot& slot : counts.slots()) {
    if (slot.members == 0) continue;
    ++risk.classes;
    if (slot.members < k) risk.below_k += slot.members;
    const auto bin =
        std::find_if(risk.sizes.rbegin(), risk.sizes.rend(), [&](const auto& b) { return b.from <= slot.members; });
    bin->members += slot.members;
  }
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
  risk.members = order.people != nullptr ? order.people->count : rows;
  {
    const ClassCounts counts(rows, order, [&](size_t row) { return sums[row]; });
    risk.unique = counts.Unique(order);
    Summarize(counts, k, risk);
  }
  if (!changes) return risk;
  risk.unique_if_changed.resize(table.num_columns());
  workers.For(table.num_columns(), [&](size_t index) {
    workers.Poll();
    const auto id = static_cast<ColumnId>(index);
    Keys numbers = NumbersOf(table.column(id), id);
    if (std::ranges::find(quasi, id) != quasi.end()) {
      for (uint64_t& number : numbers) number = -number;
    }
    table.column(id).codes().Visit([&](auto codes) {
      const ClassCounts counts(rows, order, [&](size_t row) { return sums[row] + numbers[codes[row]]; });
      risk.unique_if_changed[index] = counts.Unique(order);
    });
  });
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
