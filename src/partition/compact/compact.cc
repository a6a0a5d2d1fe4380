#include "partition/compact/compact.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fault.h"
#include "base/random.h"
#include "partition/compact/hilbert_start.h"
#include "partition/compact/region_search.h"
#include "partition/compact/regions.h"
#include "partition/compact/search_record.h"
#include "partition/compact/search_rows.h"
#include "partition/engine/loss_model.h"
#include "partition/mondrian/ncp_split.h"
#include "partition/mondrian/stratified.h"

namespace tada {
namespace {

constexpr uint64_t kWindowsPerGroup[] = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256};  // by effort
constexpr uint64_t kRegionRows = 12000;
constexpr double kSmallTable = 1e5;  // rows; all smaller ones get as many windows in all, so more per group
constexpr double kMostWindowsTimes = 64;
// Heat at the start of the search. With fewer windows per group there is no time to cool down from it.
constexpr double kHeat = 0.2, kWindowsForHeat = 32;
constexpr double kLargeTable = 1e6;  // rows; larger ones get fewer windows, so that time grows no faster than rows
constexpr size_t kHilbertRows = 2'000'000;

// How a search goes: rounds, windows per group in each.
struct Schedule {
  uint64_t rounds = 0;
  RegionOptions region;
  uint64_t region_rows = kRegionRows;
  double heat = 0;

  RegionOptions OptionsIn(uint64_t round) const {
    RegionOptions options = region;
    options.heat_begin = heat * static_cast<double>(rounds - round) / static_cast<double>(rounds);
    options.heat_end = heat * static_cast<double>(rounds - round - 1) / static_cast<double>(rounds);
    return options;
  }
};

Schedule MakeSchedule(int effort, const Problem& problem, const Groups& start) {
  Schedule schedule;
  const auto n = static_cast<double>(start.num_rows());
  const double times = n > kLargeTable ? kLargeTable / n : std::clamp(kSmallTable / n, 1.0, kMostWindowsTimes);
  if (kWindowsPerGroup[effort] == 0) return schedule;
  const auto windows = static_cast<uint64_t>(std::max(1.0, static_cast<double>(kWindowsPerGroup[effort]) * times));
  const uint64_t mean = start.num_rows() / start.num_groups();
  schedule.region.max_pool = std::max<uint64_t>(10 * problem.checker.smallest_group(), 6 * mean);
  schedule.region_rows = std::max<uint64_t>(kRegionRows, 40 * mean);
  const bool one_region = start.num_rows() <= schedule.region_rows;
  schedule.region.windows_per_group =
      one_region ? std::max<uint64_t>(2, windows / 4) : std::max<uint64_t>(2, windows / 8);
  schedule.heat = kHeat * std::min(1.0, static_cast<double>(windows) / kWindowsForHeat);
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

// One round: every region by itself. Returns the loss of all groups.
double ImproveRegions(const Problem& problem, const SearchRows& rows, const Schedule& schedule, uint64_t round,
                      RegionMap& map, GroupLists& groups) {
  const uint64_t seed = MixSeed(problem.seed, 0xC03ACD + round);
  const auto regions = CutRegions(rows, groups, schedule.region_rows, seed);
  std::vector<GroupLists> parts(regions.size());
  std::vector<uint64_t> num_rows(regions.size());
  for (uint32_t region = 0; region < regions.size(); ++region) {
    uint32_t local = 0;
    for (const uint32_t group : regions[region]) {
      for (const uint32_t row : groups[group]) {
        map.region_of[row] = region;
        map.local_of[row] = local++;
      }
      parts[region].push_back(std::move(groups[group]));
    }
    num_rows[region] = local;
  }
  // The largest first, so that no thread is left with one at the end.
  std::vector<uint32_t> order(regions.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return num_rows[a] > num_rows[b]; });
  std::vector<double> losses(regions.size());
  const RegionOptions options = schedule.OptionsIn(round);
  problem.workers.For(regions.size(), [&](size_t i) {
    const uint32_t region = order[i];
    RegionSearch search(rows, problem.checker, map, problem.workers);
    losses[region] = search.Run(region, parts[region], options, MixSeed(seed, region + 1));
    problem.progress.Advance(num_rows[region]);
  });
  groups.clear();
  for (GroupLists& part : parts) {
    for (std::vector<uint32_t>& group : part) groups.push_back(std::move(group));
  }
  double sum = 0;
  for (const double loss : losses) sum += loss;
  return sum;
}

bool IsStratified(const Problem& problem) {
  return ComparesDistributions(problem.checker.requirement()) && problem.options.Text("stratify") != "never";
}

Groups FirstGroups(const Problem& problem, const LossModel& loss, const Groups& groups) {
  const bool is_small = groups.num_rows() < kHilbertRows && !TADA_FAULT("compact-start");
  if (is_small && IsStratified(problem)) return SplitStratified(problem, groups, "start");
  if (is_small) return SplitByCost(problem, groups, SplitCost::kNcp, "start");
  problem.progress.Begin("start", groups.num_rows());
  Groups start;
  for (GroupId group = 0; group < groups.num_groups(); ++group)
    start.Append(HilbertStart(problem, loss, groups.rows(group)));
  return start;
}

class CompactStage final : public Stage {
 public:
  explicit CompactStage(CompactOptions options) : options_(options) {}
  std::string_view name() const override { return "compact"; }
  bool MergesGroups() const override { return true; }
  std::string About(const Problem& problem) const override {
    const bool is_small = problem.table.num_rows() < kHilbertRows;
    const std::string_view start =
        is_small && IsStratified(problem) ? kStratifiedWords
        : is_small ? "Groups are cut in two, again and again, where that loses least information (NCP); "
                   : "Groups of fewer than 2 million people are cut in two, again and again, where that loses least "
                     "information (NCP), and larger ones into neighbours along a Hilbert curve; ";
    const std::string words = fmt::format("{}{}", start, kCutsThatAreNotMade);
    if (options_.effort == 0) return words;
    return words +
           fmt::format(
               " Then people change groups, and neighbouring groups are taken apart and formed anew, as long as "
               "the loss falls (effort {} of 9){}.",
               options_.effort,
               options_.label_share == 0
                   ? ""
                   : fmt::format(", of which {:g} is what is lost of the label", options_.label_share));
  }

  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    if (groups.num_groups() == 0) return groups;
    const LossModel loss(problem);
    Groups start = FirstGroups(problem, loss, groups);
    const Schedule schedule = MakeSchedule(options_.effort, problem, start);
    SearchRecord record{.effort = options_.effort, .label_share = options_.label_share};
    record.groups_before = record.groups_after = start.num_groups();
    record.ncp_before = record.ncp_after = loss.Ncp(start, problem.workers);
    record.loss = {record.ncp_before};
    if (schedule.rounds > 0 && (record.ncp_before > 0 || options_.label_share > 0)) {
      start = Search(problem, loss, schedule, std::move(start), record);
    }
    ReportSearch(record, problem.notes);
    return start;
  }

 private:
  // The rounds; gives back the start where they lost more, which windows that were accepted though worse can do.
  Groups Search(const Problem& problem, const LossModel& loss, const Schedule& schedule, Groups start,
                SearchRecord& record) const {
    const SearchRows rows = MakeSearchRows(problem, loss, start.order(), options_.label_share);
    Warn(rows, problem.notes);
    GroupLists lists = ListsOf(start, rows, problem.table.num_rows());
    RegionMap map{std::vector<uint32_t>(rows.size()), std::vector<uint32_t>(rows.size())};
    const double cells = static_cast<double>(rows.size()) * static_cast<double>(loss.num_columns());
    const double whole = rows.labels.whole;  // 0 if the label has no share, or only one value
    const auto label_loss = [&] { return whole > 0 ? Mixture(rows.labels, lists) / whole : 0; };
    const auto weighted = [&](double ncp, double label) {
      return (1 - options_.label_share) * ncp + options_.label_share * label;
    };
    record.label_before = record.label_after = label_loss();
    record.loss = {weighted(record.ncp_before, record.label_before)};
    problem.progress.Begin(name(), schedule.rounds * rows.size());
    for (uint64_t round = 0; round < schedule.rounds; ++round) {
      record.loss.push_back(weighted(ImproveRegions(problem, rows, schedule, round, map, lists) / cells, 0));
    }
    if (record.loss.back() > record.loss.front()) {
      record.loss.push_back(record.loss.front());
      return start;
    }
    record.label_after = label_loss();
    for (std::vector<uint32_t>& list : lists) {
      for (uint32_t& row : list) row = rows.row_ids[row];
    }
    Groups made = Groups::FromLists(lists);
    record.groups_after = made.num_groups();
    record.ncp_after = loss.Ncp(made, problem.workers);
    return made;
  }

  static void Warn(const SearchRows& rows, StageNotes& notes) {
    // A search or two that stopped early changes nothing worth a warning.
    constexpr uint64_t kFewSearches = 20;
    if (rows.cut_short * kFewSearches < rows.tuples.size()) return;
    notes.warnings.push_back(fmt::format(
        "Near rows were searched approximately, for more than one row in {}, because there are many quasi-identifiers",
        kFewSearches));
  }

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
                       .default_text = DefaultText(CompactOptions{}.effort),
                       .minimum = 0,
                       .maximum = 9,
                       .section = "Compact",
                       .help = "Set how long to search for less loss, in steps per group; 0 keeps the first cuts."},
                      StratifyOptionSpec()},
          .make = [](const MethodContext& context) -> Result<std::vector<std::unique_ptr<Stage>>> {
            CompactOptions options;
            options.effort = static_cast<int>(context.options.Integer("effort", options.effort));
            std::vector<std::unique_ptr<Stage>> stages;
            stages.push_back(MakeCompactStage(options));
            return stages;
          },
          .row_order = &ByPosition,
          .by_quasi_alone = &Always};
}

}  // namespace tada
