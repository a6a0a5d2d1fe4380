#include "partition/ta_da/tree_chooser.h"

#include <algorithm>

#include "base/log2.h"
#include "partition/engine/splits/node_tables.h"

namespace tada {
namespace {

constexpr double kMeanMargin = 1e-3;  // C4.5 looks at ratios only among gains this close to the mean, or above

struct TreeScratch final : SplitScratch {
  TreeScratch(const Problem& problem, std::span<const LabelView> labels)
      : search(problem, labels), tables(problem, labels), ahead(problem.num_quasi()) {}

  LabelSplitSearch search;
  NodeTables tables;
  std::vector<LabelSplit> candidates;
  std::vector<ValueTable> ahead;  // of a child, when looking ahead
  std::vector<LabelSplit> candidates_ahead;
  LabelSplit chosen;
};

// C4.5 Release 8: a numeric gain pays for the choice among its cuts.
double ReducedGain(const LabelSplit& split, uint64_t rows) {
  if (split.multiway) return split.gain;
  return split.gain - Log2(static_cast<double>(split.num_values - 1)) / static_cast<double>(rows);
}

// Among gains not much below the mean the best ratio; ties to the first column.
const LabelSplit* BestByRatio(const std::vector<LabelSplit>& candidates) {
  double mean = 0;
  for (const LabelSplit& split : candidates) mean += split.gain / static_cast<double>(candidates.size());
  const LabelSplit* best = nullptr;
  double best_ratio = 0;
  for (const LabelSplit& split : candidates) {
    if (split.gain < mean - kMeanMargin || split.split_info <= 0) continue;
    const double ratio = split.gain / split.split_info;
    if (best == nullptr || ratio > best_ratio) {
      best = &split;
      best_ratio = ratio;
    }
  }
  return best;
}

const LabelSplit* BestByGain(const std::vector<LabelSplit>& candidates) {
  const auto best = std::max_element(candidates.begin(), candidates.end(),
                                     [](const LabelSplit& a, const LabelSplit& b) { return a.gain < b.gain; });
  return best == candidates.end() ? nullptr : &*best;
}

}  // namespace

TreeChooser::TreeChooser(const Problem& problem, std::vector<LabelView> labels, TreeOptions options, TreeRecord* record)
    : problem_(problem), options_(options), record_(record), labels_(std::move(labels)) {}

std::unique_ptr<SplitScratch> TreeChooser::MakeScratch() const {
  return std::make_unique<TreeScratch>(problem_, labels_);
}

uint32_t TreeChooser::Choose(const NodeRows& rows, const Node& node, SplitScratch& base) const {
  auto& scratch = static_cast<TreeScratch&>(base);
  scratch.tables.Forget();
  if (node.size() < 2 * problem_.checker.smallest_group()) return 0;
  bool pure = true;
  for (uint32_t t = 0; pure && t < labels_.size(); ++t) {
    const WorkingRows::Extent extent = rows.rows.FindExtent(rows.first_label + t, node.begin, node.end);
    pure = extent.low == extent.high;
  }
  if (pure) return 0;

  scratch.tables.Count(rows, node);
  const NodeSplit split = options_.lookahead ? Take(LookAhead(rows, node, scratch), scratch.tables.all(), scratch)
                                             : Decide(scratch.tables.all(), scratch);
  return split.num_children == 0 ? 0 : AssignChildren(rows, node, split, scratch.child);
}

NodeSplit TreeChooser::Decide(std::span<const ValueTable> tables, SplitScratch& base) const {
  auto& scratch = static_cast<TreeScratch&>(base);
  uint64_t rows = 0;
  for (size_t v = 0; v < tables[0].size(); ++v) rows += tables[0].rows(v);
  if (rows < 2 * problem_.checker.smallest_group()) return {};
  if (options_.split == TreeOptions::Split::kMultiway) {
    FindCandidates(tables, kLeastLabelGain, scratch, scratch.candidates);
    return Take(BestByRatio(scratch.candidates), tables, scratch);
  }
  return FindBest(tables, scratch) ? ByValues(scratch.chosen, tables[scratch.column]) : NodeSplit{};
}

bool TreeChooser::FindBest(std::span<const ValueTable> tables, SplitScratch& base) const {
  auto& scratch = static_cast<TreeScratch&>(base);
  const bool thorough = options_.split == TreeOptions::Split::kConditional;
  bool found = false;
  double most = kLeastLabelGain;
  for (uint32_t i = 0; i < problem_.num_quasi(); ++i) {
    // What gains no more than another column need not be written out; where columns count differently, that is not known yet.
    const double least = problem_.importance(i) == 1 ? most : kLeastLabelGain;
    std::optional<LabelSplit> split = problem_.quasi(i).kind() != Kind::kCategorical
                                          ? scratch.search.BestCut(tables[i], i)
                                          : scratch.search.BestSubset(tables[i], i, thorough, least);
    if (!split) continue;
    split->gain *= problem_.importance(i);
    if (split->gain <= most) continue;
    found = true;
    most = split->gain;
    scratch.column = i;
    scratch.chosen = *std::move(split);
  }
  return found;
}

void TreeChooser::FindCandidates(std::span<const ValueTable> tables, double least, SplitScratch& base,
                                 std::vector<LabelSplit>& candidates) const {
  auto& scratch = static_cast<TreeScratch&>(base);
  const bool multiway = options_.split == TreeOptions::Split::kMultiway;
  const bool thorough = options_.split == TreeOptions::Split::kConditional;
  uint64_t rows = 0;
  for (size_t v = 0; v < tables[0].size(); ++v) rows += tables[0].rows(v);
  candidates.clear();
  for (uint32_t i = 0; i < problem_.num_quasi(); ++i) {
    const bool ordered = problem_.quasi(i).kind() != Kind::kCategorical;
    std::optional<LabelSplit> split = ordered    ? scratch.search.BestCut(tables[i], i)
                                      : multiway ? scratch.search.Multiway(tables[i], i)
                                                 : scratch.search.BestSubset(tables[i], i, thorough, least);
    if (!split) continue;
    if (multiway) split->gain = ReducedGain(*split, rows);
    split->gain *= problem_.importance(i);
    if (split->gain > least) candidates.push_back(*std::move(split));
  }
}

double TreeChooser::BestGain(const NodeRows& rows, const Node& node, SplitScratch& base) const {
  auto& scratch = static_cast<TreeScratch&>(base);
  if (node.size() < 2 * problem_.checker.smallest_group()) return 0;
  for (uint32_t i = 0; i < problem_.num_quasi(); ++i) scratch.ahead[i].Count(problem_, rows, node, i, labels_);
  FindCandidates(scratch.ahead, kLeastLabelGain, scratch, scratch.candidates_ahead);
  const LabelSplit* best = BestByGain(scratch.candidates_ahead);
  return best == nullptr ? 0 : best->gain * node.size();
}

const LabelSplit* TreeChooser::LookAhead(const NodeRows& rows, const Node& node, SplitScratch& base) const {
  auto& scratch = static_cast<TreeScratch&>(base);
  FindCandidates(scratch.tables.all(), -1, scratch,
                 scratch.candidates);  // one that gains nothing may prepare one that does
  NodeRows copy = rows.Slice(node.begin, node.end);
  const uint32_t size = node.size();
  const LabelSplit* best = nullptr;
  double most = kLeastLabelGain * size;
  for (const LabelSplit& split : scratch.candidates) {
    const NodeSplit children = ByValues(split, scratch.tables.table(split.column));
    AssignChildren(copy, {0, size, 0, 0, nullptr}, children, scratch.child);
    const uint32_t middle = copy.rows.Partition(0, size, scratch.child, 2)[1];
    const double gain = split.gain * size + BestGain(copy, {0, middle, 0, 0, nullptr}, scratch) +
                        BestGain(copy, {middle, size, 0, 0, nullptr}, scratch);
    if (gain <= most) continue;
    most = gain;
    best = &split;
  }
  return best;
}

NodeSplit TreeChooser::Take(const LabelSplit* best, std::span<const ValueTable> tables, SplitScratch& base) const {
  auto& scratch = static_cast<TreeScratch&>(base);
  if (best == nullptr) return {};
  scratch.chosen = *best;
  scratch.column = best->column;
  return ByValues(scratch.chosen, tables[scratch.chosen.column]);
}

void TreeChooser::OnSplit(const NodeRows& rows, const Node& node, SplitScratch& base, std::span<Node> children) const {
  auto& scratch = static_cast<TreeScratch&>(base);
  const ValueTable& table = scratch.tables.table(scratch.chosen.column);
  std::vector<Code> values;
  for (size_t v = 0; scratch.chosen.multiway && v < table.size(); ++v) values.push_back(table.code(v));
  const uint32_t first = record_->Split(node, std::move(scratch.chosen), std::move(values), children);
  for (uint32_t c = 0; c < children.size(); ++c) children[c].id = first + c;
  scratch.tables.Hand(rows, children);
}

}  // namespace tada
