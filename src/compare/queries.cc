#include "compare/queries.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/option.h"
#include "base/random.h"
#include "table/number.h"

namespace tada {
namespace {

constexpr size_t kMostConditions = 3;
constexpr double kLeastShare = 0.1, kMostShare = 0.5;  // of a column's span or values that a made-up condition asks for
constexpr double kSmallAnswer = 0.001;                 // of the rows: what a smaller answer counts as

// A range around the number of a row.
CountCondition RangeAround(const ColumnReading& reading, double at, double share, double place) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& value : reading.values()) {
    if (std::isnan(value.number)) continue;
    low = std::min(low, value.number);
    high = std::max(high, value.number);
  }
  const double width = share * (high - low), from = at - place * width;
  return {.is_range = true, .low = from, .high = from + width, .values = {}};
}

// The value of a row and others.
CountCondition ValuesAround(const ColumnReading& reading, size_t at, double share, Random& random) {
  CountCondition condition;
  condition.values.push_back(reading.values()[at].text);
  const auto wanted = static_cast<size_t>(std::lround(share * static_cast<double>(reading.values().size())));
  std::vector<uint32_t> others(reading.values().size());
  for (uint32_t i = 0; i < others.size(); ++i) others[i] = i;
  random.Shuffle(std::span(others));
  for (size_t i = 0; i < others.size() && condition.values.size() < wanted; ++i) {
    if (others[i] != at) condition.values.push_back(reading.values()[others[i]].text);
  }
  std::sort(condition.values.begin(), condition.values.end());
  return condition;
}

CountQuery MakeUpQuery(const std::vector<const Column*>& columns, const std::vector<ColumnReading>& readings,
                       Random& random) {
  std::vector<uint32_t> order(columns.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  random.Shuffle(std::span(order));
  order.resize(std::min<size_t>(order.size(), 1 + random.Below(kMostConditions)));
  const size_t row = random.Below(columns.front()->num_rows());
  CountQuery query;
  for (const uint32_t i : order) {
    const Column& column = *columns[i];
    const Code code = column.codes()[row];
    const double share = kLeastShare + random.Unit() * (kMostShare - kLeastShare), place = random.Unit();
    const bool range = column.is_numeric() && !column.is_missing(code);
    CountCondition condition = range ? RangeAround(readings[i], column.number(code), share, place)
                                     : ValuesAround(readings[i], column.value_id(code), share, random);
    condition.column = i;
    query.where.push_back(std::move(condition));
  }
  return query;
}

Result<double> BoundOf(const Column& column, const std::string& text, const std::string& query) {
  const auto number = column.is_date() ? ParseDate(text) : ParseNumber(text);
  if (number) return *number;
  return InvalidArgument("Workload, {}: a bound of column {} is no {}", query, column.name(),
                         column.is_date() ? "date" : "number");
}

Result<CountCondition> Bind(const QueryCondition& given, const std::vector<const Column*>& columns,
                            const std::string& query) {
  std::vector<std::string> names;
  for (const Column* column : columns) names.push_back(column->name());
  const auto found = std::ranges::find(names, given.column);
  if (found == names.end()) {
    const auto nearest = NearestName(given.column, names);
    return InvalidArgument("Workload, {}: {} is no quasi-identifier", query, given.column)
        .WithHint(nearest ? fmt::format("Did you mean '{}'?", *nearest)
                          : fmt::format("There are: {}", fmt::join(names, ", ")));
  }
  CountCondition condition;
  condition.column = static_cast<size_t>(found - names.begin());
  const Column& column = *columns[condition.column];
  condition.values = given.values;
  std::sort(condition.values.begin(), condition.values.end());
  if (!given.values.empty()) return condition;
  if (!column.is_numeric()) {
    return InvalidArgument("Workload, {}: a range needs a numeric column: {} is {}", query, column.name(),
                           KindName(column.kind()))
        .WithHint(fmt::format("Name the values: where.{} = [\"...\", \"...\"]", column.name()));
  }
  condition.is_range = true;
  condition.low = -std::numeric_limits<double>::infinity();
  condition.high = std::numeric_limits<double>::infinity();
  if (given.min) {
    TADA_TRY(low, BoundOf(column, *given.min, query));
    condition.low = low;
  }
  if (given.max) {
    TADA_TRY(high, BoundOf(column, *given.max, query));
    condition.high = high;
  }
  return condition;
}

}  // namespace

bool CountCondition::Holds(const ColumnReading::Value& value) const {
  if (is_range) return !std::isnan(value.number) && value.number >= low && value.number <= high;
  if (std::binary_search(values.begin(), values.end(), value.text)) return true;
  if (std::isnan(value.number)) return false;
  return std::ranges::any_of(values, [&](const std::string& text) { return ParseNumber(text) == value.number; });
}

std::vector<CountQuery> MakeUpQueries(const std::vector<const Column*>& columns,
                                      const std::vector<ColumnReading>& readings, uint64_t count, uint64_t seed) {
  Random random(MixSeed(seed, 0x9E5));
  std::vector<CountQuery> queries;
  while (queries.size() < count && columns.front()->num_rows() > 0) {
    queries.push_back(MakeUpQuery(columns, readings, random));
  }
  return queries;
}

Result<std::vector<CountQuery>> FindQueries(const std::vector<Query>& workload,
                                            const std::vector<const Column*>& columns) {
  std::vector<CountQuery> queries;
  for (const Query& query : workload) {
    if (!query.target.empty()) continue;
    CountQuery made;
    made.weight = query.weight;
    for (const QueryCondition& given : query.where) {
      TADA_TRY(condition, Bind(given, columns, query.name));
      made.where.push_back(std::move(condition));
    }
    queries.push_back(std::move(made));
  }
  return queries;
}

std::vector<double> AnswerQueries(const std::vector<CountQuery>& queries, const std::vector<const Column*>& columns,
                                  const std::vector<ColumnReading>& readings, const Workers& workers) {
  std::vector<double> answers(queries.size());
  workers.For(queries.size(), [&](size_t q) {
    std::vector<double> met(columns.front()->num_rows(), 1.0);
    for (const CountCondition& condition : queries[q].where) {
      const ColumnReading& reading = readings[condition.column];
      std::vector<double> inside;
      for (const auto& value : reading.values()) inside.push_back(condition.Holds(value) ? 1.0 : 0.0);
      const std::vector<double> of_cell = reading.Expect(inside);
      columns[condition.column]->codes().Visit([&](auto cells) {
        for (size_t row = 0; row < met.size(); ++row) met[row] *= of_cell[cells[row]];
      });
    }
    for (const double row : met) answers[q] += row;
  });
  return answers;
}

QueryErrors CompareAnswers(const std::vector<CountQuery>& queries, const std::vector<double>& before,
                           const std::vector<double>& after, uint64_t rows) {
  QueryErrors errors;
  errors.queries = queries.size();
  if (queries.empty()) return errors;
  const double least = std::max(1.0, kSmallAnswer * static_cast<double>(rows));
  std::vector<double> all;
  double weight = 0;
  for (size_t q = 0; q < queries.size(); ++q) {
    all.push_back(std::abs(after[q] - before[q]) / std::max(before[q], least));
    errors.mean += queries[q].weight * all.back();
    weight += queries[q].weight;
  }
  errors.mean /= weight;
  std::sort(all.begin(), all.end());
  errors.highest = all.back();
  errors.median = all.size() % 2 == 1 ? all[all.size() / 2] : (all[all.size() / 2 - 1] + all[all.size() / 2]) / 2;
  return errors;
}

}  // namespace tada
