#pragma once

// Local search for less loss in one region of the table: rows change groups, groups are formed anew, and only what lowers
// the loss stays. Every step keeps the requirement (compact.h says why that is enough).
//   move       a row goes to a near group; its own keeps enough rows and values without it.
//   swap       two rows of near groups change places.
//   dissolve   all rows of a group go to near groups.
//   window     near groups are pooled, formed anew (window_rebuild.h), polished by moves and swaps among themselves.
//   try        a row drawn at random moves to, or swaps with a row of, a group near it that is drawn too: much cheaper than a window.
// A region is worked on by one thread with a seed of its own; it reads what it does not own only where nobody writes.

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/workers.h"
#include "partition/compact/group_store.h"
#include "partition/compact/window_rebuild.h"

namespace tada {

/// Where rows stand in this round; written before the regions start, then only read.
struct RegionMap {
  std::vector<uint32_t> region_of;  ///< by row of SearchRows
  std::vector<uint32_t> local_of;   ///< by row: its number within its region
};

struct RegionOptions {
  uint64_t windows_per_group = 2;
  /// Rows a window may pool.
  uint64_t max_pool = 100;
  /// How freely windows may come out worse, as in simulated annealing: one that loses `rise` more stays with the odds
  /// exp(-rise / (heat x mean loss of a group)). Falls evenly from the first window to the last.
  double heat_begin = 0, heat_end = 0;
  /// Rows that try another group after each window, and how freely: heat x mean loss of a row, which falls by the same factor from window
  /// to window.
  uint64_t tries_per_window = 0;
  double try_heat_begin = 0, try_heat_end = 0;
};

class RegionSearch {
 public:
  RegionSearch(const SearchRows& source, const Checker& checker, const RegionMap& map, const Workers& workers);

  /// Improves `groups`, lists of rows of the source that make up region `region`, in place; returns what each loses.
  std::vector<double> Run(uint32_t region, std::vector<std::vector<uint32_t>>& groups, const RegionOptions& options,
                          uint64_t seed);

 private:
  void FindNear(uint32_t row);
  std::span<const uint32_t> Near(uint32_t row) {
    if (near_begin_[row] == kNotFound) FindNear(row);
    return std::span(near_).subspan(near_begin_[row], near_count_[row]);
  }
  void CandidateSlots(uint32_t row, uint32_t most);
  bool ImproveRow(uint32_t row, std::span<const uint32_t> slots, uint64_t looked = 0);
  void Polish();
  uint32_t ImprovePass();
  void DissolvePass();
  bool Dissolve(uint32_t slot);
  void WindowPass(uint64_t steps, const RegionOptions& options);
  void TryRow(double heat);
  bool TryMove(uint32_t row, uint32_t slot, double rise);
  bool TrySwap(uint32_t row, uint32_t partner, double rise);
  void LargeGroupPass();
  bool Window(std::span<const uint32_t> pool, double rise);
  void Pool(uint32_t row, uint64_t max_rows);
  bool DealLeftovers();
  double TotalLoss() const;

  const SearchRows& source_;
  const RegionMap& map_;
  const Workers& workers_;
  GroupStore store_;
  WindowRebuild rebuild_;
  Random random_{0};
  uint32_t region_ = 0;
  std::vector<uint32_t> region_rows_;  // as the source numbers them
  // Rows near to a row, found when they are first asked for.
  static constexpr uint32_t kNotFound = UINT32_MAX;
  std::vector<uint32_t> near_, near_begin_, near_count_;
  std::vector<uint32_t> stamp_;  // by slot
  uint32_t stamp_now_ = 0;
  std::vector<uint32_t> candidates_, order_, pool_, pool_rows_, made_;
  std::vector<double> pool_gains_;
  std::vector<uint64_t>
      looked_;  // by place in pool_rows_: how many changes there had been when the row was last looked at
};

}  // namespace tada
