#include "partition/compact/window_rebuild.h"

#include <algorithm>
#include <limits>

namespace tada {
namespace {

constexpr uint32_t kNoGroup = UINT32_MAX;
constexpr Code kBitValues = 32;

}  // namespace

WindowRebuild::WindowRebuild(const GroupStore& store)
    : store_(store), smallest_(store.checker().smallest_group()), tally_(store.checker().EmptyTally()) {
  low_.resize(store.shape().num_numbers);
  high_.resize(store.shape().num_numbers);
  seed_numbers_.resize(store.shape().num_numbers);
  held_.resize(store.shape().num_names);
  count_.resize(store.shape().num_names);
  large_.resize(store.shape().num_names);
  seed_names_.resize(store.shape().num_names);
}

// A value as its free rows are asked for it: of a small domain its bit, so that several rows are compared at once.
Code WindowRebuild::NameKey(uint32_t name, Code value) const {
  return store_.shape().name_values[name] <= kBitValues ? Code{1} << value : value;
}

void WindowRebuild::Lay(std::span<const uint32_t> rows) {
  const MixedPoints& shape = store_.shape();
  capacity_ = free_ = static_cast<uint32_t>(rows.size());
  rows_.assign(rows.begin(), rows.end());
  numbers_.resize(size_t{capacity_} * shape.num_numbers);
  names_.resize(size_t{capacity_} * shape.num_names);
  cost_.resize(size_t{capacity_} * num_columns());
  total_.resize(capacity_);
  if (store_.has_labels()) label_cost_.resize(capacity_);
  for (uint32_t i = 0; i < capacity_; ++i) {
    const double* x = store_.NumbersOf(rows[i]);
    for (uint32_t j = 0; j < shape.num_numbers; ++j) numbers_[size_t{j} * capacity_ + i] = static_cast<float>(x[j]);
    const Code* v = store_.NamesOf(rows[i]);
    for (uint32_t j = 0; j < shape.num_names; ++j) names_[size_t{j} * capacity_ + i] = NameKey(j, v[j]);
  }
}

void WindowRebuild::TakeOut(uint32_t place) {
  const MixedPoints& shape = store_.shape();
  const uint32_t last = --free_;
  rows_[place] = rows_[last];
  for (uint32_t j = 0; j < shape.num_numbers; ++j)
    numbers_[size_t{j} * capacity_ + place] = numbers_[size_t{j} * capacity_ + last];
  for (uint32_t j = 0; j < shape.num_names; ++j)
    names_[size_t{j} * capacity_ + place] = names_[size_t{j} * capacity_ + last];
  for (uint32_t j = 0; j < num_columns(); ++j)
    cost_[size_t{j} * capacity_ + place] = cost_[size_t{j} * capacity_ + last];
  total_[place] = total_[last];
  if (store_.has_labels()) label_cost_[place] = label_cost_[last];
}

// Computes what each free row would make of the group's span in one column.
void WindowRebuild::AddColumnCost(uint32_t column) {
  const MixedPoints& shape = store_.shape();
  float* cost = cost_.data() + size_t{column} * capacity_;
  float* total = total_.data();
  if (column < shape.num_numbers) {
    const float low = low_[column], high = high_[column];
    const float* x = numbers_.data() + size_t{column} * capacity_;
    for (uint32_t i = 0; i < free_; ++i) {
      const float span = std::min(1.0f, std::max(high, x[i]) - std::min(low, x[i]));
      total[i] += span - cost[i];
      cost[i] = span;
    }
    return;
  }
  const uint32_t j = column - shape.num_numbers;
  const auto step = static_cast<float>(shape.name_steps[j]);
  const float same = static_cast<float>(count_[j] - 1) * step, more = same + step;
  const Code* values = names_.data() + size_t{j} * capacity_;
  if (shape.name_values[j] <= kBitValues) {
    const auto mask = static_cast<Code>(held_[j]);
    for (uint32_t i = 0; i < free_; ++i) {
      const float span = (values[i] & mask) != 0 ? same : more;
      total[i] += span - cost[i];
      cost[i] = span;
    }
    return;
  }
  const auto price = [&](auto held) {
    for (uint32_t i = 0; i < free_; ++i) {
      const float span = held(values[i]) ? same : more;
      total[i] += span - cost[i];
      cost[i] = span;
    }
  };
  if (shape.name_values[j] <= 64) {
    price([mask = held_[j]](Code value) { return (mask >> value & 1) != 0; });
  } else {
    price([&](Code value) { return std::find(large_[j].begin(), large_[j].end(), value) != large_[j].end(); });
  }
}

// Computes what the label of each free row would make of the group's mixture.
void WindowRebuild::AddLabelCost() {
  for (uint32_t i = 0; i < free_; ++i) {
    const double mixture = labels_.MixtureChanged(store_.labels(), MixtureSums::kNone, rows_[i]);
    const auto cost = static_cast<float>(mixture / static_cast<double>(smallest_));
    total_[i] += cost - label_cost_[i];
    label_cost_[i] = cost;
  }
}

void WindowRebuild::Start(uint32_t place) {
  const MixedPoints& shape = store_.shape();
  if (store_.has_labels()) {
    labels_.Clear(store_.labels().num_places);
    labels_.Add(store_.labels(), rows_[place]);
  }
  members_.assign(1, rows_[place]);
  tally_.Clear();
  const double* x = store_.NumbersOf(rows_[place]);
  for (uint32_t j = 0; j < shape.num_numbers; ++j) low_[j] = high_[j] = seed_numbers_[j] = static_cast<float>(x[j]);
  const Code* v = store_.NamesOf(rows_[place]);
  for (uint32_t j = 0; j < shape.num_names; ++j) {
    seed_names_[j] = NameKey(j, v[j]);
    count_[j] = 1;
    if (shape.name_values[j] <= 64) {
      held_[j] = uint64_t{1} << v[j];
    } else {
      large_[j].assign(1, v[j]);
    }
  }
  for (uint32_t s = 0; s < store_.num_sensitive(); ++s)
    store_.checker().AddMark(s, store_.SensitiveOf(rows_[place])[s], tally_);
  TakeOut(place);
  std::fill(total_.begin(), total_.begin() + free_, 0.0f);
  for (uint32_t column = 0; column < num_columns(); ++column) {
    std::fill_n(cost_.begin() + static_cast<ptrdiff_t>(size_t{column} * capacity_), free_, 0.0f);
    AddColumnCost(column);
  }
  if (!store_.has_labels()) return;
  std::fill_n(label_cost_.begin(), free_, 0.0f);
  AddLabelCost();
}

// Adds a free row to the group and prices again the columns that it widened.
void WindowRebuild::Join(uint32_t place) {
  const MixedPoints& shape = store_.shape();
  const uint32_t row = rows_[place];
  members_.push_back(row);
  if (store_.has_labels()) labels_.Add(store_.labels(), row);
  for (uint32_t s = 0; s < store_.num_sensitive(); ++s) store_.checker().AddMark(s, store_.SensitiveOf(row)[s], tally_);
  TakeOut(place);
  const double* numbers = store_.NumbersOf(row);
  for (uint32_t j = 0; j < shape.num_numbers; ++j) {
    const auto x = static_cast<float>(numbers[j]);
    if (x >= low_[j] && x <= high_[j]) continue;
    low_[j] = std::min(low_[j], x);
    high_[j] = std::max(high_[j], x);
    AddColumnCost(j);
  }
  const Code* names = store_.NamesOf(row);
  for (uint32_t j = 0; j < shape.num_names; ++j) {
    if (shape.name_values[j] <= 64) {
      if ((held_[j] >> names[j] & 1) != 0) continue;
      held_[j] |= uint64_t{1} << names[j];
    } else {
      if (std::find(large_[j].begin(), large_[j].end(), names[j]) != large_[j].end()) continue;
      large_[j].push_back(names[j]);
    }
    ++count_[j];
    AddColumnCost(shape.num_numbers + j);
  }
  if (store_.has_labels()) AddLabelCost();
}

uint32_t WindowRebuild::NextSeed(bool far, Random& random) const {
  if (!far || groups_.empty()) return static_cast<uint32_t>(random.Below(free_));
  const MixedPoints& shape = store_.shape();
  uint32_t best = 0;
  float best_distance = -1;
  for (uint32_t i = 0; i < free_; ++i) {
    float distance = 0;
    for (uint32_t j = 0; j < shape.num_numbers; ++j) {
      distance += std::min(1.0f, std::abs(numbers_[size_t{j} * capacity_ + i] - seed_numbers_[j]));
    }
    for (uint32_t j = 0; j < shape.num_names; ++j) {
      distance += names_[size_t{j} * capacity_ + i] == seed_names_[j] ? 0.0f : static_cast<float>(shape.name_steps[j]);
    }
    if (distance > best_distance) best_distance = distance, best = i;
  }
  return best;
}

uint32_t WindowRebuild::NearestFree() const {
  // The least of every fourth, side by side, then the first that is as little.
  constexpr uint32_t kLanes = 4;
  float least[kLanes];
  std::fill_n(least, kLanes, std::numeric_limits<float>::infinity());
  const float* total = total_.data();
  uint32_t i = 0;
  for (; i + kLanes <= free_; i += kLanes) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) least[lane] = std::min(least[lane], total[i + lane]);
  }
  for (; i < free_; ++i) least[0] = std::min(least[0], total[i]);
  const float least_of_all = *std::min_element(least, least + kLanes);
  const float* found = std::find(total, total + free_, least_of_all);
  return found == total + free_ ? kNoGroup : static_cast<uint32_t>(found - total);
}

// A value the group does not hold helps; once it holds enough of them, any that is not its most frequent one does.
bool WindowRebuild::Helps(uint32_t row) const {
  if (!wanted_.empty()) return Wants(row);
  const ValueCounts& counts = tally_.columns[short_column_];
  uint32_t count = UINT32_MAX;  // of the rarest of its values
  store_.checker().sensitive()[short_column_].ForEachValue(store_.SensitiveOf(row)[short_column_], [&](Code value) {
    if (counts.counts(value)) count = std::min(count, counts.count(value));
  });
  if (count == UINT32_MAX) return false;
  if (count == 0) return true;
  if (static_cast<int64_t>(counts.Distinct()) < store_.checker().requirement().l) return false;
  uint32_t most = 0;
  for (const Code value : counts.present()) {
    if (counts.counts(value)) most = std::max(most, counts.count(value));
  }
  return count < most;
}

// Whether the group lacks one of the row's values, as those requirements say that know it.
bool WindowRebuild::Wants(uint32_t row) const {
  for (uint32_t s = 0; s < wanted_.size(); ++s) {
    bool wants = false;
    store_.checker().sensitive()[s].ForEachValue(store_.SensitiveOf(row)[s], [&](Code value) {
      for (const auto& wanted : wanted_[s]) wants = wants || wanted(value, tally_.columns[s].count(value));
    });
    if (wants) return true;
  }
  return false;
}

uint32_t WindowRebuild::NearestThatHelps() {
  uint32_t best = kNoGroup;
  float least = std::numeric_limits<float>::infinity();
  for (uint32_t i = 0; i < free_; ++i) {
    if (total_[i] < least && Helps(rows_[i])) least = total_[i], best = i;
  }
  return best;
}

bool WindowRebuild::Complete() {
  if (members_.size() < smallest_) return false;
  if (!store_.checker().needs_values()) return true;
  tally_.rows = members_.size();
  return store_.checker().Holds(tally_);
}

// What shares of values call for, once enough different ones are there.
void WindowRebuild::FindWanted(uint64_t lacking) {
  wanted_.clear();
  if (lacking > 0 || members_.size() < smallest_ || store_.checker().requirement().more.empty()) return;
  bool any = false;
  for (uint32_t s = 0; s < store_.num_sensitive(); ++s) {
    wanted_.push_back(store_.checker().WantedBy(tally_, s));
    any = any || !wanted_.back().empty();
  }
  if (!any) wanted_.clear();
}

// Adds rows until the group is complete; false if no free row can complete it.
bool WindowRebuild::Grow() {
  const auto l = static_cast<uint64_t>(store_.checker().needs_values() ? store_.checker().requirement().l : 0);
  while (!Complete()) {
    uint64_t lacking = 0;
    for (uint32_t s = 0; s < store_.num_sensitive(); ++s) {
      const uint64_t distinct = tally_.columns[s].Distinct();
      const uint64_t lacks = distinct < l ? l - distinct : 0;
      if (s == 0 || lacks > lacking) lacking = lacks, short_column_ = s;
    }
    FindWanted(lacking);
    const uint64_t places = members_.size() < smallest_ ? smallest_ - members_.size() : 0;
    const uint32_t place = l > 0 && lacking >= places ? NearestThatHelps() : NearestFree();
    if (place == kNoGroup) return false;
    Join(place);
  }
  return true;
}

// Of the group that has grown; without what its labels lose.
double WindowRebuild::Loss() const {
  const MixedPoints& shape = store_.shape();
  double spans = 0;
  for (uint32_t j = 0; j < shape.num_numbers; ++j) spans += std::min(1.0F, high_[j] - low_[j]);
  for (uint32_t j = 0; j < shape.num_names; ++j) spans += (count_[j] - 1) * shape.name_steps[j];
  return static_cast<double>(members_.size()) * spans;
}

bool WindowRebuild::Build(std::span<const uint32_t> rows, double most, Random& random) {
  groups_.clear();
  leftovers_.clear();
  Lay(rows);
  const bool far = random.Below(2) == 0;
  double loss = 0;
  while (free_ >= smallest_) {
    Start(NextSeed(far, random));
    if (!Grow()) {
      leftovers_ = members_;
      break;
    }
    groups_.push_back(members_);
    loss += Loss();
    if (loss > most) return false;
  }
  leftovers_.insert(leftovers_.end(), rows_.begin(), rows_.begin() + free_);
  return true;
}

}  // namespace tada
