#include "partition/compact/hilbert_start.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/fault.h"
#include "base/random.h"

namespace tada {
namespace {

using Lists = std::vector<std::vector<RowId>>;

constexpr size_t kKeyBits = 128, kMostBitsPerColumn = 12;
constexpr size_t kBlockRows = 1 << 16;
constexpr uint64_t kAtomsPerGroup = 32;

struct Key {
  uint64_t high, low;
  RowId row;
  bool operator<(const Key& other) const {
    if (high != other.high) return high < other.high;
    return low != other.low ? low < other.low : row < other.row;
  }
};

// Turns coordinates into the transposed Hilbert index, in place (Skilling 2004, "Programming the Hilbert curve").
void AxesToHilbert(std::vector<uint32_t>& x, size_t bits) {
  const size_t n = x.size();
  for (uint32_t q = uint32_t{1} << (bits - 1); q > 1; q >>= 1) {
    const uint32_t p = q - 1;
    for (size_t i = 0; i < n; ++i) {
      if ((x[i] & q) != 0) {
        x[0] ^= p;
      } else {
        const uint32_t t = (x[0] ^ x[i]) & p;
        x[0] ^= t;
        x[i] ^= t;
      }
    }
  }
  for (size_t i = 1; i < n; ++i) x[i] ^= x[i - 1];
  uint32_t t = 0;
  for (uint32_t q = uint32_t{1} << (bits - 1); q > 1; q >>= 1) {
    if ((x[n - 1] & q) != 0) t ^= q - 1;
  }
  for (uint32_t& value : x) value ^= t;
}

// The first columns that vary, as many as a key has bits for.
std::vector<size_t> KeyColumns(const LossModel& loss) {
  std::vector<size_t> columns;
  for (size_t i = 0; i < loss.num_columns() && columns.size() < kKeyBits; ++i) {
    if (!loss.column(i).is_constant()) columns.push_back(i);
  }
  return columns;
}

std::vector<RowId> CurveOrder(const Problem& problem, const LossModel& loss, std::span<const RowId> rows) {
  const std::vector<size_t> columns = KeyColumns(loss);
  std::vector<RowId> order(rows.begin(), rows.end());
  if (columns.empty()) return order;
  const size_t bits = std::clamp<size_t>(kKeyBits / columns.size(), 1, kMostBitsPerColumn);
  std::vector<Key> keys(rows.size());
  problem.workers.ForBlocks(rows.size(), kBlockRows, [&](size_t begin, size_t end) {
    std::vector<uint32_t> x(columns.size());
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = 0; j < columns.size(); ++j) {
        const ColumnLoss& column = loss.column(columns[j]);
        const Code code = problem.quasi(columns[j]).codes()[rows[i]];
        const double at = column.is_numeric() ? column.position(code) : column.value(code) * column.step();
        x[j] = static_cast<uint32_t>(at * static_cast<double>((uint32_t{1} << bits) - 1));
      }
      AxesToHilbert(x, bits);
      Key key{0, 0, rows[i]};
      for (size_t bit = bits; bit-- > 0;) {
        for (const uint32_t value : x) {
          key.high = key.high << 1 | key.low >> 63;
          key.low = key.low << 1 | (value >> bit & 1);
        }
      }
      keys[i] = key;
    }
  });
  std::sort(keys.begin(), keys.end());
  for (size_t i = 0; i < keys.size(); ++i) order[i] = keys[i].row;
  return order;
}

// Cuts one block of the order.
class BlockCutter {
 public:
  BlockCutter(const Problem& problem, const LossModel& loss, std::span<const RowId> rows)
      : problem_(problem), loss_(loss), rows_(rows), tally_(problem.checker.EmptyTally()) {
    const uint64_t smallest = problem.checker.smallest_group();
    atom_rows_ = std::max<uint64_t>(1, smallest / kAtomsPerGroup);
    num_atoms_ = std::max<size_t>(1, rows.size() / atom_rows_);  // the last one takes what is over
    most_rows_ = problem.checker.needs_values() ? 4 * smallest : 2 * smallest - 1 + atom_rows_;
  }

  /// Groups that meet the requirement, or one that may not if the block cannot be cut.
  Lists Cut() {
    MeasureAtoms();
    std::vector<double> cost(num_atoms_ + 1, std::numeric_limits<double>::infinity());
    std::vector<size_t> from(num_atoms_ + 1, 0);
    cost[0] = 0;
    for (size_t end = 1; end <= num_atoms_; ++end) Extend(end, cost, from);
    Lists groups;
    if (cost[num_atoms_] == std::numeric_limits<double>::infinity()) {
      groups.emplace_back(rows_.begin(), rows_.end());
      return groups;
    }
    for (size_t end = num_atoms_; end > 0; end = from[end]) {
      groups.emplace_back(rows_.begin() + static_cast<ptrdiff_t>(Begin(from[end])),
                          rows_.begin() + static_cast<ptrdiff_t>(Begin(end)));
    }
    std::reverse(groups.begin(), groups.end());
    return groups;
  }

 private:
  struct Extent {
    float low = 2, high = -2;
  };

  size_t Begin(size_t atom) const { return atom == num_atoms_ ? rows_.size() : atom * atom_rows_; }

  void MeasureAtoms() {
    for (size_t i = 0; i < loss_.num_columns(); ++i) {
      const ColumnLoss& column = loss_.column(i);
      if (column.is_constant()) continue;
      (column.is_numeric() ? numbers_ : names_).push_back(i);
    }
    extents_.resize(num_atoms_ * numbers_.size());
    sets_.resize(num_atoms_ * names_.size(), 0);
    for (size_t atom = 0; atom < num_atoms_; ++atom) {
      for (size_t i = Begin(atom); i < Begin(atom + 1); ++i) {
        for (size_t j = 0; j < numbers_.size(); ++j) {
          const ColumnLoss& column = loss_.column(numbers_[j]);
          const Code code = problem_.quasi(numbers_[j]).codes()[rows_[i]];
          const auto at = static_cast<float>(column.is_missing(code) ? -2 : column.position(code));
          Extent& extent = extents_[atom * numbers_.size() + j];
          extent.low = std::min(extent.low, at);
          extent.high = std::max(extent.high, at);
        }
        for (size_t j = 0; j < names_.size(); ++j) {
          const ColumnLoss& column = loss_.column(names_[j]);
          const uint64_t value = column.value(problem_.quasi(names_[j]).codes()[rows_[i]]);
          // Of a larger domain neighbours share a bit; that is exact enough to begin with.
          const uint64_t bit = column.num_values() <= 64 ? value : value * 64 / column.num_values();
          sets_[atom * names_.size() + j] |= uint64_t{1} << bit;
        }
      }
    }
  }

  // Finds the cheapest last group among those that end before atom `end`.
  void Extend(size_t end, std::vector<double>& cost, std::vector<size_t>& from) {
    const Checker& checker = problem_.checker;
    extent_.assign(numbers_.size(), {});
    set_.assign(names_.size(), 0);
    if (checker.needs_values()) tally_.Clear();
    for (size_t begin = end; begin-- > 0;) {
      const uint64_t size = Begin(end) - Begin(begin);
      if (size > most_rows_ && end != num_atoms_) break;
      if (size > most_rows_ + 2 * atom_rows_) break;
      Take(begin);
      if ((size < checker.smallest_group() && !TADA_FAULT("compact-start")) ||
          cost[begin] == std::numeric_limits<double>::infinity())
        continue;
      tally_.rows = size;
      const double total = cost[begin] + static_cast<double>(size) * Spans();
      if (total >= cost[end] || (checker.needs_values() && !checker.Holds(tally_))) continue;
      cost[end] = total;
      from[end] = begin;
    }
  }

  void Take(size_t atom) {
    for (size_t j = 0; j < numbers_.size(); ++j) {
      const Extent& extent = extents_[atom * numbers_.size() + j];
      extent_[j].low = std::min(extent_[j].low, extent.low);
      extent_[j].high = std::max(extent_[j].high, extent.high);
    }
    for (size_t j = 0; j < names_.size(); ++j) set_[j] |= sets_[atom * names_.size() + j];
    if (!problem_.checker.needs_values()) return;
    for (size_t i = Begin(atom); i < Begin(atom + 1); ++i) problem_.checker.Add(rows_[i], tally_);
  }

  double Spans() const {
    double sum = 0;
    for (const Extent& extent : extent_) sum += std::min(1.0f, extent.high - extent.low);
    for (size_t j = 0; j < names_.size(); ++j) {
      const Code bits = std::min<Code>(64, loss_.column(names_[j]).num_values());
      sum += static_cast<double>(std::popcount(set_[j]) - 1) / static_cast<double>(bits - 1);
    }
    return sum;
  }

  const Problem& problem_;
  const LossModel& loss_;
  std::span<const RowId> rows_;
  Tally tally_;
  uint64_t atom_rows_ = 1, most_rows_ = 1;
  size_t num_atoms_ = 1;
  std::vector<size_t> numbers_, names_;
  std::vector<Extent> extents_, extent_;
  std::vector<uint64_t> sets_, set_;
};

// Joins groups that fail to those that follow, and what is left at the end to those before, until all hold.
Lists JoinFailing(const Checker& checker, Lists groups) {
  Lists valid;
  std::vector<RowId> carried;
  for (std::vector<RowId>& group : groups) {
    carried.insert(carried.end(), group.begin(), group.end());
    if (!checker.Holds(carried) && !TADA_FAULT("compact-start")) continue;
    valid.push_back(std::move(carried));
    carried.clear();
  }
  while (!carried.empty()) {
    if (!valid.empty()) {
      carried.insert(carried.end(), valid.back().begin(), valid.back().end());
      valid.pop_back();
    }
    if (!valid.empty() && !checker.Holds(carried)) continue;
    valid.push_back(std::move(carried));
    carried.clear();
  }
  return valid;
}

}  // namespace

Groups HilbertStart(const Problem& problem, const LossModel& loss, std::span<const RowId> rows) {
  const std::vector<RowId> order = CurveOrder(problem, loss, rows);
  const size_t blocks = std::max<size_t>(1, order.size() / kBlockRows);
  std::vector<Lists> parts(blocks);
  problem.workers.For(blocks, [&](size_t block) {
    const size_t begin = order.size() * block / blocks, end = order.size() * (block + 1) / blocks;
    parts[block] = BlockCutter(problem, loss, std::span(order).subspan(begin, end - begin)).Cut();
    problem.progress.Advance(end - begin);
  });
  Lists groups;
  for (Lists& part : parts) {
    for (std::vector<RowId>& group : part) groups.push_back(std::move(group));
  }
  return Groups::FromLists(JoinFailing(problem.checker, std::move(groups)));
}

}  // namespace tada
