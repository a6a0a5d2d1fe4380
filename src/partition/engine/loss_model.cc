#include "partition/engine/loss_model.h"

#include <algorithm>
#include <cmath>

namespace tada {

ColumnLoss::ColumnLoss(const Column& column, double importance)
    : numeric_(column.is_numeric()),
      importance_(importance),
      num_values_(column.num_values()),
      num_missing_(column.num_missing()) {
  value_of_code_.resize(column.num_codes());
  for (Code code = 0; code < column.num_codes(); ++code) value_of_code_[code] = column.value_id(code);
  if (num_values_ > 1) step_ = importance / (num_values_ - 1);
  if (!numeric_) return;
  numbers_.resize(column.num_codes());
  for (Code code = 0; code < column.num_codes(); ++code) numbers_[code] = column.number(code);
  if (num_missing_ >= column.num_codes()) return;
  bottom_ = numbers_[num_missing_];
  const double top = numbers_.back();
  wide_ = !std::isfinite(top - bottom_);
  range_ = wide_ ? top / 2 - bottom_ / 2 : top - bottom_;
}

LossModel::LossModel(const Problem& problem) {
  for (size_t i = 0; i < problem.num_quasi(); ++i) {
    columns_.emplace_back(problem.quasi(i), problem.importance(i));
    sources_.push_back(&problem.quasi(i));
  }
}

double LossModel::Spans(std::span<const RowId> rows) const {
  double sum = 0;
  std::vector<Code> values;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const ColumnLoss& loss = columns_[i];
    sum += sources_[i]->codes().Visit([&](auto codes) {
      if (loss.is_numeric()) {
        Code low = codes[rows[0]], high = low;
        for (const RowId row : rows) {
          low = std::min<Code>(low, codes[row]);
          high = std::max<Code>(high, codes[row]);
        }
        return loss.NumericSpan(low, high);
      }
      values.clear();
      for (const RowId row : rows) values.push_back(loss.value(codes[row]));
      std::sort(values.begin(), values.end());
      const auto distinct = std::unique(values.begin(), values.end()) - values.begin();
      return loss.CountSpan(static_cast<uint32_t>(distinct));
    });
  }
  return sum;
}

double LossModel::Ncp(const Groups& groups, const Workers& workers) const {
  if (groups.num_rows() == 0 || columns_.empty()) return 0;
  std::vector<double> losses(groups.num_groups());
  workers.ForBlocks(groups.num_groups(), 1024, [&](size_t begin, size_t end) {
    for (size_t group = begin; group < end; ++group) {
      const auto rows = groups.rows(static_cast<GroupId>(group));
      double spans = 0;
      if (groups.is_masked(static_cast<GroupId>(group))) {
        for (const ColumnLoss& column : columns_) spans += column.is_constant() ? 0 : column.importance();
      } else {
        spans = Spans(rows);
      }
      losses[group] = static_cast<double>(rows.size()) * spans;
    }
  });
  double sum = 0;
  for (const double loss : losses) sum += loss;
  return sum / static_cast<double>(groups.num_rows()) / static_cast<double>(columns_.size());
}

}  // namespace tada
