#include "partition/value_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/entropy.h"

namespace tada {
namespace {

constexpr uint32_t kAbsent = UINT32_MAX;

// Appends the non-zero counters of one value to a sparse list.
void AppendNonZero(std::span<const uint32_t> counts, SparseCounts& out) {
  for (Code value = 0; value < counts.size(); ++value) {
    if (counts[value] == 0) continue;
    out.value.push_back(value);
    out.count.push_back(counts[value]);
  }
  out.begin.push_back(static_cast<uint32_t>(out.value.size()));
}

void Restart(SparseCounts& out) {
  out.begin.assign(1, 0);
  out.value.clear();
  out.count.clear();
}

// Entropy in bits, or variance, of a label over all rows.
double ImpurityPerRow(const NodeRows& rows, const LabelView& view) {
  std::vector<uint64_t> counts(view.num_values, 0);
  rows.rows.Visit(view.column, 0, rows.rows.num_positions(), [&](auto values) {
    for (const auto value : values) ++counts[value];
  });
  double total = 0, sum = 0, squares = 0, logs = 0;
  for (Code value = 0; value < view.num_values; ++value) {
    const auto count = static_cast<double>(counts[value]);
    if (view.numeric() && std::isnan(view.numbers[value])) continue;
    total += count;
    logs += XLog2X(counts[value]);
    if (!view.numeric()) continue;
    sum += count * view.numbers[value];
    squares += count * view.numbers[value] * view.numbers[value];
  }
  if (total == 0) return 0;
  return view.numeric() ? std::max(0.0, squares / total - sum / total * sum / total)
                        : (XLog2X(static_cast<uint64_t>(total)) - logs) / total;
}

// Shifts a numeric label to mean 0: sums of squares of large numbers would swallow small differences.
void CenterNumbers(const NodeRows& rows, LabelView& view) {
  double total = 0, mean = 0;
  rows.rows.Visit(view.column, 0, rows.rows.num_positions(), [&](auto values) {
    for (const auto value : values) {
      if (std::isnan(view.numbers[value])) continue;
      total += 1;
      mean += (view.numbers[value] - mean) / total;
    }
  });
  for (double& number : view.numbers) number -= mean;
}

}  // namespace

std::vector<LabelView> LabelViews(const Problem& problem, const NodeRows& rows) {
  // Names among the labels make the task a classification; that says nothing of the numbers among them.
  const bool mixed = !std::all_of(problem.roles.label.begin(), problem.roles.label.end(),
                                  [&](ColumnId id) { return problem.table.column(id).is_numeric(); });
  const bool by_number = problem.task == Task::kRegression || mixed;
  std::vector<LabelView> views;
  for (size_t t = 0; t < problem.roles.label.size(); ++t) {
    const Column& column = problem.table.column(problem.roles.label[t]);
    LabelView view;
    view.column = rows.first_label + static_cast<uint32_t>(t);
    view.num_values = column.num_values();
    view.scale = problem.label_weights[t];
    if (column.is_numeric() && by_number) {
      view.numbers.assign(column.num_values(), std::numeric_limits<double>::quiet_NaN());
      for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
        view.numbers[column.value_id(code)] = column.number(code);
      }
      CenterNumbers(rows, view);
    }
    views.push_back(std::move(view));
  }
  // Several labels, or a number, count relative to their impurity over all rows; one class label counts in bits.
  if (views.size() > 1 || (views.size() == 1 && views[0].numeric())) {
    for (LabelView& view : views) {
      const double impurity = ImpurityPerRow(rows, view);
      view.scale = impurity > 0 ? view.scale / impurity : 0;
    }
  }
  return views;
}

template <class T>
void ValueTable::CountValues(std::span<const T> codes, Code low, Code high) {
  low_ = low;
  const size_t width = high - low + 1;
  codes_.clear();
  rows_.clear();
  if (width <= 4 * codes.size() + 64) {
    dense_.assign(width, 0);
    for (const T code : codes) ++dense_[code - low];
    index_of_.assign(width, kAbsent);
    for (size_t at = 0; at < width; ++at) {
      if (dense_[at] == 0) continue;
      index_of_[at] = static_cast<uint32_t>(codes_.size());
      codes_.push_back(static_cast<Code>(low + at));
      rows_.push_back(dense_[at]);
    }
    return;
  }
  index_of_.clear();  // too wide for a table: found by search
  codes_.assign(codes.begin(), codes.end());
  std::sort(codes_.begin(), codes_.end());
  size_t kept = 0;
  for (size_t i = 0; i < codes_.size();) {
    size_t next = i;
    while (next < codes_.size() && codes_[next] == codes_[i]) ++next;
    rows_.push_back(static_cast<uint32_t>(next - i));
    codes_[kept++] = codes_[i];
    i = next;
  }
  codes_.resize(kept);
}

void ValueTable::Spread(const NodeRows& rows, const Node& node, uint32_t column, uint32_t other, Code num_values,
                        SparseCounts& out) {
  Restart(out);
  const auto index = [&](Code code) {
    return index_of_.empty() ? static_cast<uint32_t>(Find(code)) : index_of_[code - low_];
  };
  rows.rows.Visit(column, node.begin, node.end, [&](auto codes) {
    rows.rows.Visit(other, node.begin, node.end, [&](auto values) {
      if (codes_.size() * num_values <= 4 * codes.size() + 1024) {
        dense_.assign(codes_.size() * num_values, 0);
        for (size_t i = 0; i < codes.size(); ++i) ++dense_[size_t{index(codes[i])} * num_values + values[i]];
        for (size_t v = 0; v < codes_.size(); ++v) {
          AppendNonZero(std::span(dense_).subspan(v * num_values, num_values), out);
        }
        return;
      }
      keys_.resize(codes.size());
      for (size_t i = 0; i < codes.size(); ++i) keys_[i] = uint64_t{index(codes[i])} << 32 | values[i];
      std::sort(keys_.begin(), keys_.end());
      for (size_t i = 0; i < keys_.size();) {
        size_t next = i;
        while (next < keys_.size() && keys_[next] == keys_[i]) ++next;
        while (out.begin.size() <= keys_[i] >> 32) out.begin.push_back(static_cast<uint32_t>(out.value.size()));
        out.value.push_back(static_cast<Code>(keys_[i]));
        out.count.push_back(static_cast<uint32_t>(next - i));
        i = next;
      }
      out.begin.resize(codes_.size() + 1, static_cast<uint32_t>(out.value.size()));
    });
  });
}

void ValueTable::SpreadNumeric(const NodeRows& rows, const Node& node, uint32_t column, const LabelView& label,
                               std::vector<LabelSums>& out) {
  out.assign(codes_.size(), {});
  rows.rows.Visit(column, node.begin, node.end, [&](auto codes) {
    rows.rows.Visit(label.column, node.begin, node.end, [&](auto values) {
      for (size_t i = 0; i < codes.size(); ++i) {
        const double y = label.numbers[values[i]];
        if (std::isnan(y)) continue;
        const size_t at = index_of_.empty() ? Find(codes[i]) : index_of_[codes[i] - low_];
        out[at].rows += 1;
        out[at].sum += y;
        out[at].squares += y * y;
      }
    });
  });
}

void ValueTable::Count(const Problem& problem, const NodeRows& rows, const Node& node, uint32_t column,
                       std::span<const LabelView> labels) {
  const WorkingRows::Extent extent = rows.rows.FindExtent(column, node.begin, node.end);
  labels_.resize(labels.size());
  sums_.resize(labels.size());
  if (extent.low == extent.high) {  // nothing to split
    codes_.assign(1, extent.low);
    rows_.assign(1, node.size());
    return;
  }
  rows.rows.Visit(column, node.begin, node.end, [&](auto codes) { CountValues(codes, extent.low, extent.high); });
  for (size_t t = 0; t < labels.size(); ++t) {
    if (labels[t].numeric()) {
      SpreadNumeric(rows, node, column, labels[t], sums_[t]);
    } else {
      Spread(rows, node, column, labels[t].column, labels[t].num_values, labels_[t]);
    }
  }
  if (!problem.checker.needs_values()) return;
  const auto& sensitive = problem.checker.sensitive();
  sensitive_.resize(sensitive.size());
  for (size_t s = 0; s < sensitive.size(); ++s) {
    Spread(rows, node, column, rows.first_sensitive + static_cast<uint32_t>(s), sensitive[s].num_values, sensitive_[s]);
  }
}

size_t DenseCounts::Cells(const Problem& problem, std::span<const LabelView> labels) {
  size_t per_code = 1;
  for (const LabelView& label : labels) {
    if (label.numeric()) return std::numeric_limits<size_t>::max();  // sums of doubles do not subtract exactly
    per_code += label.num_values;
  }
  if (problem.checker.needs_values()) {
    for (const Checker::Sensitive& sensitive : problem.checker.sensitive()) per_code += sensitive.num_values;
  }
  size_t codes = 0;
  for (size_t i = 0; i < problem.num_quasi(); ++i) codes += problem.quasi(i).num_codes();
  return codes * per_code;
}

DenseCounts::DenseCounts(const Problem& problem, std::span<const LabelView> labels) {
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
        const Code num_values = problem.checker.sensitive()[s].num_values;
        column.sensitive.push_back(
            {first_sensitive + static_cast<uint32_t>(s), num_values, take(size_t{column.num_codes} * num_values)});
      }
    }
    columns_.push_back(std::move(column));
  }
  cells_.assign(size, 0);
}

void DenseCounts::Add(const NodeRows& rows, uint32_t begin, uint32_t end) {
  for (uint32_t c = 0; c < columns_.size(); ++c) {
    const PerColumn& column = columns_[c];
    rows.rows.Visit(c, begin, end, [&](auto codes) {
      uint32_t* const count = cells_.data() + column.first_rows;
      for (const auto code : codes) ++count[code];
      for (const std::vector<Spread>* spreads : {&column.labels, &column.sensitive}) {
        for (const Spread& spread : *spreads) {
          rows.rows.Visit(spread.other, begin, end, [&](auto values) {
            uint32_t* const cell = cells_.data() + spread.first;
            for (size_t i = 0; i < codes.size(); ++i) ++cell[size_t{codes[i]} * spread.num_values + values[i]];
          });
        }
      }
    });
  }
}

void DenseCounts::Subtract(const DenseCounts& part) {
  for (size_t i = 0; i < cells_.size(); ++i) cells_[i] -= part.cells_[i];
}

void DenseCounts::Fill(uint32_t c, ValueTable& table) const {
  const PerColumn& column = columns_[c];
  table.codes_.clear();
  table.rows_.clear();
  table.labels_.resize(column.labels.size());
  table.sums_.resize(column.labels.size());
  table.sensitive_.resize(column.sensitive.size());
  for (SparseCounts& counts : table.labels_) Restart(counts);
  for (SparseCounts& counts : table.sensitive_) Restart(counts);
  for (Code code = 0; code < column.num_codes; ++code) {
    const uint32_t count = cells_[column.first_rows + code];
    if (count == 0) continue;
    table.codes_.push_back(code);
    table.rows_.push_back(count);
    const auto append = [&](const Spread& spread, SparseCounts& out) {
      AppendNonZero(std::span(cells_).subspan(spread.first + size_t{code} * spread.num_values, spread.num_values), out);
    };
    for (size_t t = 0; t < column.labels.size(); ++t) append(column.labels[t], table.labels_[t]);
    for (size_t s = 0; s < column.sensitive.size(); ++s) append(column.sensitive[s], table.sensitive_[s]);
  }
}

}  // namespace tada
