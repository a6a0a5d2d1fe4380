#include "partition/compact/compact.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/fault.h"
#include "base/random.h"
#include "partition/compact/crossover.h"
#include "partition/compact/hilbert_start.h"
#include "partition/compact/region_search.h"
#include "partition/compact/regions.h"
#include "partition/compact/schedule.h"
#include "partition/compact/search_record.h"
#include "partition/compact/search_rows.h"
#include "partition/engine/loss_model.h"
#include "partition/mondrian/ncp_split.h"
#include "partition/mondrian/stratified.h"

namespace tada {
namespace {

constexpr size_t kHilbertRows = 2'000'000;

GroupLists ListsOf(const Groups& groups, const SearchRows& rows, size_t table_rows) {
  std::vector<uint32_t> index(table_rows);
  for (uint32_t i = 0; i < rows.size(); ++i) index[rows.row_ids[i]] = i;
  GroupLists lists(groups.num_groups());
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    for (const RowId row : groups.rows(group)) lists[group].push_back(index[row]);
  }
  return lists;
}

// Every region by itself. Of copies, and of what was there before if the round keeps it, the cheaper pieces are taken.
void ImproveRegions(const Problem& problem, const SearchRows& rows, const std::vector<uint32_t>& class_of,
                    uint64_t region_rows, const Round& round, RegionMap& map, Grouping& grouping) {
  const uint64_t seed = MixSeed(problem.seed, round.seed);
  const auto regions = CutRegions(rows, grouping.groups, region_rows, seed);
  std::vector<std::vector<Grouping>> parts(regions.size());  // by region: copies, then what was there
  std::vector<uint64_t> num_rows(regions.size());
  for (uint32_t region = 0; region < regions.size(); ++region) {
    uint32_t local = 0;
    Grouping part;
    for (const uint32_t group : regions[region]) {
      for (const uint32_t row : grouping.groups[group]) {
        map.region_of[row] = region;
        map.local_of[row] = local++;
      }
      part.groups.push_back(std::move(grouping.groups[group]));
      if (round.keeps) part.losses.push_back(grouping.losses[group]);
    }
    num_rows[region] = local;
    parts[region].assign(round.copies, {part.groups, {}});
    if (round.keeps) parts[region].push_back(std::move(part));
  }
  // The largest first, so that no thread is left with one at the end.
  std::vector<uint32_t> order(regions.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return num_rows[a] > num_rows[b]; });
  problem.workers.For(regions.size() * round.copies, [&](size_t i) {
    const uint32_t region = order[i / round.copies];
    const size_t copy = i % round.copies;
    RegionSearch search(rows, problem.checker, map, problem.workers);
    const uint64_t of_region = MixSeed(seed, region + 1);
    Grouping& part = parts[region][copy];
    part.losses = search.Run(region, part.groups, round.options, copy == 0 ? of_region : MixSeed(of_region, copy));
    problem.progress.Advance(num_rows[region]);
  });
  grouping = {};
  for (std::vector<Grouping>& of_region : parts) {
    while (of_region.size() > 1) {
      Grouping last = std::move(of_region.back());
      of_region.pop_back();
      of_region.back() = Cross(class_of, std::move(last), std::move(of_region.back()));
    }
    std::move(of_region[0].groups.begin(), of_region[0].groups.end(), std::back_inserter(grouping.groups));
    grouping.losses.insert(grouping.losses.end(), of_region[0].losses.begin(), of_region[0].losses.end());
  }
}

bool IsStratified(const Problem& problem) {
  return ComparesDistributions(problem.checker.requirement()) && problem.checker.needs_values() &&
         problem.options.Text("stratify") != "never";
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
    if (!schedule.rounds.empty() && (record.ncp_before > 0 || options_.label_share > 0)) {
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
    Grouping grouping{ListsOf(start, rows, problem.table.num_rows()), {}};
    GroupLists& lists = grouping.groups;
    const std::vector<uint32_t> class_of = FindClasses(rows);
    RegionMap map{std::vector<uint32_t>(rows.size()), std::vector<uint32_t>(rows.size())};
    const double cells = static_cast<double>(rows.size()) * static_cast<double>(loss.num_columns());
    const double whole = rows.labels.whole;  // 0 if the label has no share, or only one value
    const auto label_loss = [&] { return whole > 0 ? Mixture(rows.labels, lists) / whole : 0; };
    const auto weighted = [&](double ncp, double label) {
      return (1 - options_.label_share) * ncp + options_.label_share * label;
    };
    record.label_before = record.label_after = label_loss();
    record.loss = {weighted(record.ncp_before, record.label_before)};
    problem.progress.Begin(name(), schedule.searches_per_row() * rows.size());
    for (const Round& round : schedule.rounds) {
      ImproveRegions(problem, rows, class_of, schedule.region_rows, round, map, grouping);
      record.loss.push_back(weighted(grouping.Loss() / cells, 0));
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
