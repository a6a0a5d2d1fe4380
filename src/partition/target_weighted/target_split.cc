#include "partition/target_weighted/target_split.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/fault.h"
#include "partition/engine/splits/admissible.h"

namespace tada {
namespace {

constexpr double kLeastDecrease = 1e-9;
constexpr size_t kMostOrders = 8;  // by the mean p of a class, the most frequent classes first
constexpr Code kNoCode = std::numeric_limits<Code>::max();

}  // namespace

// A set of values that goes left.
struct TargetSplit::Candidate {
  uint32_t column = 0;
  Code low = 0;
  std::vector<uint8_t> right;  // by code - low
  uint64_t left_rows = 0;
  double decrease = 0;
};

struct TargetSplit::Scratch final : SplitScratch {
  Scratch(const Problem& problem, const MedianChooser& chooser) : admissible(problem), median(chooser.MakeScratch()) {}

  Admissible admissible;
  std::unique_ptr<SplitScratch> median;
  std::vector<float> p;          // of the node's rows, in their order
  std::vector<double> sum;       // of p over the node
  double spread = 0, width = 0;  // of the node
  Code low = 0;                  // of the column at hand
  std::vector<uint32_t> counts;  // by code - low
  std::vector<Code> values;      // codes - low that occur, in the order at hand
  std::vector<double> mean;      // p of each value, class by class
  std::vector<Candidate> candidates;
  std::vector<double> left_sum;
  std::vector<uint8_t> seen;  // sides on which a code occurs, as bits
};

TargetSplit::TargetSplit(const Problem& problem, const Teacher& teacher, std::span<const RowId> rows, double lambda)
    : problem_(problem),
      teacher_(teacher),
      median_(problem, {}),
      lambda_(lambda),
      place_of_row_(problem.table.num_rows()) {
  for (size_t i = 0; i < rows.size(); ++i) place_of_row_[rows[i]] = static_cast<uint32_t>(i);
}

std::unique_ptr<SplitScratch> TargetSplit::MakeScratch() const { return std::make_unique<Scratch>(problem_, median_); }

void TargetSplit::Gather(const NodeRows& rows, const Node& node, Scratch& scratch) const {
  const uint32_t classes = teacher_.num_classes;
  scratch.p.resize(size_t{node.size()} * classes);
  scratch.sum.assign(classes, 0.0);
  double squares = 0;
  for (uint32_t i = 0; i < node.size(); ++i) {
    const float* from = teacher_.p.data() + size_t{place_of_row_[rows.rows.rows()[node.begin + i]]} * classes;
    float* to = scratch.p.data() + size_t{i} * classes;
    for (uint32_t c = 0; c < classes; ++c) {
      to[c] = from[c];
      scratch.sum[c] += from[c];
      squares += static_cast<double>(from[c]) * from[c];
    }
  }
  double mean_squares = 0;
  for (const double sum : scratch.sum) mean_squares += sum * sum / node.size();
  scratch.spread = std::max(0.0, squares - mean_squares);
  scratch.width = Width(rows, node, {}, node.size(), scratch);
}

void TargetSplit::MeasureRoot(const NodeRows& rows, const Groups& groups) {
  Scratch scratch(problem_, median_);
  for (const Groups::Span& span : groups.spans()) {
    Gather(rows, {span.begin, span.end, 0, 0, nullptr}, scratch);
    root_spread_ += scratch.spread;
    root_width_ += scratch.width;
  }
}

double TargetSplit::Span(uint32_t column, Code low, Code high, uint32_t num_values) const {
  if (low == high) return 0;
  if (problem_.quasi(column).is_numeric()) return NormalizedSpan(problem_, column, low, high);
  const Code domain = problem_.domains[column].num_values;
  return domain > 1 ? problem_.importance(column) * static_cast<double>(num_values - 1) / (domain - 1) : 0;
}

double TargetSplit::Width(const NodeRows& rows, const Node& node, std::span<const uint16_t> child, uint64_t left_rows,
                          Scratch& scratch) const {
  double left_width = 0, right_width = 0;
  const uint16_t all_left = 0;
  for (uint32_t column = 0; column < problem_.num_quasi(); ++column) {
    Code low[2] = {kNoCode, kNoCode}, high[2] = {0, 0};
    uint32_t values[2] = {0, 0};
    const bool names = !problem_.quasi(column).is_numeric();
    rows.rows.Visit(column, node.begin, node.end, [&](auto codes) {
      if (names) {
        scratch.seen.assign(problem_.quasi(column).num_codes(), 0);
        for (size_t i = 0; i < codes.size(); ++i) {
          scratch.seen[codes[i]] |= static_cast<uint8_t>(1 << (child.empty() ? all_left : child[i]));
        }
        for (Code code = 0; code < scratch.seen.size(); ++code) {
          for (int side = 0; side < 2; ++side) {
            if (!(scratch.seen[code] >> side & 1)) continue;
            low[side] = std::min(low[side], code);
            high[side] = code;
            ++values[side];
          }
        }
        return;
      }
      Code left_low = kNoCode, left_high = 0, right_low = kNoCode, right_high = 0;
      for (size_t i = 0; i < codes.size(); ++i) {
        const bool right = !child.empty() && child[i] != 0;
        const Code code = codes[i];
        left_low = std::min(left_low, right ? kNoCode : code);
        left_high = std::max(left_high, right ? Code{0} : code);
        right_low = std::min(right_low, right ? code : kNoCode);
        right_high = std::max(right_high, right ? code : Code{0});
      }
      low[0] = left_low;
      high[0] = left_high;
      low[1] = right_low;
      high[1] = right_high;
    });
    const double weight = teacher_.weights[column];
    left_width += weight * Span(column, low[0], high[0], values[0]);
    if (left_rows < node.size()) right_width += weight * Span(column, low[1], high[1], values[1]);
  }
  return static_cast<double>(left_rows) * left_width + static_cast<double>(node.size() - left_rows) * right_width;
}

void TargetSplit::CountValues(const NodeRows& rows, const Node& node, uint32_t column, Scratch& scratch) const {
  const WorkingRows::Extent extent = rows.rows.FindExtent(column, node.begin, node.end);
  const bool names = problem_.quasi(column).kind() == Kind::kCategorical;
  const uint32_t classes = teacher_.num_classes;
  scratch.low = extent.low;
  scratch.counts.assign(extent.high - extent.low + 1, 0);
  scratch.mean.assign(names ? scratch.counts.size() * classes : 0, 0.0);
  rows.rows.Visit(column, node.begin, node.end, [&](auto codes) {
    for (size_t i = 0; i < codes.size(); ++i) {
      const size_t value = codes[i] - extent.low;
      ++scratch.counts[value];
      for (uint32_t c = 0; names && c < classes; ++c) scratch.mean[value * classes + c] += scratch.p[i * classes + c];
    }
  });
  scratch.values.clear();
  for (Code value = 0; value < scratch.counts.size(); ++value) {
    if (scratch.counts[value] == 0) continue;
    scratch.values.push_back(value);
    for (uint32_t c = 0; names && c < classes; ++c) scratch.mean[value * classes + c] /= scratch.counts[value];
  }
}

// Cuts before and behind the value that holds the median row, in the order of scratch.values.
void TargetSplit::AddCuts(uint32_t column, Scratch& scratch) const {
  uint64_t rows = 0;
  for (const Code value : scratch.values) rows += scratch.counts[value];
  uint64_t before = 0;
  size_t at = 0;
  while (before + scratch.counts[scratch.values[at]] <= rows / 2) before += scratch.counts[scratch.values[at++]];
  const uint64_t smallest = TADA_FAULT("target-rows") ? 1 : problem_.checker.smallest_group();
  const auto add = [&](size_t num_left, uint64_t left_rows) {
    if (num_left == 0 || num_left == scratch.values.size()) return;
    if (left_rows < smallest || rows - left_rows < smallest) return;
    Candidate candidate{column, scratch.low, std::vector<uint8_t>(scratch.counts.size(), 1), left_rows, 0};
    for (size_t i = 0; i < num_left; ++i) candidate.right[scratch.values[i]] = 0;
    for (const Candidate& other : scratch.candidates) {  // another order may have found the same sides
      if (other.column != column) continue;
      const bool flipped = other.right[scratch.values[0]] != candidate.right[scratch.values[0]];
      if (std::all_of(scratch.values.begin(), scratch.values.end(),
                      [&](Code value) { return (other.right[value] != candidate.right[value]) == flipped; })) {
        return;
      }
    }
    scratch.candidates.push_back(std::move(candidate));
  };
  add(at, before);
  add(at + 1, before + scratch.counts[scratch.values[at]]);
}

void TargetSplit::AddCandidates(uint32_t column, Scratch& scratch) const {
  if (scratch.values.size() < 2) return;
  AddCuts(column, scratch);  // in the order of the values
  if (problem_.quasi(column).kind() != Kind::kCategorical || scratch.values.size() == 2) return;
  const uint32_t classes = teacher_.num_classes;
  const size_t orders = classes == 2 ? 1 : std::min<size_t>(classes, kMostOrders);
  const auto by = [&](const auto& key) {
    std::sort(scratch.values.begin(), scratch.values.end(), [&](Code a, Code b) {
      const auto key_a = key(a), key_b = key(b);
      return key_a != key_b ? key_a < key_b : a < b;
    });
    AddCuts(column, scratch);
  };
  for (size_t i = 0; i < orders; ++i)
    by([&](Code value) { return scratch.mean[value * classes + teacher_.frequent[i]]; });
  by([&](Code value) { return -static_cast<int64_t>(scratch.counts[value]); });
}

void TargetSplit::AssignSides(const NodeRows& rows, const Node& node, const Candidate& candidate,
                              Scratch& scratch) const {
  scratch.child.resize(node.size());
  rows.rows.Visit(candidate.column, node.begin, node.end, [&](auto codes) {
    for (size_t i = 0; i < codes.size(); ++i) scratch.child[i] = candidate.right[codes[i] - candidate.low];
  });
}

double TargetSplit::Decrease(const NodeRows& rows, const Node& node, uint64_t left_rows, Scratch& scratch) const {
  const uint32_t classes = teacher_.num_classes;
  scratch.left_sum.assign(classes, 0.0);
  for (uint32_t i = 0; i < node.size(); ++i) {
    const float keep = scratch.child[i] == 0 ? 1.0f : 0.0f;
    for (uint32_t c = 0; c < classes; ++c) scratch.left_sum[c] += keep * scratch.p[size_t{i} * classes + c];
  }
  // The spread falls by what the sides' means differ.
  const auto left = static_cast<double>(left_rows), right = static_cast<double>(node.size() - left_rows);
  double spread = 0;
  for (uint32_t c = 0; c < classes; ++c) {
    const double difference = scratch.left_sum[c] / left - (scratch.sum[c] - scratch.left_sum[c]) / right;
    spread += difference * difference * left * right / (left + right);
  }
  const double width = scratch.width - Width(rows, node, scratch.child, left_rows, scratch);
  return (root_spread_ > 0 ? lambda_ * spread / root_spread_ : 0) +
         (root_width_ > 0 ? (1 - lambda_) * width / root_width_ : 0);
}

uint32_t TargetSplit::Choose(const NodeRows& rows, const Node& node, SplitScratch& base) const {
  auto& scratch = static_cast<Scratch&>(base);
  if (node.size() < 2 * problem_.checker.smallest_group()) return 0;
  problem_.workers.Poll();
  Gather(rows, node, scratch);
  scratch.candidates.clear();
  for (uint32_t column = 0; column < problem_.num_quasi(); ++column) {
    CountValues(rows, node, column, scratch);
    AddCandidates(column, scratch);
  }
  for (Candidate& candidate : scratch.candidates) {
    AssignSides(rows, node, candidate, scratch);
    candidate.decrease = Decrease(rows, node, candidate.left_rows, scratch);
  }
  std::stable_sort(scratch.candidates.begin(), scratch.candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.decrease > b.decrease; });
  for (const Candidate& candidate : scratch.candidates) {
    if (candidate.decrease <= kLeastDecrease) break;
    AssignSides(rows, node, candidate, scratch);
    if (scratch.admissible.BothSides(rows, node, scratch.child)) return 2;
  }
  const uint32_t children = median_.Choose(rows, node, *scratch.median);
  if (children > 0) scratch.child = scratch.median->child;
  return children;
}

}  // namespace tada
