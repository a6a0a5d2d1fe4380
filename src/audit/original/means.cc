#include "audit/original/means.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "table/mask_text.h"
#include "table/number.h"
#include "table/parsed_cell.h"

namespace tada {
namespace {

constexpr double kRelative = 1e-9;  // what adding up in another order may change

// The number of a cell; nothing if it is none.
std::optional<double> NumberIfAny(std::string_view text, const Column& original) {
  const std::string plain = original.writing().Plain(text).value_or(std::string(text));
  return original.is_date() ? ParseDate(plain) : ParseNumber(plain);
}

// How far a cell may be from the mean: half a unit of the second digit behind those that the values have; of dates half a day.
double RoundingOf(const Column& original) {
  if (original.is_date()) return 0.5;
  size_t decimals = 0;
  for (Code code = original.num_missing(); code < original.num_codes(); ++code) {
    const std::string text = original.plain(code);
    if (text.find_first_of("eE") != std::string::npos) continue;
    const size_t point = text.find('.');
    if (point != std::string::npos) decimals = std::max(decimals, text.size() - point - 1);
  }
  return 0.5 * std::pow(10.0, -static_cast<double>(std::min<size_t>(decimals, 9) + 2));
}

bool IsNear(double cell, double mean, double rounding) {
  return std::abs(cell - mean) <= rounding + kRelative * std::max(1.0, std::abs(mean));
}

std::string Name(std::string_view text) { return text.empty() ? "(empty)" : std::string(text); }

// What the original rows of a class have in a column.
struct ValuesBehindClass {
  std::map<Code, uint64_t> counts;  // by value
  long double sum = 0;              // that of the largest numbers is no double
  uint64_t present = 0, rows = 0;
  std::set<std::string_view> spellings;

  double Mean() const { return static_cast<double>(sum / static_cast<long double>(present)); }
};

ValuesBehindClass ValuesOf(const Column& original, const auto& members, std::span<const RowId> order) {
  ValuesBehindClass values;
  for (const RowId row : members) {
    const Code code = original.codes()[order[row]];
    ++values.rows;
    ++values.counts[original.value_id(code)];
    values.spellings.insert(original.text(code));
    if (original.is_missing(code)) continue;
    ++values.present;
    if (original.is_numeric()) values.sum += original.number(code);
  }
  return values;
}

bool IsRightNumber(std::string_view cell, const Column& original, const ValuesBehindClass& values, double rounding) {
  if (values.counts.size() == 1) {  // all alike: the value as one of them writes it
    return values.spellings.contains(cell) ||
           (values.present > 0 ? NumberIfAny(cell, original) == values.Mean() : cell.empty());
  }
  if (values.present < values.rows) return false;  // some are missing: only a mask tells nothing wrong
  const auto number = NumberIfAny(cell, original);
  return number && IsNear(*number, values.Mean(), rounding);
}

// One of the values that most rows have.
bool IsRightName(std::string_view cell, const Column& original, const ValuesBehindClass& values) {
  uint64_t most = 0, shown = 0;
  for (const auto& [value, count] : values.counts) most = std::max(most, count);
  for (Code code = 0; code < original.num_codes(); ++code) {
    const auto count = values.counts.find(original.value_id(code));
    const bool named = original.text(code) == cell || (cell.empty() && original.is_missing(code));
    if (count != values.counts.end() && named) shown = std::max(shown, count->second);
  }
  return shown == most;
}

// What a cell shows of one value: that of `{nurse}` is nurse, and that of `[76,76]`, as PostgreSQL's literals have it, is 76.
std::string Unwrapped(std::string_view cell, const Column& original) {
  const Reading names = Reading::kNames, numbers = original.is_date() ? Reading::kDates : Reading::kNumbers;
  ParsedCell parsed = ParseCell(cell, original.is_numeric() ? numbers : names);
  const bool point =
      parsed.form == ParsedCell::Form::kInterval && parsed.low == parsed.high && !parsed.low_open && !parsed.high_open;
  if (point) return std::string(parsed.low);
  const bool single = parsed.form == ParsedCell::Form::kSet && parsed.elements.size() == 1;
  return single ? std::move(parsed.elements.front()) : std::string(cell);
}

// The number that each cell shows, by code; nothing if it is none.
std::vector<std::optional<double>> NumbersOf(const Column& released, const Column& original) {
  std::vector<std::optional<double>> numbers;
  for (Code code = 0; code < released.num_codes(); ++code)
    numbers.push_back(NumberIfAny(Unwrapped(released.text(code), original), original));
  return numbers;
}

}  // namespace

MeanFault CheckMeans(const Column& released, const Column& original, const Classes& classes,
                     std::span<const RowId> order) {
  MeanFault fault;
  const double rounding = original.is_numeric() ? RoundingOf(original) : 0;
  for (size_t index = 0; index < classes.count(); ++index) {
    const RowId first = classes.members(index).front();
    const std::string_view cell = released.text(released.codes()[first]);
    if (IsMaskText(cell)) continue;
    const ValuesBehindClass values = ValuesOf(original, classes.members(index), order);
    const auto is_right = [&](std::string_view shown) {
      return original.is_numeric() ? IsRightNumber(shown, original, values, rounding)
                                   : IsRightName(shown, original, values);
    };
    if (is_right(cell) || is_right(Unwrapped(cell, original))) continue;
    if (fault.rows == 0) {
      fault.example = fmt::format("row {}: {} is not the {} of its class", first + 1, Name(cell),
                                  original.is_numeric() ? "mean" : "most frequent name");
    }
    fault.rows += classes.size(index);
  }
  return fault;
}

std::string CheckTotals(const Column& released, const Column& original, bool all) {
  std::set<std::string_view> known;
  for (Code code = 0; code < original.num_codes(); ++code) known.insert(original.text(code));
  if (!original.is_numeric()) {
    for (Code code = 0; code < released.num_codes(); ++code) {
      const std::string_view cell = released.text(code);
      const std::string shown = Unwrapped(cell, original);
      if (!IsMaskText(cell) && !shown.empty() && !known.contains(cell) && !known.contains(shown))
        return fmt::format("shows a name that the original lacks: {}", cell);
    }
    return "";
  }
  long double before = 0, after = 0, size = 0;
  uint64_t masked = 0;
  for (RowId row = 0; row < original.num_rows(); ++row) {
    const Code code = original.codes()[row];
    if (original.is_missing(code)) continue;
    before += original.number(code);
    size += std::abs(original.number(code));
  }
  const std::vector<std::optional<double>> shown = NumbersOf(released, original);
  for (Code code = 0; code < released.num_codes(); ++code) {
    const std::string_view cell = released.text(code);
    const std::string inside = Unwrapped(cell, original);
    if (!shown[code] && !IsMaskText(cell) && !inside.empty() && !known.contains(inside))
      return fmt::format("shows what is no number: {}", cell);
  }
  for (RowId row = 0; row < released.num_rows(); ++row) {
    const Code code = released.codes()[row];
    masked += IsMaskText(released.text(code)) ? 1 : 0;
    after += shown[code].value_or(0);
  }
  if (!all || masked > 0) return "";
  const double rounding = RoundingOf(original) * static_cast<double>(released.num_rows());
  if (std::abs(before - after) <= rounding + kRelative * std::max(1.0L, size)) return "";
  return fmt::format("sums up to another number than the original: {:g} and {:g}", after, before);
}

double SquaredError(const Column& released, const Column& original, std::span<const RowId> order) {
  if (order.empty()) return 0;
  const auto rows = static_cast<double>(order.size());
  if (!original.is_numeric()) {
    uint64_t other = 0;
    std::vector<std::string> inside;
    for (Code code = 0; code < released.num_codes(); ++code) inside.push_back(Unwrapped(released.text(code), original));
    for (size_t row = 0; row < order.size(); ++row) {
      const Code code = released.codes()[row];
      const std::string_view value = original.text(original.codes()[order[row]]);
      other += released.text(code) == value || inside[code] == value ? 0 : 1;
    }
    return static_cast<double>(other) / rows;
  }
  long double sum = 0, lost = 0, whole = 0;  // squares of the largest numbers are no doubles
  uint64_t present = 0;
  for (const RowId row : order) {
    const Code code = original.codes()[row];
    if (original.is_missing(code)) continue;
    sum += original.number(code);
    ++present;
  }
  const double mean = present > 0 ? static_cast<double>(sum / static_cast<long double>(present)) : 0;
  const std::vector<std::optional<double>> shown = NumbersOf(released, original);
  for (size_t row = 0; row < order.size(); ++row) {
    const Code code = original.codes()[order[row]];
    if (original.is_missing(code)) continue;
    const long double number = original.number(code);
    const long double cell = shown[released.codes()[row]].value_or(mean);
    lost += (number - cell) * (number - cell);
    whole += (number - mean) * (number - mean);
  }
  return whole > 0 ? static_cast<double>(lost / whole) : 0;
}

}  // namespace tada
