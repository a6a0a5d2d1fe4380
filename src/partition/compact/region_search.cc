#include "partition/compact/region_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tada {
namespace {

constexpr double kRegionLessBy = 1e-11;  // a change must win at least this much, so that rounding cannot make it circle
constexpr uint32_t kRowsPerTuple = 3;    // of a near tuple: rows looked at
constexpr uint32_t kMaxNearRows = 48;
constexpr uint32_t kMaxCandidates = 24;  // groups
constexpr uint32_t kMaxPooled = 5;       // near groups in a window
constexpr uint32_t kPoolFrom = 10;       // near groups that a window chooses from
// Moves and swaps seldom make good what a window lost before them if that is more than this share.
constexpr double kHopeless = 0.3;
constexpr uint32_t kPolishPasses = 4;

}  // namespace

RegionSearch::RegionSearch(const SearchRows& source, const Checker& checker, const RegionMap& map,
                           const Workers& workers)
    : source_(source), map_(map), workers_(workers), store_(source, checker), rebuild_(store_) {}

// Lists the near rows that are in the region too, nearest tuples first, mixed with those that hold the same rare sensitive
// value; the latter first where such values are scarce.
void RegionSearch::FindNear(uint32_t local) {
  const uint32_t row = region_rows_[local], own = source_.tuple_of[row];
  const size_t begin = near_.size();
  const auto add = [&](uint32_t other) {
    if (other != row && map_.region_of[other] == region_) near_.push_back(map_.local_of[other]);
  };
  std::span<const uint32_t> same = source_.SameValue(row);
  const auto add_tuple = [&](uint32_t tuple) {
    // A tuple may have thousands of rows: look at some of them only, others for every row that asks.
    const uint32_t first = source_.first_of_tuple[tuple], count = source_.first_of_tuple[tuple + 1] - first;
    uint32_t at = count > kRowsPerTuple ? static_cast<uint32_t>(size_t{row} * 7919 % count) : 0;
    for (uint32_t i = 0; i < std::min(count, kRowsPerTuple); ++i) {
      add(first + at);
      at = at + 1 < count ? at + 1 : 0;
    }
    if (same.empty()) return;
    add(same.front());
    same = same.subspan(1);
  };
  while (source_.scarce && !same.empty()) {
    add(same.front());
    same = same.subspan(1);
  }
  add_tuple(own);
  for (const uint32_t tuple : source_.NearTuples(own)) {
    if (near_.size() - begin >= kMaxNearRows) break;
    if (tuple != own) add_tuple(tuple);
  }
  for (const uint32_t other : same) add(other);
  near_begin_[local] = static_cast<uint32_t>(begin);
  near_count_[local] = static_cast<uint32_t>(near_.size() - begin);
}

// Groups of the rows near to `row`, without its own.
void RegionSearch::CandidateSlots(uint32_t row, uint32_t most) {
  candidates_.clear();
  stamp_.resize(store_.num_slots(), 0);
  stamp_[store_.slot_of(row)] = ++stamp_now_;
  for (const uint32_t near : Near(row)) {
    const uint32_t slot = store_.slot_of(near);
    if (stamp_[slot] == stamp_now_) continue;
    stamp_[slot] = stamp_now_;
    candidates_.push_back(slot);
    if (candidates_.size() == most) return;
  }
}

// Takes the best move or swap of a row with one of the groups `slots`; false if none lowers the loss. `looked`: after this many changes of groups
// none did, so that of the groups only those count that have changed since, or all if the row's own has.
bool RegionSearch::ImproveRow(uint32_t row, std::span<const uint32_t> slots, uint64_t looked) {
  const uint32_t own = store_.slot_of(row);
  const bool own_changed = store_.last_change(own) > looked;
  const double own_size = store_.size(own), own_spans = store_.spans(own), gain = store_.gain(row);
  if (store_.loss(own) == 0) return false;
  const bool has_labels = store_.has_labels();
  const bool may_swap = gain > 0 || has_labels;  // a swap that narrows only the other group is found from there
  const bool may_leave = store_.MayDrop(own, row);
  if (!may_leave && !may_swap) return false;
  const double wins_by_leaving = may_leave ? store_.WinOfDropping(own, row) : 0;
  double best = -kRegionLessBy;
  uint32_t best_slot = GroupStore::kNoSlot, best_partner = GroupStore::kNoRow;
  for (const uint32_t slot : slots) {
    if (slot == own || (!own_changed && store_.last_change(slot) <= looked)) continue;
    const double size = store_.size(slot), spans = store_.spans(slot), most_gains = size * store_.most_gain(slot);
    // A row more never narrows a group, and sums that are rounded keep that order.
    const bool move_may_win = may_leave && (size + 1) * spans - store_.loss(slot) - wins_by_leaving < best;
    const bool swap_may_win = may_swap && -own_size * gain - most_gains < best;
    if (!has_labels && !move_may_win && !swap_may_win) continue;
    const double with = store_.SpansWith(slot, row);
    if (may_leave) {
      const double change = store_.CostOfAdding(slot, row, with) - wins_by_leaving;
      if (change < best && store_.MayAdd(slot, row)) best = change, best_slot = slot, best_partner = GroupStore::kNoRow;
    }
    const double at_least = size * (with - spans) - own_size * gain;
    if (!may_swap || (!has_labels && at_least - most_gains >= best)) continue;
    // A partner without a gain cannot win where the row alone does not.
    for (const uint32_t partner : at_least >= best && !has_labels ? store_.live(slot) : store_.rows(slot)) {
      // Dropping a row from a larger group narrows it no more than from a smaller one.
      const double mixed = has_labels ? store_.MixtureOfSwap(row, partner) : 0;
      const double other_gains = size * store_.gain(partner);
      if (at_least - other_gains + mixed >= best) continue;
      const double own_change = own_size * (store_.SpansExchanged(own, row, partner) - own_spans) + mixed;
      if (own_change + size * (with - spans) - other_gains >= best) continue;
      const double change = own_change + size * (store_.SpansExchanged(slot, partner, row) - spans);
      if (change >= best || !store_.MayExchange(own, row, partner) || !store_.MayExchange(slot, partner, row)) continue;
      best = change, best_slot = slot, best_partner = partner;
    }
  }
  if (best_slot == GroupStore::kNoSlot) return false;
  if (best_partner == GroupStore::kNoRow) {
    store_.Move(row, best_slot);
  } else {
    store_.Swap(row, best_partner);
  }
  return true;
}

uint32_t RegionSearch::ImprovePass() {
  order_.resize(store_.num_rows());
  std::iota(order_.begin(), order_.end(), 0u);
  random_.Shuffle(std::span(order_));
  uint32_t improved = 0;
  for (const uint32_t row : order_) {
    const uint32_t own = store_.slot_of(row);
    if (store_.loss(own) == 0 || (store_.gain(row) <= 0 && !store_.has_labels() && !store_.MayDrop(own, row))) continue;
    CandidateSlots(row, kMaxCandidates);
    if (ImproveRow(row, candidates_)) ++improved;
  }
  return improved;
}

// Gives each row of a group to the near group that it costs least, if that is cheaper than the group.
bool RegionSearch::Dissolve(uint32_t slot) {
  const double before = store_.loss(slot);
  if (before <= kRegionLessBy) return false;
  const std::vector<uint32_t> rows = store_.rows(slot);
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> saved;
  double change = 0;
  bool placed = true;
  for (const uint32_t row : rows) {
    CandidateSlots(row, kMaxCandidates);
    double least = before - change;
    uint32_t best = GroupStore::kNoSlot;
    for (const uint32_t other : candidates_) {
      if (other == slot) continue;
      const double cost = store_.CostOfAdding(other, row);
      if (cost < least && store_.MayAdd(other, row)) least = cost, best = other;
    }
    placed = best != GroupStore::kNoSlot;
    if (!placed) break;
    change += least;
    if (std::none_of(saved.begin(), saved.end(), [&](const auto& s) { return s.first == best; })) {
      saved.emplace_back(best, store_.rows(best));
    }
    store_.Add(best, row);
  }
  if (placed && change < before - kRegionLessBy) {
    for (const auto& [other, old_rows] : saved) store_.Settle(other);
    store_.Free(slot);
    return true;
  }
  for (auto& [other, old_rows] : saved) store_.Replace(other, std::move(old_rows));
  store_.Replace(slot, rows);
  return false;
}

void RegionSearch::DissolvePass() {
  const uint32_t slots = store_.num_slots();
  for (uint32_t slot = 0; slot < slots; ++slot) {
    if (store_.size(slot) > 0) Dissolve(slot);
  }
}

// Leftovers go where they widen least, if they may.
bool RegionSearch::DealLeftovers() {
  for (const uint32_t row : rebuild_.leftovers()) {
    double least = std::numeric_limits<double>::infinity();
    uint32_t best = GroupStore::kNoSlot;
    for (const uint32_t slot : made_) {
      const double cost = store_.CostOfAdding(slot, row);
      if (cost < least && store_.MayAdd(slot, row)) least = cost, best = slot;
    }
    if (best == GroupStore::kNoSlot) return false;
    store_.Add(best, row);
  }
  if (!rebuild_.leftovers().empty()) {
    for (const uint32_t slot : made_) store_.Settle(slot);
  }
  return true;
}

// Moves and swaps between the groups that were made.
void RegionSearch::Polish() {
  looked_.assign(pool_rows_.size(), 0);
  for (uint32_t pass = 0; pass < kPolishPasses; ++pass) {
    uint32_t improved = 0;
    for (size_t i = 0; i < pool_rows_.size(); ++i) {
      const uint64_t changes = store_.changes();
      improved += ImproveRow(pool_rows_[i], made_, looked_[i]) ? 1 : 0;
      looked_[i] = changes;
    }
    if (improved == 0) return;
  }
}

// Forms the rows of some groups anew; keeps the result if its loss is less than the old one's and `rise`.
bool RegionSearch::Window(std::span<const uint32_t> pool, double rise) {
  double before = 0;
  pool_rows_.clear();
  for (const uint32_t slot : pool) {
    before += store_.loss(slot);
    pool_rows_.insert(pool_rows_.end(), store_.rows(slot).begin(), store_.rows(slot).end());
  }
  if (before <= kRegionLessBy) return false;
  const double most = before * (1 + kHopeless) + rise;
  if (!rebuild_.Build(pool_rows_, most, random_)) return false;
  pool_gains_.clear();
  for (const uint32_t row : pool_rows_) pool_gains_.push_back(store_.gain(row));
  made_.clear();
  for (const std::vector<uint32_t>& rows : rebuild_.groups()) made_.push_back(store_.Make(rows));
  const auto loss = [&] {
    double sum = 0;
    for (const uint32_t slot : made_) sum += store_.loss(slot);
    return sum;
  };
  bool better = !made_.empty() && DealLeftovers() && loss() < most;
  if (better) {
    Polish();
    better = loss() < before + rise - kRegionLessBy;
  }
  if (better) {
    for (const uint32_t slot : pool) store_.Free(slot);
    return true;
  }
  for (const uint32_t slot : made_) store_.Free(slot);
  const double* gains = pool_gains_.data();
  for (const uint32_t slot : pool) {
    store_.Reclaim(slot, gains);
    gains += store_.size(slot);
  }
  return false;
}

// Groups with room for two may split, which no move or swap finds.
void RegionSearch::LargeGroupPass() {
  const uint32_t slots = store_.num_slots();
  for (uint32_t slot = 0; slot < slots; ++slot) {
    if (store_.size(slot) < 2 * store_.checker().smallest_group() || store_.loss(slot) == 0) continue;
    const uint32_t pool[] = {slot};
    Window(pool, 0);
  }
}

// The group of a row with one to five near ones, some of them skipped.
void RegionSearch::Pool(uint32_t row, uint64_t max_rows) {
  const uint64_t want = 1 + random_.Below(kMaxPooled);
  CandidateSlots(row, kPoolFrom);
  pool_.assign(1, store_.slot_of(row));
  uint64_t rows = store_.size(pool_[0]);
  for (const uint32_t slot : candidates_) {
    if (pool_.size() > want) break;
    if (random_.Below(4) == 0 || rows + store_.size(slot) > max_rows) continue;
    rows += store_.size(slot);
    pool_.push_back(slot);
  }
  if (pool_.size() == 1 && rows < 2 * store_.checker().smallest_group()) pool_.clear();
}

bool RegionSearch::TryMove(uint32_t row, uint32_t slot, double rise) {
  const uint32_t own = store_.slot_of(row);
  if (!store_.MayDrop(own, row)) return false;
  const double change = store_.CostOfAdding(slot, row) - store_.WinOfDropping(own, row);
  if (change >= rise || !store_.MayAdd(slot, row)) return false;
  store_.Move(row, slot);
  return true;
}

bool RegionSearch::TrySwap(uint32_t row, uint32_t partner, double rise) {
  const uint32_t own = store_.slot_of(row), slot = store_.slot_of(partner);
  const double mixed = store_.has_labels() ? store_.MixtureOfSwap(row, partner) : 0;
  const double own_change = store_.size(own) * (store_.SpansExchanged(own, row, partner) - store_.spans(own)) + mixed;
  if (own_change - store_.size(slot) * store_.gain(partner) >= rise) return false;
  const double change =
      own_change + store_.size(slot) * (store_.SpansExchanged(slot, partner, row) - store_.spans(slot));
  if (change >= rise || !store_.MayExchange(own, row, partner) || !store_.MayExchange(slot, partner, row)) return false;
  store_.Swap(row, partner);
  return true;
}

// A random row tries the group of a random row near it; the loss may rise as in simulated annealing.
void RegionSearch::TryRow(double heat) {
  const auto row = static_cast<uint32_t>(random_.Below(store_.num_rows()));
  const std::span<const uint32_t> near = Near(row);
  if (near.empty()) return;
  const uint32_t own = store_.slot_of(row), slot = store_.slot_of(near[random_.Below(near.size())]);
  if (slot == own || (store_.loss(slot) == 0 && store_.loss(own) == 0)) return;
  const double rise = -std::log(1 - random_.Unit()) * heat;
  if (!TryMove(row, slot, rise)) TrySwap(row, store_.rows(slot)[random_.Below(store_.size(slot))], rise);
}

void RegionSearch::WindowPass(uint64_t steps, const RegionOptions& options) {
  const double loss = TotalLoss(), row_loss = loss / store_.num_rows();
  const double mean_loss = loss * static_cast<double>(options.windows_per_group) / static_cast<double>(steps);
  for (uint64_t step = 0; step < steps; ++step) {
    if (step % 64 == 0) workers_.Poll();
    uint32_t row = static_cast<uint32_t>(random_.Below(store_.num_rows()));
    const auto other = static_cast<uint32_t>(random_.Below(store_.num_rows()));
    if (store_.loss_per_row(store_.slot_of(other)) > store_.loss_per_row(store_.slot_of(row))) row = other;
    const bool has_loss = store_.loss_per_row(store_.slot_of(row)) > 0;
    if (!has_loss && options.tries_per_window == 0) continue;
    pool_.clear();
    if (has_loss) Pool(row, options.max_pool);
    const double done = static_cast<double>(step) / static_cast<double>(steps);
    const double heat = options.heat_begin + (options.heat_end - options.heat_begin) * done;
    const double rise = -std::log(1 - random_.Unit()) * heat * mean_loss;
    if (!pool_.empty()) Window(pool_, rise);
    if (options.tries_per_window == 0) continue;
    const double try_heat =
        row_loss * options.try_heat_begin * std::pow(options.try_heat_end / options.try_heat_begin, done);
    for (uint64_t i = 0; i < options.tries_per_window; ++i) TryRow(try_heat);
  }
}

double RegionSearch::TotalLoss() const {
  double sum = 0;
  for (uint32_t slot = 0; slot < store_.num_slots(); ++slot) sum += store_.loss(slot);
  return sum;
}

std::vector<double> RegionSearch::Run(uint32_t region, std::vector<std::vector<uint32_t>>& groups,
                                      const RegionOptions& options, uint64_t seed) {
  random_ = Random(seed);
  region_ = region;
  region_rows_.clear();
  for (const std::vector<uint32_t>& group : groups) region_rows_.insert(region_rows_.end(), group.begin(), group.end());
  store_.Load(region_rows_);
  stamp_.clear();
  stamp_now_ = 0;
  near_.clear();
  near_begin_.assign(region_rows_.size(), kNotFound);
  near_count_.resize(region_rows_.size());
  uint32_t at = 0;
  for (const std::vector<uint32_t>& group : groups) {
    std::vector<uint32_t> local(group.size());
    std::iota(local.begin(), local.end(), at);
    at += static_cast<uint32_t>(group.size());
    store_.Make(std::move(local));
  }
  ImprovePass();
  DissolvePass();
  LargeGroupPass();
  WindowPass(options.windows_per_group * groups.size(), options);
  ImprovePass();
  groups.clear();
  std::vector<double> losses;
  for (uint32_t slot = 0; slot < store_.num_slots(); ++slot) {
    if (store_.size(slot) == 0) continue;
    losses.push_back(store_.loss(slot));
    std::vector<uint32_t> group = store_.rows(slot);
    for (uint32_t& row : group) row = region_rows_[row];
    groups.push_back(std::move(group));
  }
  return losses;
}

}  // namespace tada
