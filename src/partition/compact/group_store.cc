#include "partition/compact/group_store.h"

#include <algorithm>
#include <bit>

#include "base/fault.h"

namespace tada {
namespace {

constexpr Code kMaskedValues = 64;

}  // namespace

GroupStore::GroupStore(const SearchRows& source, const Checker& checker)
    : source_(source), checker_(checker), tally_(checker.EmptyTally()) {
  for (const Code values : shape().name_values) has_large_sets_ |= values > kMaskedValues;
  counted_sensitive_ = checker.distinct_l() > 0 ? num_sensitive() : 0;
  LayOutMarks();
}

void GroupStore::LayOutMarks() {
  uint32_t used = kMaskedValues;  // bits of the last word
  const auto add = [&](uint32_t column, uint64_t bits) {
    const auto width = static_cast<uint32_t>(std::bit_width(bits));
    if (used + width > kMaskedValues || num_words_ == 0) {
      ++num_words_, used = 0;
      first_in_word_.push_back(static_cast<uint32_t>(marked_.size()));
    }
    marked_.push_back({column, num_words_ - 1, used, width == 0 ? 0 : bits << used});
    used += width;
  };
  for (uint32_t j = 0; j < shape().num_names; ++j) {
    const Code values = shape().name_values[j];
    add(j, values > kMaskedValues ? 0 : ~uint64_t{0} >> (kMaskedValues - values));
  }
  for (uint32_t s = 0; s < counted_sensitive_; ++s) add(s, checker_.sensitive()[s].counted_bits());
  first_in_word_.push_back(static_cast<uint32_t>(marked_.size()));
}

void GroupStore::LoadMarks() {
  marks_.assign(size_t{num_rows()} * num_words_, 0);
  for (uint32_t m = 0; m < marked_.size(); ++m) {
    const MarkedColumn& marked = marked_[m];
    if (marked.mask == 0) continue;
    for (uint32_t row = 0; row < num_rows(); ++row) {
      const Code value = (m < shape().num_names ? NamesOf(row) : SensitiveOf(row))[marked.column];
      marks_[size_t{row} * num_words_ + marked.word] |= uint64_t{1} << value << marked.shift & marked.mask;
    }
  }
}

void GroupStore::SetCount(uint32_t slot, size_t marked, uint32_t count) {
  CountOf(slot, marked) = count;
  if (marked >= shape().num_names) return;
  const double step = shape().name_steps[marked], values = count;
  name_spans_[size_t{slot} * shape().num_names + marked] = {{(values - 2) * step, (values - 1) * step, values * step}};
}

void GroupStore::Load(std::span<const uint32_t> rows) {
  const uint32_t num_numbers = shape().num_numbers, num_names = shape().num_names;
  numbers_.resize(rows.size() * num_numbers);
  names_.resize(rows.size() * num_names);
  sensitive_.resize(rows.size() * source_.num_sensitive);
  for (size_t i = 0; i < rows.size(); ++i) {
    const uint32_t tuple = source_.tuple_of[rows[i]];
    std::copy_n(shape().NumbersOf(tuple), num_numbers, numbers_.begin() + static_cast<ptrdiff_t>(i * num_numbers));
    std::copy_n(shape().NamesOf(tuple), num_names, names_.begin() + static_cast<ptrdiff_t>(i * num_names));
    std::copy_n(source_.sensitive.begin() + static_cast<ptrdiff_t>(size_t{rows[i]} * source_.num_sensitive),
                source_.num_sensitive, sensitive_.begin() + static_cast<ptrdiff_t>(i * source_.num_sensitive));
  }
  LoadLabels(rows);
  slot_of_.assign(rows.size(), kNoSlot);
  gains_.assign(rows.size(), 0);
  LoadMarks();
  slots_.clear();
  free_.clear();
}

void GroupStore::LoadLabels(std::span<const uint32_t> rows) {
  const uint32_t count = source_.labels.num_labels;
  labels_.num_labels = count;
  labels_.num_places = source_.labels.num_places;
  labels_.places.resize(rows.size() * count);
  labels_.values.resize(rows.size() * count);
  for (size_t i = 0; i < rows.size() * count; ++i) {
    const size_t from = size_t{rows[i / count]} * count + i % count;
    labels_.places[i] = source_.labels.places[from];
    labels_.values[i] = source_.labels.values[from];
  }
}

uint32_t GroupStore::Make(std::vector<uint32_t> rows) {
  uint32_t slot;
  if (free_.empty()) {
    slot = num_slots();
    slots_.emplace_back();
    extents_.resize(slots_.size() * shape().num_numbers);
    unions_.resize(slots_.size() * 2 * num_words_);
    counts_.resize(slots_.size() * marked_.size());
    name_spans_.resize(slots_.size() * shape().num_names);
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  slots_[slot].rows = std::move(rows);
  Claim(slot);
  return slot;
}

void GroupStore::Free(uint32_t slot) {
  slots_[slot].rows.clear();
  free_.push_back(slot);
}

void GroupStore::Claim(uint32_t slot) {
  for (const uint32_t row : slots_[slot].rows) {
    slot_of_[row] = slot;
    gains_[row] = 0;
  }
  Refresh(slot);
}

void GroupStore::Reclaim(uint32_t slot, const double* gains) {
  for (const uint32_t row : slots_[slot].rows) {
    slot_of_[row] = slot;
    gains_[row] = *gains++;
  }
}

// Scans the group: for the rare column with so many values that no word holds them.
double GroupStore::LargeSetSpan(uint32_t slot, uint32_t column, uint32_t drop, uint32_t add) const {
  uint32_t count = CountOf(slot, column);
  const auto others_hold = [&](Code value) {
    return std::any_of(slots_[slot].rows.begin(), slots_[slot].rows.end(),
                       [&](uint32_t row) { return row != drop && NamesOf(row)[column] == value; });
  };
  if (drop != kNoRow && !others_hold(NamesOf(drop)[column])) --count;
  if (add != kNoRow && !others_hold(NamesOf(add)[column])) ++count;
  return (count - 1) * shape().name_steps[column];
}

template <bool kDrop, bool kAdd>
double GroupStore::Spans(uint32_t slot, uint32_t drop, uint32_t add) const {
  const Extent* extents = ExtentsOf(slot);
  double sum = 0;
  const double* dropped = kDrop ? NumbersOf(drop) : nullptr;
  const double* added = kAdd ? NumbersOf(add) : nullptr;
  for (uint32_t j = 0; j < shape().num_numbers; ++j) {
    const Extent& extent = extents[j];
    double low = extent.low, high = extent.high;
    if constexpr (kDrop) {
      low = dropped[j] == low ? extent.low2 : low;
      high = dropped[j] == high ? extent.high2 : high;
    }
    if constexpr (kAdd) {
      low = std::min(low, added[j]);
      high = std::max(high, added[j]);
    }
    sum += std::min(1.0, high - low);
  }
  return has_large_sets_ ? AddNameSpans<kDrop, kAdd, true>(slot, drop, add, sum)
                         : AddNameSpans<kDrop, kAdd, false>(slot, drop, add, sum);
}

template <bool kDrop, bool kAdd, bool kLarge>
double GroupStore::AddNameSpans(uint32_t slot, uint32_t drop, uint32_t add, double sum) const {
  const NameSpans* spans = name_spans_.data() + size_t{slot} * shape().num_names;
  const MarkedColumn* marked = marked_.data();
  const uint64_t* held = UnionOf(slot);
  const uint32_t num_names = shape().num_names;
  uint32_t j = 0;
  for (uint32_t word = 0; j < num_names; ++word) {
    uint64_t lost = 0, fresh = 0;  // values that are held no more, and that were not held
    if constexpr (kDrop) lost = MarksOf(drop)[word] & ~held[2 * word + 1];
    if constexpr (kAdd) fresh = MarksOf(add)[word] & ~(held[2 * word] & ~lost);
    const uint32_t end = std::min(first_in_word_[word + 1], num_names);
    if (!kLarge && (lost | fresh) == 0) {
      for (; j < end; ++j) sum += spans[j].by_change[1];
      continue;
    }
    for (; j < end; ++j) {
      const uint64_t mask = marked[j].mask;
      if (kLarge && mask == 0) {
        sum += LargeSetSpan(slot, j, drop, add);
      } else {
        sum += spans[j].by_change[1 + ((fresh & mask) != 0 ? 1 : 0) - ((lost & mask) != 0 ? 1 : 0)];
      }
    }
  }
  return sum;
}

double GroupStore::SpansWith(uint32_t slot, uint32_t row) const { return Spans<false, true>(slot, kNoRow, row); }
double GroupStore::SpansWithout(uint32_t slot, uint32_t row) const { return Spans<true, false>(slot, row, kNoRow); }
double GroupStore::SpansExchanged(uint32_t slot, uint32_t drop, uint32_t add) const {
  return Spans<true, true>(slot, drop, add);
}

double GroupStore::CostOfAdding(uint32_t slot, uint32_t row, double spans_with) const {
  const double cost = (size(slot) + 1) * spans_with - loss(slot);
  return has_labels() ? cost + slots_[slot].labels.MixtureChanged(labels_, kNoRow, row) : cost;
}

double GroupStore::WinOfDropping(uint32_t slot, uint32_t row) const {
  const double win = loss(slot) - (size(slot) - 1) * (spans(slot) - gain(row));
  return has_labels() ? win - slots_[slot].labels.MixtureChanged(labels_, row, kNoRow) : win;
}

double GroupStore::MixtureOfSwap(uint32_t a, uint32_t b) const {
  if (!has_labels()) return 0;
  const Slot &of_a = slots_[slot_of_[a]], &of_b = slots_[slot_of_[b]];
  return of_a.labels.MixtureChanged(labels_, a, b) - of_a.mixture + of_b.labels.MixtureChanged(labels_, b, a) -
         of_b.mixture;
}

// Takes a row into the record of a slot.
void GroupStore::Hold(uint32_t slot, uint32_t row) {
  const uint32_t num_numbers = shape().num_numbers;
  const double* x = NumbersOf(row);
  Extent* extents = extents_.data() + size_t{slot} * num_numbers;
  for (uint32_t j = 0; j < num_numbers; ++j) extents[j].Take(row, x[j]);
  uint64_t* held = UnionOf(slot);
  for (uint32_t word = 0; word < num_words_; ++word) {
    const uint64_t marks = MarksOf(row)[word], fresh = marks & ~held[2 * word];
    held[2 * word + 1] |= marks & held[2 * word];
    held[2 * word] |= marks;
    if (fresh == 0) continue;
    for (uint32_t m = first_in_word_[word]; m < first_in_word_[word + 1]; ++m) {
      if ((fresh & marked_[m].mask) != 0) SetCount(slot, m, CountOf(slot, m) + 1);
    }
  }
  if (has_labels()) slots_[slot].labels.Add(labels_, row);
}

// The same of all rows of the slot, one column after the other.
void GroupStore::HoldNumber(uint32_t slot, uint32_t column) {
  Extent extent{2, 2, kMissingNumber, kMissingNumber, kNoRow, kNoRow};
  const double* x = numbers_.data() + column;
  for (const uint32_t row : slots_[slot].rows) extent.Take(row, x[size_t{row} * shape().num_numbers]);
  extents_[size_t{slot} * shape().num_numbers + column] = extent;
}

void GroupStore::HoldMarks(uint32_t slot) {
  for (uint32_t word = 0; word < num_words_; ++word) {
    uint64_t held = 0, twice = 0;
    for (const uint32_t row : slots_[slot].rows) {
      const uint64_t marks = MarksOf(row)[word];
      twice |= held & marks;
      held |= marks;
    }
    UnionOf(slot)[2 * word] = held;
    UnionOf(slot)[2 * word + 1] = twice;
    for (uint32_t m = first_in_word_[word]; m < first_in_word_[word + 1]; ++m) {
      SetCount(slot, m, static_cast<uint32_t>(std::popcount(held & marked_[m].mask)));
    }
  }
}

// Takes a row that has left out of the record of its slot. What it leaves is looked up among the others only in columns where it was at the edge.
void GroupStore::LetGo(uint32_t slot, uint32_t row) {
  const double* x = NumbersOf(row);
  for (uint32_t j = 0; j < shape().num_numbers; ++j) {
    const Extent& extent = ExtentsOf(slot)[j];
    if (x[j] <= extent.low2 || x[j] >= extent.high2) HoldNumber(slot, j);
  }
  uint64_t* held = UnionOf(slot);
  for (uint32_t m = 0; m < marked_.size(); ++m) {
    const uint32_t word = marked_[m].word;
    const uint64_t mark = MarksOf(row)[word] & marked_[m].mask;
    if (mark == 0) continue;
    if ((held[2 * word + 1] & mark) == 0) {
      held[2 * word] &= ~mark;
      SetCount(slot, m, CountOf(slot, m) - 1);
      continue;
    }
    uint32_t others = 0;
    for (const uint32_t other : slots_[slot].rows) {
      if ((MarksOf(other)[word] & mark) != 0 && ++others == 2) break;
    }
    if (others < 2) held[2 * word + 1] &= ~mark;
  }
}

void GroupStore::CountLargeSets(uint32_t slot) {
  if (!has_large_sets_) return;
  std::vector<Code> values;
  for (uint32_t j = 0; j < shape().num_names; ++j) {
    if (!is_large(j)) continue;
    values.clear();
    for (const uint32_t row : slots_[slot].rows) values.push_back(NamesOf(row)[j]);
    std::sort(values.begin(), values.end());
    CountOf(slot, j) = static_cast<uint32_t>(std::unique(values.begin(), values.end()) - values.begin());
  }
}

void GroupStore::Record(uint32_t slot) {
  for (uint32_t j = 0; j < shape().num_numbers; ++j) HoldNumber(slot, j);
  HoldMarks(slot);
  CountLargeSets(slot);
  if (!has_labels()) return;
  slots_[slot].labels.Clear(labels_.num_places);
  for (const uint32_t row : slots_[slot].rows) slots_[slot].labels.Add(labels_, row);
  slots_[slot].mixture = slots_[slot].labels.Mixture();
}

// Finds the gains. Only a row whose value is the group's least or largest number or its only one of a name can have one.
void GroupStore::Settle(uint32_t index) {
  Slot& slot = slots_[index];
  slot.most_gain = 0;
  slot.live.clear();
  const bool counts = slot.spans > 0 && slot.rows.size() > 1;
  if (!counts) {
    for (const uint32_t row : slot.rows) gains_[row] = 0;
    return;
  }
  // Rows are asked for their gain that had one before, that hold an end of a number or a name that no other row holds.
  for (uint32_t j = 0; j < shape().num_numbers; ++j) {
    const Extent& extent = ExtentsOf(index)[j];
    if (extent.low < extent.low2) gains_[extent.lowest] = 1;
    if (extent.high > extent.high2) gains_[extent.highest] = 1;
  }
  const uint64_t* held = UnionOf(index);
  const auto holds_alone = [this, held, words = num_words_](uint32_t row) {
    const uint64_t* marks = MarksOf(row);
    uint64_t once = 0;
    for (uint32_t word = 0; word < words; ++word) once |= marks[word] & ~held[2 * word + 1];
    return once != 0;
  };
  for (const uint32_t row : slot.rows) {
    if (gains_[row] == 0 && !holds_alone(row) && !has_large_sets_) continue;
    const double gain = slot.spans - SpansWithout(index, row);
    gains_[row] = gain;
    if (gain == 0) continue;
    slot.live.push_back(row);
    slot.most_gain = std::max(slot.most_gain, gain);
  }
}

void GroupStore::Measure(uint32_t index) {
  slots_[index].spans = slots_[index].rows.empty() ? 0 : Spans<false, false>(index, kNoRow, kNoRow);
  slots_[index].last_change = ++changes_;
  Settle(index);
}

void GroupStore::Refresh(uint32_t index) {
  Record(index);
  Measure(index);
}

// After row `drop` has left the slot and row `add` has come; kNoRow is no row.
void GroupStore::RefreshExchanged(uint32_t index, uint32_t drop, uint32_t add) {
  if (has_labels() || has_large_sets_ || slots_[index].rows.size() < 2) return Refresh(index);
  if (add != kNoRow) Hold(index, add);
  if (drop != kNoRow) LetGo(index, drop);
  Measure(index);
}

bool GroupStore::HoldsChanged(uint32_t index, uint32_t drop, uint32_t add) {
  if (TADA_FAULT("compact-moves")) return slots_[index].rows.size() > 1;
  const Slot& slot = slots_[index];
  const size_t rows = slot.rows.size() + (add != kNoRow ? 1 : 0) - (drop != kNoRow ? 1 : 0);
  if (rows < checker_.smallest_group()) return false;
  if (!checker_.needs_values()) return true;
  if (checker_.distinct_l() > 0) {
    const uint64_t* held = UnionOf(index);
    for (size_t m = shape().num_names; m < marked_.size(); ++m) {
      const uint32_t word = marked_[m].word;
      const uint64_t mask = marked_[m].mask;
      const uint64_t lost = drop == kNoRow ? 0 : MarksOf(drop)[word] & ~held[2 * word + 1] & mask;
      const uint64_t fresh = add == kNoRow ? 0 : MarksOf(add)[word] & ~(held[2 * word] & ~lost) & mask;
      const uint32_t count = CountOf(index, m) + (fresh != 0 ? 1 : 0) - (lost != 0 ? 1 : 0);
      if (count < checker_.distinct_l()) return false;
    }
    return true;
  }
  tally_.Clear();
  tally_.rows = rows;
  const auto count = [&](uint32_t row) {
    for (uint32_t s = 0; s < num_sensitive(); ++s) checker_.AddMark(s, SensitiveOf(row)[s], tally_);
  };
  for (const uint32_t row : slot.rows) {
    if (row != drop) count(row);
  }
  if (add != kNoRow) count(add);
  return checker_.Holds(tally_);
}

bool GroupStore::MayDrop(uint32_t slot, uint32_t row) { return HoldsChanged(slot, row, kNoRow); }
bool GroupStore::MayExchange(uint32_t slot, uint32_t drop, uint32_t add) { return HoldsChanged(slot, drop, add); }
bool GroupStore::MayAdd(uint32_t slot, uint32_t row) {
  // One row more never takes a value away; only shares of values can suffer.
  return checker_.distinct_l() > 0 || !checker_.needs_values() || HoldsChanged(slot, kNoRow, row);
}

void GroupStore::Remove(uint32_t row) {
  std::vector<uint32_t>& rows = slots_[slot_of_[row]].rows;
  *std::find(rows.begin(), rows.end(), row) = rows.back();
  rows.pop_back();
}

void GroupStore::Move(uint32_t row, uint32_t to) {
  const uint32_t from = slot_of_[row];
  Remove(row);
  slots_[to].rows.push_back(row);
  slot_of_[row] = to;
  RefreshExchanged(from, row, kNoRow);
  RefreshExchanged(to, kNoRow, row);
}

void GroupStore::Swap(uint32_t a, uint32_t b) {
  const uint32_t slot_a = slot_of_[a], slot_b = slot_of_[b];
  Remove(a);
  Remove(b);
  slots_[slot_a].rows.push_back(b);
  slots_[slot_b].rows.push_back(a);
  slot_of_[a] = slot_b;
  slot_of_[b] = slot_a;
  RefreshExchanged(slot_a, a, b);
  RefreshExchanged(slot_b, b, a);
}

void GroupStore::Add(uint32_t index, uint32_t row) {
  Slot& slot = slots_[index];
  slot.rows.push_back(row);
  slot_of_[row] = index;
  gains_[row] = 0;
  Hold(index, row);
  CountLargeSets(index);
  slot.spans = Spans<false, false>(index, kNoRow, kNoRow);
  slot.mixture = slot.labels.Mixture();
  slot.last_change = ++changes_;
}

}  // namespace tada
