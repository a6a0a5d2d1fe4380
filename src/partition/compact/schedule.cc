#include "partition/compact/schedule.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tada {
namespace {

constexpr uint64_t kWindowsPerGroup[] = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256};  // by effort
constexpr double kSmallTable =
    1e5;  // rows of all controllers; smaller tables get as many windows in all, so more per group
constexpr double kFullGroup =
    10;  // rows; smaller groups gain less from more windows, so they get fewer of the additional ones
constexpr double kMostWindowsTimes = 64;
// Heat at the start of the search. With fewer windows per group there is no time to cool down from it.
constexpr double kHeat = 0.2, kWindowsForHeat = 32;
constexpr double kLargeTable = 1e6;  // rows; larger ones get fewer windows, so that time grows no faster than rows

// The most effort. Rows also try other groups after every window; a small table is searched in copies with seeds of their own, of which the
// cheaper pieces are taken (crossover.h); and most windows are left for later rounds, which heat up again and of which only those pieces
// stay that are cheaper than before.
constexpr int kMostEffort = 9;
constexpr uint64_t kFirstShare = 4;       // one window in so many is for the first rounds
constexpr uint64_t kWindowsPerRow = 128;  // and per group: what a table of a few rows needs at most
struct MostEffort {
  uint64_t copies;         // of a region
  uint64_t windows_share;  // a copy gets one window in so many of those that the effort gives
  uint64_t later_windows;  // per group and later round
  uint64_t tries_per_window;
};
constexpr MostEffort kOneRegion{4, 2, 200, 50}, kManyRegions{1, 1, 16, 20};
constexpr double kTryHeat = 3, kTryHeatEnd = 0.12;  // of the mean loss of a row
constexpr double kLaterHeat[] = {0.7, 0.4, 0.25};   // shares of the first heat; later rounds take turns with them

// Rounds that cool down evenly, windows by `heat` and tries by the same factor each.
void AddCoolingRounds(uint64_t count, const RegionOptions& region, double heat, size_t copies, Schedule& schedule) {
  const auto all = static_cast<double>(count);
  for (uint64_t round = 0; round < count; ++round) {
    const auto done = static_cast<double>(round), left = static_cast<double>(count - round);
    RegionOptions options = region;
    options.heat_begin = heat * left / all;
    options.heat_end = heat * (left - 1) / all;
    options.try_heat_begin = kTryHeat * std::pow(kTryHeatEnd / kTryHeat, done / all);
    options.try_heat_end = kTryHeat * std::pow(kTryHeatEnd / kTryHeat, (done + 1) / all);
    schedule.rounds.push_back({options, 0xC03ACD + round, copies, false});
  }
}

void AddLaterRounds(uint64_t windows, const MostEffort& most, RegionOptions region, Schedule& schedule) {
  region.windows_per_group = most.later_windows;
  region.try_heat_end = kTryHeatEnd;
  for (uint64_t round = 0; round < windows / most.later_windows; ++round) {
    const double share = kLaterHeat[round % std::size(kLaterHeat)];
    region.heat_begin = share * kHeat;
    region.try_heat_begin = share * kTryHeat;
    schedule.rounds.push_back({region, 0x1A7E2 + round, most.copies, true});
  }
}

}  // namespace

double WindowsTimes(int effort, uint64_t table_rows, uint64_t rows, uint64_t groups) {
  const auto n = static_cast<double>(rows);
  if (n > kLargeTable) return kLargeTable / n;
  const double share =
      effort == kMostEffort ? 1 : std::sqrt(std::min(1.0, n / static_cast<double>(groups) / kFullGroup));
  return std::clamp(share * kSmallTable / static_cast<double>(table_rows), 1.0, kMostWindowsTimes);
}

Schedule MakeSchedule(int effort, const Problem& problem, const Groups& start) {
  Schedule schedule;
  const double times = WindowsTimes(effort, problem.rows_of_all(), start.num_rows(), start.num_groups());
  if (kWindowsPerGroup[effort] == 0) return schedule;
  auto windows = static_cast<uint64_t>(std::max(1.0, static_cast<double>(kWindowsPerGroup[effort]) * times));
  const uint64_t mean = start.num_rows() / start.num_groups();
  RegionOptions region;
  region.max_pool = std::max<uint64_t>(10 * problem.checker.smallest_group(), 6 * mean);
  schedule.region_rows = std::max<uint64_t>(kRegionRows, 40 * mean);
  const bool one_region = start.num_rows() <= schedule.region_rows;
  const double heat = kHeat * std::min(1.0, static_cast<double>(windows) / kWindowsForHeat);
  const MostEffort& most = one_region ? kOneRegion : kManyRegions;
  const bool is_most = effort == kMostEffort;
  const uint64_t all_windows = std::min(windows / most.windows_share, kWindowsPerRow * start.num_rows());
  if (is_most) windows = std::max<uint64_t>(1, all_windows / kFirstShare);
  region.windows_per_group = std::max<uint64_t>(2, one_region && !is_most ? windows / 4 : windows / 8);
  region.tries_per_window = is_most ? most.tries_per_window : 0;
  const uint64_t rounds = (windows + region.windows_per_group - 1) / region.windows_per_group;
  AddCoolingRounds(rounds, region, heat, is_most ? most.copies : 1, schedule);
  if (is_most) AddLaterRounds(all_windows - std::min(all_windows, windows), most, region, schedule);
  return schedule;
}

}  // namespace tada
