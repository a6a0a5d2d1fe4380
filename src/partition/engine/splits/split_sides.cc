#include "partition/engine/splits/split_sides.h"

#include <algorithm>

#include "base/fault.h"
namespace tada {

SplitSides::SplitSides(const Problem& problem, std::span<const LabelView> labels)
    : checker_(problem.checker),
      labels_(labels),
      smallest_(problem.checker.smallest_group()),
      all_few_(std::ranges::all_of(labels, &LabelView::few_classes)) {
  for (Side* side : {&left_, &right_}) {
    side->tally = checker_.EmptyTally();
    side->classes.assign(NumFewClasses(labels_), 0);
    for (const LabelView& label : labels_) {
      side->many.emplace_back(label.numeric() || label.few_classes() ? 0 : label.num_values);
    }
    side->log_sums.assign(labels_.size(), 0);
    side->sums.assign(labels_.size(), {});
  }
}

double SplitSides::WeighedImpurity(const LabelView& label, const uint32_t* counts) {
  const Code classes = label.num_classes();
  double impurity = 0;
  for (Code context = 0; context < label.contexts; ++context, counts += classes) {
    if (label.class_weights.empty()) {
      uint64_t rows = 0;
      double log_sum = 0;
      for (Code c = 0; c < classes; ++c) {
        rows += counts[c];
        log_sum += XLog2X(counts[c]);
      }
      impurity += XLog2X(rows) - log_sum;
      continue;
    }
    double mass = 0, log_sum = 0;
    for (Code c = 0; c < classes; ++c) {
      const double weighed = counts[c] * label.class_weights[c];
      mass += weighed;
      if (weighed > 0) log_sum += weighed * Log2(weighed);
    }
    if (mass > 0) impurity += mass * Log2(mass) - log_sum;
  }
  return impurity;
}

void SplitSides::Clear(Side& side) {
  side.tally.Clear();
  std::ranges::fill(side.classes, 0);
  if (all_few_) return;
  for (ValueCounts& counts : side.many) counts.Clear();
  std::ranges::fill(side.log_sums, 0.0);
  std::ranges::fill(side.sums, LabelSums{});
}

void SplitSides::Start(const ValueTable& table, bool with_sensitive) {
  with_sensitive_ = with_sensitive && checker_.needs_values();
  only_classes_ = all_few_ && !with_sensitive_;
  moved_ = false;
  Clear(left_);
  Clear(right_);
  if (right_.classes.size() == 2) {
    uint64_t rows = 0;
    uint32_t zeros = 0, ones = 0;
    for (size_t value = 0; value < table.size(); ++value) {
      rows += table.rows(value);
      zeros += table.classes(value)[0];
      ones += table.classes(value)[1];
    }
    right_.tally.rows = rows;
    right_.classes[0] = zeros;
    right_.classes[1] = ones;
  } else {
    for (size_t value = 0; value < table.size(); ++value) {
      right_.tally.rows += table.rows(value);
      const uint32_t* const counts = table.classes(value);
      for (size_t c = 0; c < right_.classes.size(); ++c) right_.classes[c] += counts[c];
    }
  }
  if (!all_few_) StartLabels(table);
  for (size_t s = 0; with_sensitive_ && s < right_.tally.columns.size(); ++s) {
    for (size_t value = 0; value < table.size(); ++value) {
      table.ForEachSensitive(s, value,
                             [&](Code mark, uint32_t count) { checker_.AddMark(s, mark, right_.tally, count); });
    }
  }
}

void SplitSides::StartLabels(const ValueTable& table) {
  for (size_t t = 0; t < labels_.size(); ++t) {
    if (labels_[t].few_classes()) continue;
    if (labels_[t].numeric()) {
      for (const LabelSums& sums : table.sums(t)) right_.sums[t].Add(sums);
      continue;
    }
    for (size_t value = 0; value < table.size(); ++value) {
      table.ForEachClass(labels_[t], t, value, [&](Code c, uint32_t count) { right_.many[t].Add(c, count); });
    }
    std::vector<Code> present(right_.many[t].present().begin(), right_.many[t].present().end());
    std::sort(present.begin(), present.end());
    for (const Code value : present) right_.log_sums[t] += XLog2X(right_.many[t].count(value));
  }
}

void SplitSides::MoveLabels(const ValueTable& table, size_t value, Side& from, Side& to) {
  for (size_t t = 0; t < labels_.size(); ++t) {
    if (labels_[t].few_classes()) continue;
    if (labels_[t].numeric()) {
      from.sums[t].Remove(table.sums(t)[value]);
      to.sums[t].Add(table.sums(t)[value]);
      continue;
    }
    table.ForEachClass(labels_[t], t, value, [&](Code c, uint32_t count) {
      from.log_sums[t] -= XLog2X(from.many[t].count(c));
      to.log_sums[t] -= XLog2X(to.many[t].count(c));
      from.many[t].Remove(c, count);
      to.many[t].Add(c, count);
      from.log_sums[t] += XLog2X(from.many[t].count(c));
      to.log_sums[t] += XLog2X(to.many[t].count(c));
    });
  }
}

void SplitSides::MoveSensitive(const ValueTable& table, size_t value, Side& from, Side& to) {
  for (size_t s = 0; s < from.tally.columns.size(); ++s) {
    table.ForEachSensitive(s, value, [&](Code mark, uint32_t count) {
      checker_.RemoveMark(s, mark, from.tally, count);
      checker_.AddMark(s, mark, to.tally, count);
    });
  }
}

bool SplitSides::Holds() const {
  if (TADA_FAULT("split-sides")) return true;
  if (!LargeEnough()) return false;
  return !checker_.needs_values() || (checker_.Holds(left_.tally) && checker_.Holds(right_.tally));
}

}  // namespace tada
