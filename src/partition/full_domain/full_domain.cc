#include "partition/full_domain/full_domain.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/fault.h"
#include "base/option_mark.h"
#include "table/label.h"

namespace tada {

FullDomain::FullDomain(const Problem& problem, std::vector<RowId> rows)
    : problem_(problem), ids_(std::move(rows)), rows_(problem.table, problem.roles.quasi, problem.hierarchies, ids_) {}

std::vector<uint8_t> FullDomain::FindOutliers(const LevelClasses& classes) const {
  const Checker& checker = problem_.checker;
  const std::vector<uint32_t> sizes = classes.Sizes();
  std::vector<uint8_t> outliers(classes.num_classes);
  if (TADA_FAULT("levels-outliers")) return outliers;
  for (uint32_t i = 0; i < classes.num_classes; ++i) outliers[i] = sizes[i] < checker.smallest_group() ? 1 : 0;
  if (!checker.needs_values()) return outliers;
  if (const uint32_t l = checker.distinct_l(); l > 0) {
    for (const CountedColumn& sensitive : checker.sensitive()) {
      std::vector<uint64_t> seen(classes.num_classes, 0);
      problem_.table.column(sensitive.column).codes().Visit([&](auto codes) {
        for (size_t i = 0; i < ids_.size(); ++i)
          seen[classes.of_row[i]] |= uint64_t{1} << sensitive.mark_of_code[codes[ids_[i]]];
      });
      for (uint32_t i = 0; i < classes.num_classes; ++i) {
        if (static_cast<uint32_t>(std::popcount(seen[i] & sensitive.counted_bits())) < l) outliers[i] = 1;
      }
    }
    return outliers;
  }
  const Groups groups = GroupsOf(classes, ids_);
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    if (outliers[group] == 0 && !checker.Holds(groups.rows(group))) outliers[group] = 1;
  }
  return outliers;
}

uint64_t FullDomain::CountRows(const LevelClasses& classes, const std::vector<uint8_t>& marked) {
  uint64_t rows = 0;
  for (const uint32_t number : classes.of_row) rows += marked[number];
  return rows;
}

void FullDomain::CompleteMask(const LevelClasses& classes, std::vector<uint8_t>& marked) const {
  if (problem_.leaving > 0) return;  // they will be left out, not masked
  const Checker& checker = problem_.checker;
  Tally tally = checker.EmptyTally();
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (marked[classes.of_row[i]] != 0) checker.Add(ids_[i], tally);
  }
  if (tally.rows == 0 || checker.Holds(tally)) return;
  const Groups groups = GroupsOf(classes, ids_);
  std::vector<GroupId> by_size(groups.num_groups());
  std::iota(by_size.begin(), by_size.end(), GroupId{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](GroupId a, GroupId b) { return groups.rows(a).size() < groups.rows(b).size(); });
  for (const GroupId group : by_size) {
    if (marked[group] != 0) continue;
    marked[group] = 1;
    for (const RowId row : groups.rows(group)) checker.Add(row, tally);
    if (checker.Holds(tally)) return;
  }
}

Groups FullDomain::MakeGroups(const LevelVector& levels, const LevelClasses& classes,
                              const std::vector<uint8_t>& marked) const {
  std::vector<std::vector<RowId>> lists(classes.num_classes + size_t{1});
  for (size_t i = 0; i < ids_.size(); ++i) {
    const uint32_t number = classes.of_row[i];
    lists[marked[number] != 0 ? classes.num_classes : number].push_back(ids_[i]);
  }
  const bool masked = !lists.back().empty();
  Groups groups = Groups::FromLists(lists);
  groups.set_levels(levels);
  if (masked) groups.set_masked(groups.num_groups() - 1);
  return groups;
}

namespace {

Fact LevelFacts(const FullDomain& domain, const LevelVector& levels) {
  Fact::Map facts;
  for (size_t c = 0; c < levels.size(); ++c) facts.emplace_back(domain.problem().quasi(c).name(), levels[c]);
  return facts;
}

constexpr std::string_view kLevelsAbout =
    "Level 0 shows the values of a column as they are; every level above it says less, and the top nothing.";

}  // namespace

NoteSection DescribeLevels(const FullDomain& domain, const LevelChoice& taken, const std::vector<LevelChoice>& next,
                           std::string_view loss_name) {
  NoteSection section{.key = "levels", .title = "The levels that were chosen", .raw = true};
  DataTable table{.header = {""}, .right = {false}};
  for (size_t c = 0; c < taken.levels.size(); ++c) {
    table.header.push_back(fmt::format("{} (of {})", domain.problem().quasi(c).name(), domain.rows().top(c)));
    table.right.push_back(true);
  }
  table.header.emplace_back("loss");
  table.right.push_back(true);
  const auto add = [&](std::string name, const LevelChoice& choice) {
    std::vector<std::string> row = {std::move(name)};
    for (const uint8_t level : choice.levels) row.push_back(fmt::format("{}", level));
    row.push_back(fmt::format("{:.6g}", choice.loss));
    table.rows.push_back(std::move(row));
  };
  add("chosen", taken);
  Fact::List others;
  for (const LevelChoice& choice : next) {
    add("next best", choice);
    others.push_back(FactMap().Add("levels", LevelFacts(domain, choice.levels)).Add("loss", choice.loss));
  }
  section.facts = FactMap()
                      .Add("chosen", LevelFacts(domain, taken.levels))
                      .Add("top", LevelFacts(domain, domain.rows().Top()))
                      .Add("loss", taken.loss)
                      .Add("next", std::move(others));
  section.blocks = {{fmt::format("{} The loss is {}.", kLevelsAbout, loss_name)}, {std::move(table)}};
  return section;
}

NoteSection DescribeLevels(const FullDomain& domain, const LevelVector& taken) {
  NoteSection section{.key = "levels", .title = "The levels that were chosen", .raw = true};
  DataTable table{.header = {"column", "level", "top", "rows short of the requirement one level lower"},
                  .right = {false, true, true, true}};
  Fact::List lower;
  for (size_t c = 0; c < taken.size(); ++c) {
    const std::string& name = domain.problem().quasi(c).name();
    std::string short_rows;
    if (taken[c] > 0) {
      LevelVector levels = taken;
      --levels[c];
      const LevelClasses classes = domain.rows().FindClasses(levels);
      const uint64_t rows = FullDomain::CountRows(classes, domain.FindOutliers(classes));
      short_rows = fmt::format("{}", rows);
      lower.push_back(FactMap().Add("column", name).Add("level", levels[c]).Add("short_rows", rows));
    }
    table.rows.push_back({name, fmt::format("{}", taken[c]), fmt::format("{}", domain.rows().top(c)), short_rows});
  }
  section.facts = FactMap()
                      .Add("chosen", LevelFacts(domain, taken))
                      .Add("top", LevelFacts(domain, domain.rows().Top()))
                      .Add("one_lower", std::move(lower));
  section.blocks = {{std::string(kLevelsAbout)}, {std::move(table)}};
  return section;
}

OptionSpec SuppressOption() {
  return {.name = "suppress",
          .type = OptionType::kReal,
          .value_name = "percent",
          .default_text = "0",
          .minimum = 0,
          .maximum = 100,
          .section = "Recoding of columns",
          .help = "Allow this share of the rows to be masked as a whole, so that the others keep lower levels."};
}

uint64_t RowsToSuppress(const Problem& problem, size_t rows) {
  const double percent = problem.leaving > 0 ? problem.leaving : problem.options.Real("suppress", 0);
  return static_cast<uint64_t>(percent / 100.0 * static_cast<double>(rows) + 1e-9);
}

void WarnOfMask(const Problem& problem, const FullDomain& domain, const LevelVector& levels) {
  if (problem.leaving > 0 || problem.options.Real("suppress", 0) <= 0 || levels != domain.rows().Top()) return;
  problem.notes.warnings.emplace_back(TADA_OPTION(
      "suppress") ": every column is at its top level. Masked rows are a class that has to meet the requirement "
                  "itself, "
                  "so "
                  "a few outliers cannot be masked alone; " TADA_OPTION("withhold") " leaves them out instead");
}

std::string SuppressWords(const Problem& problem) {
  const double percent = problem.options.Real("suppress", 0);
  return percent > 0 ? fmt::format(", with at most {:g}% of the people masked", percent) : "";
}

double NodeLoss(const Column& column, const Hierarchy& hierarchy, uint32_t level, Code node) {
  if (column.num_values() < 2 || level == 0) return 0;
  const std::string& label = hierarchy.label(level, node);
  if (label == column.text(hierarchy.low(level, node))) return 0;
  if (label == "*") return 1;
  return LabelLoss(column, label, hierarchy.leaves(level, node));
}

double NodeLeafLoss(const Column& column, const Hierarchy& hierarchy, uint32_t level, Code node) {
  if (column.num_values() < 2 || level == 0) return 0;
  if (hierarchy.label(level, node) == "*") return 1;
  const Code leaves = hierarchy.leaves(level, node);
  return leaves < 2 ? 0 : static_cast<double>(leaves) / static_cast<double>(column.num_values());
}

}  // namespace tada
