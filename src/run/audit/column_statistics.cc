#include "run/audit/column_statistics.h"

#include <algorithm>

#include "table/number.h"
#include "table/parsed_cell.h"

namespace tada {
namespace {

using Statistics = Outcome::Column::Statistics;

std::vector<uint64_t> CountCodes(const Column& column) {
  std::vector<uint64_t> counts(column.num_codes());
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) ++counts[code];
  });
  return counts;
}

// Mean and population variance of numbers that occur so often; nothing of missing ones.
void AddMoments(const std::vector<std::optional<double>>& numbers, const std::vector<uint64_t>& counts,
                Statistics& statistics) {
  double rows = 0, sum = 0, squares = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i]) continue;
    rows += static_cast<double>(counts[i]);
    sum += static_cast<double>(counts[i]) * *numbers[i];
  }
  if (rows == 0) return;
  const double mean = sum / rows;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i]) squares += static_cast<double>(counts[i]) * (*numbers[i] - mean) * (*numbers[i] - mean);
  }
  statistics.mean = mean;
  statistics.variance = squares / rows;
}

std::optional<double> NumberOf(std::string_view text, bool dates) {
  return dates ? ParseDate(text) : ParseNumber(text);
}

std::optional<double> MiddleOf(std::string_view cell, bool dates) {
  const ParsedCell parsed = ParseCell(cell, dates ? Reading::kDates : Reading::kNumbers);
  if (parsed.form != ParsedCell::Form::kInterval) return NumberOf(cell, dates);
  const auto low = NumberOf(parsed.low, dates), high = NumberOf(parsed.high, dates);
  return low && high ? std::optional((*low + *high) / 2) : std::nullopt;
}

Statistics Shares(const Column& column, const std::vector<uint64_t>& counts) {
  Statistics statistics;
  statistics.distinct = column.num_values();
  const uint64_t most = counts.empty() ? 0 : *std::ranges::max_element(counts);
  statistics.top_share =
      column.num_rows() == 0 ? 0 : static_cast<double>(most) / static_cast<double>(column.num_rows());
  return statistics;
}

}  // namespace

Statistics StatisticsOf(const Column& column) {
  const std::vector<uint64_t> counts = CountCodes(column);
  Statistics statistics = Shares(column, counts);
  if (!column.is_numeric()) return statistics;
  std::vector<std::optional<double>> numbers(column.num_codes());
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) numbers[code] = column.number(code);
  AddMoments(numbers, counts, statistics);
  return statistics;
}

Statistics StatisticsOfReleased(const Column& released, const Column& original) {
  const std::vector<uint64_t> counts = CountCodes(released);
  Statistics statistics = Shares(released, counts);
  if (!original.is_numeric()) return statistics;
  std::vector<std::optional<double>> numbers;
  for (Code code = 0; code < released.num_codes(); ++code)
    numbers.push_back(MiddleOf(released.text(code), original.is_date()));
  AddMoments(numbers, counts, statistics);
  return statistics;
}

void DescribeStatistics(const Table& original, const Table& released, Outcome& outcome) {
  for (Outcome::Column& column : outcome.columns) {
    const auto before = original.Find(column.name), after = released.Find(column.name);
    if (!before || !after) continue;
    column.before = StatisticsOf(original.column(*before));
    column.after = StatisticsOfReleased(released.column(*after), original.column(*before));
  }
}

}  // namespace tada
