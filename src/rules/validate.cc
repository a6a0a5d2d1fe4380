#include "rules/validate.h"

#include <vector>

#include "learn/j48.h"
#include "learn/linear_svm.h"

namespace tada {
namespace {

struct WeightedSamples {
  TreeSamples samples;
  std::vector<uint32_t> weights;  // by sample and fold
};

// One sample for each class and label; columns at their top tell nothing and are left out.
WeightedSamples SamplesOf(const LevelRows& rows, const LabelRows& labels, const LevelVector& levels) {
  const LevelClasses classes = rows.FindClasses(levels);
  const size_t m = labels.num_labels, folds = labels.num_folds;
  WeightedSamples out;
  out.samples.num_labels = labels.num_labels;
  std::vector<uint32_t> first_row, sample_of(classes.num_classes * m, UINT32_MAX);
  for (size_t row = 0; row < classes.of_row.size(); ++row) {
    uint32_t& sample = sample_of[classes.of_row[row] * m + labels.of_row[row]];
    if (sample == UINT32_MAX) {
      sample = static_cast<uint32_t>(first_row.size());
      first_row.push_back(static_cast<uint32_t>(row));
      out.samples.labels.push_back(labels.of_row[row]);
      out.weights.resize(out.weights.size() + folds, 0);
    }
    ++out.weights[sample * folds + labels.fold_of_row[row]];
  }
  for (size_t c = 0; c < levels.size(); ++c) {
    if (levels[c] == rows.top(c)) continue;
    TreeSamples::Column& column = out.samples.columns.emplace_back();
    column.num_codes = rows.num_nodes(c, levels[c]);
    for (const uint32_t row : first_row) column.codes.push_back(rows.nodes(c, levels[c])[row]);
  }
  return out;
}

}  // namespace

double TreeAccuracy(const LevelRows& rows, const LabelRows& labels, const LevelVector& levels) {
  const WeightedSamples s = SamplesOf(rows, labels, levels);
  return CrossValidateTree(s.samples, s.weights, labels.num_folds);
}

double SvmAccuracy(const LevelRows& rows, const LabelRows& labels, const LevelVector& levels) {
  const WeightedSamples s = SamplesOf(rows, labels, levels);
  return CrossValidateLinearSvm(s.samples, s.weights, labels.num_folds);
}

double RawTreeAccuracy(const Table& table, std::span<const ColumnId> columns, std::span<const RowId> rows,
                       const LabelRows& labels, bool folds_in_file_order) {
  TreeSamples samples;
  samples.num_labels = labels.num_labels;
  samples.labels = labels.of_row;
  for (const ColumnId id : columns) {
    TreeSamples::Column& column = samples.columns.emplace_back();
    column.num_codes = table.column(id).num_codes();
    column.numeric = table.column(id).is_numeric();
    table.column(id).codes().Visit([&](auto codes) {
      for (const RowId row : rows) column.codes.push_back(codes[row]);
    });
  }
  std::vector<uint32_t> weights(rows.size() * labels.num_folds, 0);
  for (size_t i = 0; i < rows.size(); ++i) {
    const size_t fold = folds_in_file_order ? i * labels.num_folds / rows.size() : labels.fold_of_row[i];
    weights[i * labels.num_folds + fold] = 1;
  }
  return CrossValidateTree(samples, weights, labels.num_folds);
}

}  // namespace tada
