#include "compare/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "table/value_text.h"

namespace tada {
namespace {

constexpr size_t kMostValues = 50, kRanges = 10;

// A function of the values of a column.
template <class F>
std::vector<double> ByValue(const ColumnReading& reading, F&& f) {
  std::vector<double> result;
  for (const ColumnReading::Value& value : reading.values()) result.push_back(f(value));
  return result;
}

bool IsNumber(const ColumnReading::Value& value) { return !std::isnan(value.number); }

// What is needed of a column of numbers: by cell, and over the rows. Numbers are less a shift that keeps squares small.
struct NumberCells {
  double shift = 0, share = 0, mean = 0, variance = 0;  // share: of rows that have a number
  std::vector<double> present, sum;  // by cell: probability of a number; mean of the number, 0 if none
};

NumberCells ReadNumbers(const ColumnReading& reading) {
  NumberCells numbers;
  double weight = 0;
  for (const ColumnReading::Value& value : reading.values()) {
    if (!IsNumber(value)) continue;
    weight += value.weight;
    numbers.shift += value.weight * value.number;
  }
  if (weight > 0) numbers.shift /= weight;
  const auto less_shift = [&](const ColumnReading::Value& value) {
    return IsNumber(value) ? value.number - numbers.shift : 0.0;
  };
  numbers.present = reading.Expect(ByValue(reading, [](const auto& value) { return IsNumber(value) ? 1.0 : 0.0; }));
  numbers.sum = reading.Expect(ByValue(reading, less_shift));
  const std::vector<double> squares =
      reading.Expect(ByValue(reading, [&](const auto& value) { return less_shift(value) * less_shift(value); }));
  numbers.share = reading.MeanOverRows(numbers.present);
  if (numbers.share <= 0) return numbers;
  numbers.mean = reading.MeanOverRows(numbers.sum) / numbers.share;
  numbers.variance = std::max(0.0, reading.MeanOverRows(squares) / numbers.share - numbers.mean * numbers.mean);
  return numbers;
}

std::vector<MarginalShare> FindMarginal(const ColumnReading& reading, const MarginalParts& parts) {
  std::vector<size_t> part_of;
  for (const ColumnReading::Value& value : reading.values()) part_of.push_back(parts.Find(value));
  std::vector<MarginalShare> marginal;
  for (size_t part = 0; part < parts.labels().size(); ++part) {
    std::vector<double> inside(part_of.size());
    for (size_t i = 0; i < inside.size(); ++i) inside[i] = part_of[i] == part ? 1.0 : 0.0;
    marginal.push_back({parts.labels()[part], reading.MeanOverRows(reading.Expect(inside))});
  }
  return marginal;
}

// Sum over the rows of the product of two columns, and the share of the rows in which both have a number.
struct Products {
  double both = 0, first = 0, second = 0, product = 0;
};

Products Multiply(const Column& a, const NumberCells& in_a, const Column& b, const NumberCells& in_b) {
  Products products;
  a.codes().Visit([&](auto cells_a) {
    b.codes().Visit([&](auto cells_b) {
      for (size_t row = 0; row < cells_a.size(); ++row) {
        const auto i = cells_a[row];
        const auto j = cells_b[row];
        products.both += in_a.present[i] * in_b.present[j];
        products.first += in_a.sum[i] * in_b.present[j];
        products.second += in_a.present[i] * in_b.sum[j];
        products.product += in_a.sum[i] * in_b.sum[j];
      }
    });
  });
  return products;
}

std::string NumberLabel(double number, bool dates) {
  return dates ? DateText(static_cast<int64_t>(std::floor(number))) : fmt::format("{:.6g}", number);
}

}  // namespace

MarginalParts::MarginalParts(const Column& original, const ColumnReading& reading) : dates_(original.is_date()) {
  ranges_ = original.is_numeric() && original.num_codes() > original.num_missing();
  if (ranges_) {
    MakeRanges(reading);
  } else {
    MakeValues(reading);
  }
}

// Values are in order; "missing", which has no number, is first.
void MarginalParts::MakeRanges(const ColumnReading& reading) {
  double total = 0, seen = 0, low = NAN, last = NAN;
  for (const auto& value : reading.values()) total += IsNumber(value) ? value.weight : 0.0;
  const auto close = [&] {
    labels_.push_back(low == last ? NumberLabel(low, dates_)
                                  : NumberLabel(low, dates_) + " to " + NumberLabel(last, dates_));
  };
  for (const auto& value : reading.values()) {
    if (!IsNumber(value)) continue;
    const auto wanted = static_cast<double>(labels_.size() + 1) * total / kRanges;
    if (!std::isnan(low) && seen >= wanted) {
      close();
      upper_.push_back(last);
      low = NAN;
    }
    if (std::isnan(low)) low = value.number;
    last = value.number;
    seen += value.weight;
  }
  close();
  labels_.emplace_back("(missing)");
}

void MarginalParts::MakeValues(const ColumnReading& reading) {
  std::vector<size_t> order(reading.values().size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return reading.values()[a].weight > reading.values()[b].weight; });
  for (size_t i = 0; i < std::min(kMostValues, order.size()); ++i) values_.push_back(reading.values()[order[i]].text);
  for (const std::string& value : values_) labels_.push_back(value.empty() ? "(missing)" : value);
  labels_.emplace_back("(others)");
}

size_t MarginalParts::Find(const ColumnReading::Value& value) const {
  if (!ranges_) {
    return static_cast<size_t>(std::find(values_.begin(), values_.end(), value.text) - values_.begin());
  }
  if (!IsNumber(value)) return labels_.size() - 1;
  return static_cast<size_t>(std::lower_bound(upper_.begin(), upper_.end(), value.number) - upper_.begin());
}

std::vector<ColumnFigures> DescribeColumns(const ReadColumns& table, const std::vector<MarginalParts>& parts) {
  std::vector<ColumnFigures> figures(table.names.size());
  for (size_t i = 0; i < figures.size(); ++i) {
    figures[i].column = table.names[i];
    const NumberCells numbers = ReadNumbers(table.readings[i]);
    if (numbers.share > 0) {
      figures[i].mean = numbers.mean + numbers.shift;
      figures[i].variance = numbers.variance;
    }
    figures[i].marginal = FindMarginal(table.readings[i], parts[i]);
  }
  return figures;
}

std::vector<Correlation> FindCorrelations(const ReadColumns& table, const Workers& workers) {
  std::vector<size_t> numeric;
  std::vector<NumberCells> numbers;
  for (size_t i = 0; i < table.readings.size(); ++i) {
    NumberCells read = ReadNumbers(table.readings[i]);
    if (read.share <= 0) continue;
    numeric.push_back(i);
    numbers.push_back(std::move(read));
  }
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < numeric.size(); ++i) {
    for (size_t j = i + 1; j < numeric.size(); ++j) pairs.emplace_back(i, j);
  }
  std::vector<Correlation> found(pairs.size());
  workers.For(pairs.size(), [&](size_t pair) {
    const auto [i, j] = pairs[pair];
    found[pair] = {table.names[numeric[i]], table.names[numeric[j]], std::nullopt};
    const Products sums = Multiply(*table.columns[numeric[i]], numbers[i], *table.columns[numeric[j]], numbers[j]);
    const double spread = std::sqrt(numbers[i].variance * numbers[j].variance);
    if (sums.both <= 0 || spread <= 0) return;
    const double covariance = sums.product / sums.both - sums.first / sums.both * (sums.second / sums.both);
    found[pair].value = std::clamp(covariance / spread, -1.0, 1.0);
  });
  return found;
}

}  // namespace tada
