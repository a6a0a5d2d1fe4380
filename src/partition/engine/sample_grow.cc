#include "partition/engine/sample_grow.h"

#include <algorithm>
#include <cmath>

#include "base/fault.h"
#include "base/random.h"

namespace tada {
namespace {

constexpr uint64_t kGrowSample = 1 << 15;  // rows drawn of a group
constexpr uint64_t kWorthGrowing = 4;      // groups of fewer times as many rows are not sampled
constexpr uint64_t kLeastPart = 256;       // sampled rows of a part: fewer tell too little to choose a split by
constexpr double kDeviations = 3.09;       // one-sided 99.9%
constexpr uint32_t kLeaf = UINT32_MAX;

// A split found on the sample. Values that the sample does not have go with their nearest neighbour below, or above.
struct SampleSplit {
  uint32_t column = kLeaf;
  std::vector<uint16_t> child_of_code;
  uint32_t first_child = 0, num_children = 0;
  std::vector<RowId> rows;  // of a part that was not split, all of them
  Tally tally;              // of all its rows
};

std::vector<RowId> Draw(std::span<const RowId> rows, uint64_t count, Random& random) {
  std::vector<RowId> drawn;
  drawn.reserve(count);
  for (size_t i = 0; i < rows.size() && drawn.size() < count; ++i) {  // each row with the chance that is left
    if (random.Below(rows.size() - i) < count - drawn.size()) drawn.push_back(rows[i]);
  }
  return drawn;
}

// Which child each code of the column goes to, by those that the sample has.
std::vector<uint16_t> ChildOfCode(const NodeRows& rows, const Node& node, uint32_t column, Code num_codes,
                                  std::span<const uint16_t> child) {
  constexpr uint16_t kUnseen = UINT16_MAX;
  std::vector<uint16_t> child_of(num_codes, kUnseen);
  rows.rows.Visit(column, node.begin, node.end, [&](auto codes) {
    for (size_t i = 0; i < codes.size(); ++i) child_of[codes[i]] = child[i];
  });
  for (Code code = 1; code < num_codes; ++code) {
    if (child_of[code] == kUnseen) child_of[code] = child_of[code - 1];
  }
  for (Code code = num_codes; code-- > 1;) {
    if (child_of[code - 1] == kUnseen) child_of[code - 1] = child_of[code];
  }
  return child_of;
}

// Splits the sample; parts[0] is all of it.
std::vector<SampleSplit> Grow(const Problem& problem, std::vector<RowId> sample, const ChooserFor& make) {
  const Groups whole = Groups::One(std::move(sample));
  NodeRows rows(problem, whole);
  const std::unique_ptr<SplitChooser> chooser = make(problem, rows);
  const auto scratch = chooser->MakeScratch();
  std::vector<SampleSplit> parts(1);
  std::vector<Node> open{{0, rows.rows.num_positions(), 0, 0, nullptr}};
  while (!open.empty()) {
    const Node node = std::move(open.back());
    open.pop_back();
    const uint32_t count = chooser->Choose(rows, node, *scratch);
    if (count == 0) continue;
    const auto first = static_cast<uint32_t>(parts.size());
    SampleSplit& split = parts[node.id];
    split.column = scratch->column;
    split.child_of_code =
        ChildOfCode(rows, node, split.column, problem.quasi(split.column).num_codes(), scratch->child);
    split.first_child = first;
    split.num_children = count;
    const std::vector<uint32_t> begins = rows.rows.Partition(node.begin, node.end, scratch->child, count);
    std::vector<Node> children;
    for (uint32_t c = 0; c < count; ++c)
      children.push_back({begins[c], begins[c + 1], node.depth + 1, first + c, nullptr});
    chooser->OnSplit(rows, node, *scratch, children);
    for (uint32_t c = 0; c < count; ++c) {
      children[c].id = first + c;
      open.push_back(std::move(children[c]));
    }
    parts.resize(parts.size() + count);
  }
  return parts;
}

// Sends every row to its part.
void Route(const Problem& problem, std::span<const RowId> rows, std::vector<SampleSplit>& parts) {
  for (const RowId row : rows) {
    uint32_t at = 0;
    while (parts[at].column != kLeaf) {
      at = parts[at].first_child + parts[at].child_of_code[problem.quasi(parts[at].column).codes()[row]];
    }
    parts[at].rows.push_back(row);
  }
}

// Counts what parts really hold, from the last to the first: children stand behind their parents.
void CountParts(const Problem& problem, std::vector<SampleSplit>& parts) {
  for (size_t i = parts.size(); i-- > 0;) {
    SampleSplit& part = parts[i];
    if (part.column == kLeaf) {
      part.tally = problem.checker.Count(part.rows);
      continue;
    }
    part.tally = problem.checker.EmptyTally();
    for (uint32_t c = 0; c < part.num_children; ++c) part.tally.Merge(parts[part.first_child + c].tally);
  }
}

// The rows below a part; those of a split that is undone stand together.
void Gather(const std::vector<SampleSplit>& parts, uint32_t at, std::vector<RowId>& rows) {
  rows.insert(rows.end(), parts[at].rows.begin(), parts[at].rows.end());
  for (uint32_t c = 0; parts[at].column != kLeaf && c < parts[at].num_children; ++c) {
    Gather(parts, parts[at].first_child + c, rows);
  }
}

void Keep(const Problem& problem, const std::vector<SampleSplit>& parts, uint32_t at,
          std::vector<std::vector<RowId>>& lists) {
  const SampleSplit& part = parts[at];
  bool holds = part.column != kLeaf;
  for (uint32_t c = 0; holds && c < part.num_children; ++c) {
    holds = TADA_FAULT("sample-count") || problem.checker.Holds(parts[part.first_child + c].tally);
  }
  if (holds) {
    for (uint32_t c = 0; c < part.num_children; ++c) Keep(problem, parts, part.first_child + c, lists);
    return;
  }
  std::vector<RowId>& rows = lists.emplace_back();
  Gather(parts, at, rows);
  std::sort(rows.begin(), rows.end());
}

}  // namespace

uint64_t LeastSampled(uint64_t k, uint64_t rows, uint64_t sample) {
  const double needed = static_cast<double>(k) / static_cast<double>(rows), n = static_cast<double>(sample);
  const double z2 = kDeviations * kDeviations;
  const auto lower = [&](double count) {
    const double p = count / n;
    return (p + z2 / (2 * n) - kDeviations * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  };
  uint64_t count = 1;
  while (count < sample && lower(static_cast<double>(count)) < needed) ++count;
  return count;
}

Groups GrowOnSample(const Problem& problem, const Groups& groups, const ChooserFor& make) {
  std::vector<std::vector<RowId>> lists;
  Random random(MixSeed(problem.seed, 0x5A3917E));
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    const std::span<const RowId> rows = groups.rows(group);
    if (rows.size() < kWorthGrowing * kGrowSample) {
      lists.emplace_back(rows.begin(), rows.end());
      continue;
    }
    problem.progress.Begin("sample", 0);
    problem.workers.Poll();
    const uint64_t least = LeastSampled(problem.checker.smallest_group(), rows.size(), kGrowSample);
    const Checker checker =
        problem.checker.WithSmallestGroup(TADA_FAULT("sample-count") ? 1 : std::max(least, kLeastPart));
    const Problem sampled{
        problem.table,   problem.roles,       problem.task,       problem.label_weights, checker,
        problem.options, problem.seed,        problem.workers,    problem.progress,      problem.notes,
        problem.domains, problem.hierarchies, problem.importances};
    std::vector<SampleSplit> parts = Grow(sampled, Draw(rows, kGrowSample, random), make);
    problem.workers.Poll();
    Route(problem, rows, parts);
    CountParts(problem, parts);
    Keep(problem, parts, 0, lists);
  }
  return Groups::FromLists(lists);
}

OptionSpec SampleGrowOptionSpec() {
  return {.name = "sample-grow",
          .type = OptionType::kFlag,
          .section = "Mondrian",
          .help = "Find the first splits on a sample and verify them on all rows; faster on millions of rows."};
}

}  // namespace tada
