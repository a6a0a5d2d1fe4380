#include "partition/engine/splits/dense_counts.h"

#include <limits>

namespace tada {
namespace {

constexpr uint32_t kAlone = 50'000;  // rows; fewer are counted before another thread has started

}  // namespace

size_t DenseCounts::Cells(const Problem& problem, std::span<const LabelView> labels) {
  size_t per_code = 1;
  for (const LabelView& label : labels) {
    if (label.numeric()) return std::numeric_limits<size_t>::max();  // too many values to count each
    per_code += label.num_values;
  }
  if (problem.checker.needs_values()) {
    for (const CountedColumn& sensitive : problem.checker.sensitive()) per_code += sensitive.num_marks();
  }
  size_t codes = 0;
  for (size_t i = 0; i < problem.num_quasi(); ++i) codes += problem.quasi(i).num_codes();
  return codes * per_code;
}

DenseCounts::DenseCounts(const Problem& problem, std::span<const LabelView> labels)
    : problem_(&problem), labels_(labels) {
  size_t size = 0;
  const auto take = [&](size_t cells) {
    size += cells;
    return size - cells;
  };
  const auto first_sensitive = static_cast<uint32_t>(problem.num_quasi());
  for (size_t i = 0; i < problem.num_quasi(); ++i) {
    PerColumn column;
    column.num_codes = problem.quasi(i).num_codes();
    column.first_rows = take(column.num_codes);
    for (const LabelView& label : labels) {
      column.labels.push_back({label.column, label.num_values, take(size_t{column.num_codes} * label.num_values)});
    }
    if (problem.checker.needs_values()) {
      for (size_t s = 0; s < problem.checker.sensitive().size(); ++s) {
        const Code num_values = problem.checker.sensitive()[s].num_marks();
        column.sensitive.push_back(
            {first_sensitive + static_cast<uint32_t>(s), num_values, take(size_t{column.num_codes} * num_values)});
      }
    }
    columns_.push_back(std::move(column));
  }
  cells_.assign(size, 0);
}

void DenseCounts::Add(const NodeRows& rows, uint32_t begin, uint32_t end) {
  // The first nodes of a tree are so few that other threads have nothing to do.
  constexpr uint32_t kFirstNodes = 8;
  const auto add = [&](size_t c) { AddColumn(rows, begin, end, static_cast<uint32_t>(c)); };
  if ((end - begin) > kAlone && (end - begin) >= rows.rows.num_positions() / kFirstNodes) {
    problem_->workers.For(columns_.size(), add);
  } else {
    for (size_t c = 0; c < columns_.size(); ++c) add(c);
  }
}

void DenseCounts::AddColumn(const NodeRows& rows, uint32_t begin, uint32_t end, uint32_t c) {
  const PerColumn& column = columns_[c];
  rows.rows.Visit(c, begin, end, [&](auto codes) {
    uint32_t* const count = cells_.data() + column.first_rows;
    for (const std::vector<Spread>* spreads : {&column.labels, &column.sensitive}) {
      for (const Spread& spread : *spreads) {
        rows.rows.Visit(spread.other, begin, end, [&](auto values) {
          uint32_t* const cell = cells_.data() + spread.first;
          for (size_t i = 0; i < codes.size(); ++i) ++cell[size_t{codes[i]} * spread.num_values + values[i]];
        });
      }
    }
    if (column.labels.empty()) {
      for (const auto code : codes) ++count[code];
      return;
    }
    for (Code code = 0; code < column.num_codes; ++code) {  // every row has a value of the first label
      count[code] = 0;
      for (const uint32_t of_value : Counts(column.labels[0], code)) count[code] += of_value;
    }
  });
}

void DenseCounts::Subtract(const DenseCounts& part) {
  for (size_t i = 0; i < cells_.size(); ++i) cells_[i] -= part.cells_[i];
}

void DenseCounts::Fill(uint32_t c, ValueTable& table) const {
  const PerColumn& column = columns_[c];
  table.Restart(problem_->checker, labels_);
  for (Code code = 0; code < column.num_codes; ++code) {
    const uint32_t count = cells_[column.first_rows + code];
    if (count == 0) continue;
    table.codes_.push_back(code);
    table.rows_.push_back(count);
    for (size_t t = 0; t < labels_.size(); ++t) {
      const std::span<const uint32_t> counts = Counts(column.labels[t], code);
      if (labels_[t].few_classes()) {
        table.classes_.insert(table.classes_.end(), counts.begin(), counts.end());
      } else {
        AppendNonZero(counts, table.labels_[t]);
      }
    }
    for (size_t s = 0; s < column.sensitive.size(); ++s) {
      const std::span<const uint32_t> counts = Counts(column.sensitive[s], code);
      if (table.masks_.empty()) {
        AppendNonZero(counts, table.sensitive_[s]);
        continue;
      }
      uint64_t mask = 0;
      for (size_t value = 0; value < counts.size(); ++value) mask |= uint64_t{counts[value] > 0} << value;
      table.masks_[s].push_back(mask & problem_->checker.sensitive()[s].counted_bits());
    }
  }
}

}  // namespace tada
