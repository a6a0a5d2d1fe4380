#include "partition/engine/splits/split_window.h"

#include <algorithm>

#include "base/fault.h"

namespace tada {
namespace {

// Whether at least `least` bits are set; for the small numbers that requirements ask for faster than counting them.
bool HasBits(uint64_t bits, int least) {
  for (; least > 1 && bits != 0; --least) bits &= bits - 1;
  return least <= 0 || bits != 0;
}

}  // namespace

SplitWindow::SplitWindow(const Problem& problem)
    : smallest_(problem.checker.smallest_group()),
      l_(static_cast<int>(problem.checker.distinct_l())),
      exact_(l_ > 0 || !problem.checker.needs_values()),
      seen_(l_ > 0 ? problem.checker.sensitive().size() : 0),
      twice_(seen_.size()) {}

bool SplitWindow::Enough(uint64_t rows) const {
  if (TADA_FAULT("split-window")) return rows > 0;
  return rows >= smallest_ && std::ranges::all_of(seen_, [&](uint64_t seen) { return HasBits(seen, l_); });
}

void SplitWindow::Add(const ValueTable& table, size_t value) {
  for (size_t s = 0; s < seen_.size(); ++s) seen_[s] |= table.mask(s, value);
}

// As below, of at most one sensitive column, which most requirements look at.
template <bool masked>
SplitWindow::Lengths SplitWindow::PrefixesOfOne(const ValueTable& table, std::span<const uint32_t> order) const {
  const auto count = [&](const auto& next) {
    uint64_t rows = 0, seen = 0;
    size_t values = 0;
    while (values < order.size() && (rows < smallest_ || (masked && !HasBits(seen, l_)))) {
      const uint32_t value = next(values++);
      rows += table.rows(value);
      if constexpr (masked) seen |= table.mask(0, value);
    }
    return values;
  };
  const size_t first = count([&](size_t i) { return order[i]; });
  return {first, order.size() - count([&](size_t i) { return order[order.size() - 1 - i]; })};
}

SplitWindow::Lengths SplitWindow::Prefixes(const ValueTable& table, std::span<const uint32_t> order) {
  if (seen_.size() <= 1 && !TADA_FAULT("split-window"))
    return seen_.empty() ? PrefixesOfOne<false>(table, order) : PrefixesOfOne<true>(table, order);
  Lengths lengths{0, order.size()};
  std::ranges::fill(seen_, 0);
  for (uint64_t rows = 0; lengths.first < order.size() && !Enough(rows); ++lengths.first) {
    rows += table.rows(order[lengths.first]);
    Add(table, order[lengths.first]);
  }
  std::ranges::fill(seen_, 0);
  for (uint64_t rows = 0; lengths.last > 0 && !Enough(rows); --lengths.last) {
    rows += table.rows(order[lengths.last - 1]);
    Add(table, order[lengths.last - 1]);
  }
  return lengths;
}

void SplitWindow::StartSingles(const ValueTable& table) {
  for (size_t s = 0; s < seen_.size(); ++s) {
    seen_[s] = twice_[s] = 0;
    for (size_t value = 0; value < table.size(); ++value) {
      twice_[s] |= seen_[s] & table.mask(s, value);
      seen_[s] |= table.mask(s, value);
    }
  }
}

bool SplitWindow::SingleHolds(const ValueTable& table, size_t value) const {
  for (size_t s = 0; s < seen_.size(); ++s) {
    const uint64_t here = table.mask(s, value), elsewhere = twice_[s] | (seen_[s] & ~here);
    if (!HasBits(here, l_) || !HasBits(elsewhere, l_)) return false;
  }
  return true;
}

}  // namespace tada
