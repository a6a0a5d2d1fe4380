#include "partition/split_sides.h"

#include <algorithm>

#include "learn/entropy.h"

namespace tada {
namespace {

// Up to this many classes their sum is formed anew each time, always in the same order, so that equal counts give equal
// doubles; beyond, it is kept up to date, which may differ in the last bits.
constexpr Code kFewClasses = 32;

double ClassLogSum(const ValueCounts& counts, Code num_values) {
  double sum = 0;
  for (Code value = 0; value < num_values; ++value) sum += XLog2X(counts.count(value));
  return sum;
}

}  // namespace

SplitSides::SplitSides(const Problem& problem, std::span<const LabelView> labels)
    : checker_(problem.checker), labels_(labels), smallest_(problem.checker.smallest_group()) {
  for (Side* side : {&left_, &right_}) {
    side->tally = checker_.EmptyTally();
    for (const LabelView& label : labels_) side->classes.emplace_back(label.numeric() ? 0 : label.num_values);
    side->log_sums.assign(labels_.size(), 0);
    side->sums.assign(labels_.size(), {});
  }
}

void SplitSides::Clear(Side& side) {
  side.tally.Clear();
  for (ValueCounts& counts : side.classes) counts.Clear();
  std::fill(side.log_sums.begin(), side.log_sums.end(), 0.0);
  std::fill(side.sums.begin(), side.sums.end(), LabelSums{});
}

void SplitSides::Start(const ValueTable& table) {
  Clear(left_);
  Clear(right_);
  for (size_t value = 0; value < table.size(); ++value) right_.tally.rows += table.rows(value);
  for (size_t t = 0; t < labels_.size(); ++t) {
    if (labels_[t].numeric()) {
      for (const LabelSums& sums : table.sums(t)) {
        right_.sums[t].rows += sums.rows;
        right_.sums[t].sum += sums.sum;
        right_.sums[t].squares += sums.squares;
      }
      continue;
    }
    const SparseCounts& counts = table.label(t);
    for (size_t i = 0; i < counts.value.size(); ++i) right_.classes[t].Add(counts.value[i], counts.count[i]);
    if (labels_[t].num_values > kFewClasses) {
      std::vector<Code> present(right_.classes[t].present().begin(), right_.classes[t].present().end());
      std::sort(present.begin(), present.end());
      for (const Code value : present) right_.log_sums[t] += XLog2X(right_.classes[t].count(value));
    }
  }
  if (!checker_.needs_values()) return;
  for (size_t s = 0; s < right_.tally.columns.size(); ++s) {
    const SparseCounts& counts = table.sensitive(s);
    for (size_t i = 0; i < counts.value.size(); ++i) right_.tally.columns[s].Add(counts.value[i], counts.count[i]);
  }
}

void SplitSides::Move(const ValueTable& table, size_t value, Side& from, Side& to) {
  from.tally.rows -= table.rows(value);
  to.tally.rows += table.rows(value);
  for (size_t t = 0; t < labels_.size(); ++t) {
    if (labels_[t].numeric()) {
      const LabelSums& moved = table.sums(t)[value];
      from.sums[t].rows -= moved.rows, to.sums[t].rows += moved.rows;
      from.sums[t].sum -= moved.sum, to.sums[t].sum += moved.sum;
      from.sums[t].squares -= moved.squares, to.sums[t].squares += moved.squares;
      continue;
    }
    const SparseCounts& counts = table.label(t);
    const bool many = labels_[t].num_values > kFewClasses;
    for (uint32_t i = counts.begin[value]; i < counts.begin[value + 1]; ++i) {
      const Code label = counts.value[i];
      if (many) {
        from.log_sums[t] -= XLog2X(from.classes[t].count(label));
        to.log_sums[t] -= XLog2X(to.classes[t].count(label));
      }
      from.classes[t].Remove(label, counts.count[i]);
      to.classes[t].Add(label, counts.count[i]);
      if (many) {
        from.log_sums[t] += XLog2X(from.classes[t].count(label));
        to.log_sums[t] += XLog2X(to.classes[t].count(label));
      }
    }
  }
  if (!checker_.needs_values()) return;
  for (size_t s = 0; s < from.tally.columns.size(); ++s) {
    const SparseCounts& counts = table.sensitive(s);
    for (uint32_t i = counts.begin[value]; i < counts.begin[value + 1]; ++i) {
      from.tally.columns[s].Remove(counts.value[i], counts.count[i]);
      to.tally.columns[s].Add(counts.value[i], counts.count[i]);
    }
  }
}

double SplitSides::SideImpurity(const Side& side) const {
  double impurity = 0;
  for (size_t t = 0; t < labels_.size(); ++t) {
    if (labels_[t].numeric()) {
      const LabelSums& sums = side.sums[t];
      if (sums.rows > 0) impurity += labels_[t].scale * std::max(0.0, sums.squares - sums.sum * sums.sum / sums.rows);
    } else {
      const double log_sum =
          labels_[t].num_values > kFewClasses ? side.log_sums[t] : ClassLogSum(side.classes[t], labels_[t].num_values);
      impurity += labels_[t].scale * (XLog2X(side.tally.rows) - log_sum);
    }
  }
  return impurity;
}

bool SplitSides::Holds() const {
  if (!LargeEnough()) return false;
  return !checker_.needs_values() || (checker_.Holds(left_.tally) && checker_.Holds(right_.tally));
}

}  // namespace tada
