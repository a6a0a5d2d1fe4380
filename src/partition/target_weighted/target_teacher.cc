#include "partition/target_weighted/target_teacher.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "learn/trees/forest.h"

namespace tada {
namespace {

constexpr uint32_t kMostClasses = 32;  // of a label; the rarer ones count as one
constexpr size_t kAskedRows = 2000;
constexpr int kDraws = 2;
constexpr double kLeastWeight = 0.02;

struct Classes {
  std::vector<uint16_t> of_row;
  uint32_t count = 0;
};

Classes ClassesOf(const Column& label, std::span<const RowId> rows) {
  std::vector<uint64_t> counts(label.num_values(), 0);
  for (const RowId row : rows) ++counts[label.value_id(label.codes()[row])];
  std::vector<Code> by_count(counts.size());
  std::iota(by_count.begin(), by_count.end(), Code{0});
  std::stable_sort(by_count.begin(), by_count.end(), [&](Code a, Code b) { return counts[a] > counts[b]; });
  std::vector<uint16_t> class_of(counts.size());
  for (size_t i = 0; i < by_count.size(); ++i) {
    class_of[by_count[i]] = static_cast<uint16_t>(std::min<size_t>(i, kMostClasses - 1));
  }
  Classes classes;
  classes.count = std::max<uint32_t>(1, std::min<uint32_t>(kMostClasses, static_cast<uint32_t>(counts.size())));
  for (const RowId row : rows) classes.of_row.push_back(class_of[label.value_id(label.codes()[row])]);
  return classes;
}

// Half the mean change of the forest's answer when one column of a row is another row's.
std::vector<double> Sensitivity(const Forest& forest, const BinnedRows& rows, uint64_t seed, const Workers& workers) {
  Random random(seed);
  const size_t asked = std::min(rows.num_rows(), kAskedRows);
  struct Question {
    size_t row, other;
  };
  std::vector<Question> questions;
  for (int draw = 0; draw < kDraws; ++draw) {
    for (size_t i = 0; i < asked; ++i) {
      const size_t row = asked == rows.num_rows() ? i : random.Below(rows.num_rows());
      questions.push_back({row, random.Below(rows.num_rows())});
    }
  }
  std::vector<double> change(rows.num_columns, 0.0);
  workers.For(rows.num_columns, [&](size_t column) {
    std::vector<uint8_t> asked_row(rows.num_columns);
    std::vector<float> before(forest.num_classes()), after(forest.num_classes());
    for (const auto& [row, other] : questions) {
      std::copy_n(rows.row(row), rows.num_columns, asked_row.begin());
      if (asked_row[column] == rows.row(other)[column]) continue;
      std::fill(before.begin(), before.end(), 0.0f);
      std::fill(after.begin(), after.end(), 0.0f);
      forest.Predict(asked_row.data(), before);
      asked_row[column] = rows.row(other)[column];
      forest.Predict(asked_row.data(), after);
      for (size_t c = 0; c < before.size(); ++c) change[column] += std::abs(before[c] - after[c]) / 2;
    }
    change[column] /= static_cast<double>(questions.size());
  });
  return change;
}

}  // namespace

Teacher Teach(const Problem& problem, std::span<const RowId> rows, uint32_t trees) {
  std::vector<const Column*> columns;
  for (size_t i = 0; i < problem.num_quasi(); ++i) columns.push_back(&problem.quasi(i));
  const BinnedRows binned = BinRows(columns, rows, problem.workers);
  Teacher teacher;
  teacher.weights.assign(columns.size(), 0.0);
  const size_t num_labels = problem.roles.label.size();
  std::vector<Classes> classes;
  for (const ColumnId label : problem.roles.label) {
    classes.push_back(ClassesOf(problem.table.column(label), rows));
    for (uint32_t c = 0; c < classes.back().count; ++c) teacher.frequent.push_back(teacher.num_classes + c);
    teacher.num_classes += classes.back().count;
  }
  teacher.p.resize(rows.size() * teacher.num_classes);
  uint32_t first = 0;
  for (size_t t = 0; t < num_labels; ++t) {
    ForestOptions options;
    options.trees = trees;
    options.seed = MixSeed(problem.seed, t);
    const Forest forest(binned, classes[t].of_row, classes[t].count, options, problem.workers);
    const std::vector<float> out = forest.OutOfBag(binned, problem.workers);
    const auto scale = static_cast<float>(std::sqrt(problem.label_weights[t]));
    for (size_t row = 0; row < rows.size(); ++row) {
      for (uint32_t c = 0; c < classes[t].count; ++c) {
        teacher.p[row * teacher.num_classes + first + c] = scale * out[row * classes[t].count + c];
      }
    }
    first += classes[t].count;
    const std::vector<double> change = Sensitivity(forest, binned, MixSeed(options.seed, 1), problem.workers);
    for (size_t i = 0; i < change.size(); ++i) teacher.weights[i] += problem.label_weights[t] * change[i];
  }
  const double largest = *std::max_element(teacher.weights.begin(), teacher.weights.end());
  for (double& weight : teacher.weights) weight = largest > 0 ? std::max(weight / largest, kLeastWeight) : 1.0;
  return teacher;
}

}  // namespace tada
