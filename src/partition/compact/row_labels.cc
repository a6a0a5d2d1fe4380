#include "partition/compact/row_labels.h"

#include <algorithm>

namespace tada {
namespace {

// The mean over `rows` of a numeric label; what is missing stands at it.
double MeanOf(const Column& column, std::span<const RowId> rows) {
  double sum = 0, count = 0;
  for (const RowId row : rows) {
    const Code code = column.codes()[row];
    if (code >= column.num_missing()) sum += column.number(code), ++count;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

void MixtureSums::Add(const RowLabels& labels, uint32_t row) {
  for (uint32_t t = 0; t < labels.num_labels; ++t) {
    const size_t i = size_t{row} * labels.num_labels + t;
    double& sum = sums_[labels.places[i]];
    squared_sums_ += labels.values[i] * (2 * sum + labels.values[i]);
    sum += labels.values[i];
    squares_ += labels.values[i] * labels.values[i];
  }
  ++rows_;
}

double MixtureSums::MixtureChanged(const RowLabels& labels, uint32_t drop, uint32_t add) const {
  double squares = squares_, squared_sums = squared_sums_;
  const double rows = rows_ + (add != kNone ? 1 : 0) - (drop != kNone ? 1 : 0);
  if (rows <= 0) return 0;
  for (uint32_t t = 0; t < labels.num_labels; ++t) {
    const size_t from = size_t{drop} * labels.num_labels + t, to = size_t{add} * labels.num_labels + t;
    const double out = drop != kNone ? labels.values[from] : 0, in = add != kNone ? labels.values[to] : 0;
    squares += in * in - out * out;
    if (drop != kNone && add != kNone && labels.places[from] == labels.places[to]) {
      squared_sums += (in - out) * (2 * sums_[labels.places[to]] + in - out);
      continue;
    }
    if (drop != kNone) squared_sums -= out * (2 * sums_[labels.places[from]] - out);
    if (add != kNone) squared_sums += in * (2 * sums_[labels.places[to]] + in);
  }
  return std::max(0.0, squares - squared_sums / rows);
}

double Mixture(const RowLabels& labels, const std::vector<std::vector<uint32_t>>& groups) {
  double sum = 0;
  MixtureSums sums;
  for (const std::vector<uint32_t>& group : groups) {
    sums.Clear(labels.num_places);
    for (const uint32_t row : group) sums.Add(labels, row);
    sum += sums.Mixture();
  }
  return sum;
}

RowLabels MakeRowLabels(const Problem& problem, std::span<const RowId> rows, double share, double cells) {
  RowLabels labels;
  if (share == 0) return labels;
  labels.num_labels = static_cast<uint32_t>(problem.roles.label.size());
  labels.places.resize(rows.size() * labels.num_labels);
  labels.values.resize(rows.size() * labels.num_labels);
  double weights = 0;
  for (const double weight : problem.label_weights) weights += weight;
  for (uint32_t t = 0; t < labels.num_labels; ++t) {
    const Column& column = problem.table.column(problem.roles.label[t]);
    const bool by_number = problem.task == Task::kRegression && column.is_numeric();
    const double mean = by_number ? MeanOf(column, rows) : 0;
    RowLabels alone{.num_labels = 1, .num_places = by_number ? 1 : column.num_values()};
    MixtureSums all;
    all.Clear(alone.num_places);
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const Code code = column.codes()[rows[i]];
      alone.places.push_back(by_number ? 0 : column.value_id(code));
      alone.values.push_back(!by_number ? 1 : code < column.num_missing() ? 0 : column.number(code) - mean);
      all.Add(alone, i);
    }
    const double mixture = all.Mixture();
    const double part = problem.label_weights[t] / weights * share / (1 - share) * cells;
    const double scale = mixture > 0 ? std::sqrt(part / mixture) : 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      labels.places[i * labels.num_labels + t] = labels.num_places + alone.places[i];
      labels.values[i * labels.num_labels + t] = scale * alone.values[i];
    }
    labels.num_places += alone.num_places;
    labels.whole += mixture > 0 ? part : 0;
  }
  return labels;
}

}  // namespace tada
