#include "partition/compact.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "partition/loss_model.h"
#include "partition/ncp_split.h"
#include "partition/region_search.h"
#include "partition/regions.h"
#include "partition/search_rows.h"

namespace tada {
namespace {

constexpr uint64_t kWindowsPerGroup[] = {0, 1, 2, 3, 4, 6, 12, 24, 48, 96};  // by effort
constexpr uint64_t kRegionRows = 6000;
constexpr double kSmallTable = 20000;  // rows; smaller ones get more windows, which cost them little
constexpr double kMostWindowsTimes = 32;

// How a search goes: rounds, windows a group in each.
struct Schedule {
  uint64_t rounds = 0;
  RegionOptions region;
  uint64_t region_rows = kRegionRows;
};

Schedule MakeSchedule(int effort, const Problem& problem, const Groups& start) {
  Schedule schedule;
  const auto n = static_cast<double>(start.num_rows());
  const double times = std::clamp(kSmallTable / n, 1.0, kMostWindowsTimes);
  const auto windows = static_cast<uint64_t>(static_cast<double>(kWindowsPerGroup[effort]) * times);
  if (windows == 0) return schedule;
  const uint64_t mean = start.num_rows() / start.num_groups();
  schedule.region.max_pool = std::max<uint64_t>(10 * problem.checker.smallest_group(), 6 * mean);
  schedule.region_rows = std::max<uint64_t>(kRegionRows, 40 * mean);
  const bool one_region = start.num_rows() <= schedule.region_rows;
  schedule.region.windows_per_group = one_region ? std::max<uint64_t>(2, windows / 4) : std::max<uint64_t>(2, windows / 8);
  schedule.region.tolerance = one_region ? 0.05 : 0;
  schedule.rounds = (windows + schedule.region.windows_per_group - 1) / schedule.region.windows_per_group;
  return schedule;
}

GroupLists ListsOf(const Groups& groups, const SearchRows& rows, size_t table_rows) {
  std::vector<uint32_t> index(table_rows);
  for (uint32_t i = 0; i < rows.size(); ++i) index[rows.row_ids[i]] = i;
  GroupLists lists(groups.num_groups());
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    for (const RowId row : groups.rows(group)) lists[group].push_back(index[row]);
  }
  return lists;
}

// One round: every region by itself.
void ImproveRegions(const Problem& problem, const SearchRows& rows, const Schedule& schedule, uint64_t round, RegionMap& map,
                    GroupLists& groups) {
  const uint64_t seed = MixSeed(problem.seed, 0xC03ACD + round);
  const auto regions = CutRegions(rows, groups, schedule.region_rows, seed);
  std::vector<GroupLists> parts(regions.size());
  for (uint32_t region = 0; region < regions.size(); ++region) {
    uint32_t local = 0;
    for (const uint32_t group : regions[region]) {
      for (const uint32_t row : groups[group]) {
        map.region_of[row] = region;
        map.local_of[row] = local++;
      }
      parts[region].push_back(std::move(groups[group]));
    }
  }
  problem.workers.For(regions.size(), [&](size_t region) {
    RegionSearch search(rows, problem.checker, map, problem.workers);
    search.Run(static_cast<uint32_t>(region), parts[region], schedule.region, MixSeed(seed, region + 1));
    problem.progress.Advance(1);
  });
  groups.clear();
  for (GroupLists& part : parts) {
    for (std::vector<uint32_t>& group : part) groups.push_back(std::move(group));
  }
}

class CompactStage final : public Stage {
 public:
  explicit CompactStage(CompactOptions options) : options_(options) {}
  std::string_view name() const override { return "compact"; }

  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    if (groups.num_groups() == 0) return groups;
    const LossModel loss(problem);
    const Groups start = SplitByCost(problem, groups, SplitCost::kNcp, "start");
    const Schedule schedule = MakeSchedule(options_.effort, problem, start);
    const double before = loss.Ncp(start, problem.workers);
    if (schedule.rounds == 0 || before == 0) return start;
    const SearchRows rows = MakeSearchRows(problem, loss, start.order());
    GroupLists lists = ListsOf(start, rows, problem.table.num_rows());
    RegionMap map{std::vector<uint32_t>(rows.size()), std::vector<uint32_t>(rows.size())};
    for (uint64_t round = 0; round < schedule.rounds; ++round) ImproveRegions(problem, rows, schedule, round, map, lists);
    for (std::vector<uint32_t>& list : lists) {
      for (uint32_t& row : list) row = rows.row_ids[row];
    }
    return Groups::FromLists(lists);
  }

 private:
  CompactOptions options_;
};

}  // namespace

std::unique_ptr<Stage> MakeCompactStage(CompactOptions options) { return std::make_unique<CompactStage>(options); }

MethodEntry CompactMethod() {
  return {.name = "compact",
          .maturity = Maturity::kStable,
          .summary = "Least information loss: cheapest cuts, then rows change groups as long as the loss falls.",
          .page = "docs/algorithms/compact.md",
          .tasks = {},
          .options = {{.name = "effort",
                       .type = OptionType::kInteger,
                       .value_name = "0-9",
                       .default_text = "5",
                       .minimum = 0,
                       .maximum = 9,
                       .section = "Compact",
                       .help = "How long to search for less loss, in steps a group; 0 keeps the first cuts."}},
          .make = [](const MethodContext& context) -> Result<std::vector<std::unique_ptr<Stage>>> {
            CompactOptions options;
            options.effort = static_cast<int>(context.options.Integer("effort", CompactOptions::kDefaultEffort));
            std::vector<std::unique_ptr<Stage>> stages;
            stages.push_back(MakeCompactStage(options));
            return stages;
          }};
}

}  // namespace tada
