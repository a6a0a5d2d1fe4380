#include "partition/compact/group_store.h"

#include <algorithm>

#include "base/fault.h"

namespace tada {
namespace {

constexpr Code kMaskedValues = 64;

}  // namespace

GroupStore::GroupStore(const SearchRows& source, const Checker& checker)
    : source_(source), checker_(checker), tally_(checker.EmptyTally()) {
  for (const Code values : shape().name_values) has_large_sets_ |= values > kMaskedValues;
  counted_sensitive_ = checker.distinct_l() > 0 ? num_sensitive() : 0;
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
    name_sets_.resize(slots_.size() * shape().num_names);
    sensitive_sets_.resize(slots_.size() * counted_sensitive_);
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
  for (const uint32_t row : slots_[slot].rows) slot_of_[row] = slot;
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
  uint32_t count = NameSetsOf(slot)[column].count;
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
  const NameSet* sets = NameSetsOf(slot);
  const double* steps = shape().name_steps.data();
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
  const Code* dropped_names = kDrop ? NamesOf(drop) : nullptr;
  const Code* added_names = kAdd ? NamesOf(add) : nullptr;
  for (uint32_t j = 0; j < shape().num_names; ++j) {
    if (has_large_sets_ && shape().name_values[j] > kMaskedValues) {
      sum += LargeSetSpan(slot, j, drop, add);
      continue;
    }
    const NameSet& set = sets[j];
    uint64_t held = set.held;
    uint32_t count = set.count;
    if constexpr (kDrop) {
      const uint64_t lost = ~set.twice >> dropped_names[j] & 1;
      held &= ~(lost << dropped_names[j]);
      count -= static_cast<uint32_t>(lost);
    }
    if constexpr (kAdd) count += static_cast<uint32_t>(~held >> added_names[j] & 1);
    sum += (count - 1) * steps[j];
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
  const uint32_t num_numbers = shape().num_numbers, num_names = shape().num_names;
  const double* x = NumbersOf(row);
  Extent* extents = extents_.data() + size_t{slot} * num_numbers;
  for (uint32_t j = 0; j < num_numbers; ++j) {
    Extent& extent = extents[j];
    extent.low2 = std::min(extent.low2, std::max(extent.low, x[j]));
    extent.low = std::min(extent.low, x[j]);
    extent.high2 = std::max(extent.high2, std::min(extent.high, x[j]));
    extent.high = std::max(extent.high, x[j]);
  }
  const auto hold = [](NameSet& set, Code value) {
    const uint64_t bit = uint64_t{1} << value;
    set.twice |= set.held & bit;
    set.count += (set.held & bit) == 0 ? 1 : 0;
    set.held |= bit;
  };
  const Code* names = NamesOf(row);
  NameSet* sets = name_sets_.data() + size_t{slot} * num_names;
  for (uint32_t j = 0; j < num_names; ++j) {
    if (!has_large_sets_ || shape().name_values[j] <= kMaskedValues) hold(sets[j], names[j]);
  }
  for (uint32_t s = 0; s < counted_sensitive_; ++s) {
    const Code value = SensitiveOf(row)[s];
    if ((checker_.sensitive()[s].counted_bits() >> value & 1) != 0)
      hold(sensitive_sets_[size_t{slot} * counted_sensitive_ + s], value);
  }
  if (has_labels()) slots_[slot].labels.Add(labels_, row);
}

void GroupStore::CountLargeSets(uint32_t slot) {
  if (!has_large_sets_) return;
  std::vector<Code> values;
  for (uint32_t j = 0; j < shape().num_names; ++j) {
    if (shape().name_values[j] <= kMaskedValues) continue;
    values.clear();
    for (const uint32_t row : slots_[slot].rows) values.push_back(NamesOf(row)[j]);
    std::sort(values.begin(), values.end());
    name_sets_[size_t{slot} * shape().num_names + j].count =
        static_cast<uint32_t>(std::unique(values.begin(), values.end()) - values.begin());
  }
}

void GroupStore::Record(uint32_t slot) {
  std::fill_n(extents_.begin() + static_cast<ptrdiff_t>(size_t{slot} * shape().num_numbers), shape().num_numbers,
              Extent{2, 2, kMissingNumber, kMissingNumber});
  std::fill_n(name_sets_.begin() + static_cast<ptrdiff_t>(size_t{slot} * shape().num_names), shape().num_names,
              NameSet{0, 0, 0});
  std::fill_n(sensitive_sets_.begin() + static_cast<ptrdiff_t>(size_t{slot} * counted_sensitive_), counted_sensitive_,
              NameSet{0, 0, 0});
  if (has_labels()) slots_[slot].labels.Clear(labels_.num_places);
  for (const uint32_t row : slots_[slot].rows) Hold(slot, row);
  CountLargeSets(slot);
  slots_[slot].mixture = slots_[slot].labels.Mixture();
}

void GroupStore::FindLive(uint32_t slot) {
  live_numbers_.clear();
  live_names_.clear();
  for (uint32_t j = 0; j < shape().num_numbers; ++j) {
    const Extent& extent = ExtentsOf(slot)[j];
    if (extent.low < extent.low2 || extent.high > extent.high2) live_numbers_.push_back({j, extent.low, extent.high});
  }
  for (uint32_t j = 0; j < shape().num_names; ++j) {
    const NameSet& set = NameSetsOf(slot)[j];
    const bool is_large = has_large_sets_ && shape().name_values[j] > kMaskedValues;
    const uint64_t once = is_large ? ~uint64_t{0} : set.held & ~set.twice;
    if (once != 0) live_names_.push_back({j, once});
  }
}

// Whether the group may be narrower without a row, after FindLive of its slot.
bool GroupStore::IsLive(uint32_t row) const {
  const double* x = NumbersOf(row);
  for (const LiveNumber& number : live_numbers_) {
    if (x[number.column] == number.low || x[number.column] == number.high) return true;
  }
  const Code* names = NamesOf(row);
  return std::any_of(live_names_.begin(), live_names_.end(),
                     [&](const LiveName& name) { return (name.once >> (names[name.column] & 63) & 1) != 0; });
}

void GroupStore::Settle(uint32_t index) {
  Slot& slot = slots_[index];
  slot.most_gain = 0;
  const bool counts = slot.spans > 0 && slot.rows.size() > 1;
  if (counts) FindLive(index);
  for (const uint32_t row : slot.rows) {
    gains_[row] = counts && IsLive(row) ? slot.spans - SpansWithout(index, row) : 0;
    slot.most_gain = std::max(slot.most_gain, gains_[row]);
  }
}

void GroupStore::Refresh(uint32_t index) {
  Record(index);
  slots_[index].spans = slots_[index].rows.empty() ? 0 : Spans<false, false>(index, kNoRow, kNoRow);
  slots_[index].last_change = ++changes_;
  Settle(index);
}

bool GroupStore::HoldsChanged(uint32_t index, uint32_t drop, uint32_t add) {
  if (TADA_FAULT("compact-moves")) return slots_[index].rows.size() > 1;
  const Slot& slot = slots_[index];
  const size_t rows = slot.rows.size() + (add != kNoRow ? 1 : 0) - (drop != kNoRow ? 1 : 0);
  if (rows < checker_.smallest_group()) return false;
  if (!checker_.needs_values()) return true;
  if (checker_.distinct_l() > 0) {
    for (uint32_t s = 0; s < counted_sensitive_; ++s) {
      const NameSet& set = sensitive_sets_[size_t{index} * counted_sensitive_ + s];
      const uint64_t counted = checker_.sensitive()[s].counted_bits();
      uint64_t held = set.held;
      uint32_t count = set.count;
      if (drop != kNoRow) {
        const Code value = SensitiveOf(drop)[s];
        const uint64_t lost = (~set.twice & counted) >> value & 1;
        held &= ~(lost << value);
        count -= static_cast<uint32_t>(lost);
      }
      if (add != kNoRow) count += static_cast<uint32_t>((~held & counted) >> SensitiveOf(add)[s] & 1);
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
  Refresh(from);
  Refresh(to);
}

void GroupStore::Swap(uint32_t a, uint32_t b) {
  const uint32_t slot_a = slot_of_[a], slot_b = slot_of_[b];
  Remove(a);
  Remove(b);
  slots_[slot_a].rows.push_back(b);
  slots_[slot_b].rows.push_back(a);
  slot_of_[a] = slot_b;
  slot_of_[b] = slot_a;
  Refresh(slot_a);
  Refresh(slot_b);
}

void GroupStore::Add(uint32_t index, uint32_t row) {
  Slot& slot = slots_[index];
  slot.rows.push_back(row);
  slot_of_[row] = index;
  Hold(index, row);
  CountLargeSets(index);
  slot.spans = Spans<false, false>(index, kNoRow, kNoRow);
  slot.mixture = slot.labels.Mixture();
  slot.last_change = ++changes_;
}

}  // namespace tada
