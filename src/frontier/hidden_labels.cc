#include "frontier/hidden_labels.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "partition/registry.h"
#include "run/advise/released_classes.h"
#include "run/anonymize/anonymize.h"
#include "table/select_rows.h"

namespace tada {
namespace {

// The table, with the labels of one half of its rows shuffled among them.
Table WithHidden(const Ground& ground, uint32_t half, uint64_t seed) {
  const Table& table = ground.table();
  std::vector<RowId> hidden, from(table.num_rows());
  std::iota(from.begin(), from.end(), RowId{0});
  for (RowId row = 0; row < from.size(); ++row) {
    if (ground.labels().fold_of_row[row] % 2 == half) hidden.push_back(row);
  }
  std::vector<RowId> shuffled = hidden;
  Random(MixSeed(seed, 0x41DE + half)).Shuffle(std::span(shuffled));
  for (size_t i = 0; i < hidden.size(); ++i) from[hidden[i]] = shuffled[i];
  std::vector<Column> columns(table.columns().begin(), table.columns().end());
  const ColumnId label = ground.roles().label.front();
  columns[label] = SelectRows(Table({columns[label]}), from).column(0);
  return Table(std::move(columns));
}

// Rows of the half that are guessed right from their classes.
uint64_t CountRight(const Ground& ground, const LevelClasses& classes, uint32_t half) {
  const LabelRows& labels = ground.labels();
  std::vector<uint32_t> seen(size_t{classes.num_classes} * labels.num_labels, 0), total(labels.num_labels, 0);
  const auto is_hidden = [&](size_t row) { return labels.fold_of_row[row] % 2 == half; };
  for (size_t row = 0; row < classes.of_row.size(); ++row) {
    if (is_hidden(row)) continue;
    ++seen[classes.of_row[row] * labels.num_labels + labels.of_row[row]];
    ++total[labels.of_row[row]];
  }
  const auto commonest = static_cast<uint32_t>(std::ranges::max_element(total) - total.begin());
  std::vector<uint32_t> guess(classes.num_classes);
  for (size_t i = 0; i < guess.size(); ++i) {
    const auto counts = std::span(seen).subspan(i * labels.num_labels, labels.num_labels);
    const auto most = std::ranges::max_element(counts);
    guess[i] = *most == 0 ? commonest : static_cast<uint32_t>(most - counts.begin());
  }
  uint64_t right = 0;
  for (size_t row = 0; row < classes.of_row.size(); ++row) {
    if (is_hidden(row) && guess[classes.of_row[row]] == labels.of_row[row]) ++right;
  }
  return right;
}

}  // namespace

bool LooksAtLabels(const Plan& plan, const Ground& ground) {
  if (ground.label() == nullptr) return false;
  const MethodEntry& method = *FindMethod(plan.method);
  return method.by_quasi_alone == nullptr || !method.by_quasi_alone({ground.bound().task, plan.method_options});
}

Result<double> HiddenAccuracy(const Ground& ground, const Plan& plan, const Workers& workers) {
  uint64_t right = 0;
  NoProgress silent;
  for (const uint32_t half : {0u, 1u}) {
    const Table table = WithHidden(ground, half, plan.seed);
    TADA_TRY(made, Anonymize(table, plan, workers, silent));
    right += CountRight(ground, ReleasedClasses(made.release), half);
  }
  return static_cast<double>(right) / static_cast<double>(std::max<size_t>(1, ground.table().num_rows()));
}

}  // namespace tada
