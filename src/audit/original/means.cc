#include "audit/original/means.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "table/number.h"

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
  double sum = 0;
  uint64_t present = 0, rows = 0;
  std::set<std::string_view> spellings;
};

ValuesBehindClass ValuesOf(const Column& original, std::span<const RowId> members, std::span<const RowId> order) {
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
           (values.present > 0 && NumberIfAny(cell, original) == values.sum / static_cast<double>(values.present));
  }
  if (values.present < values.rows) return false;  // some are missing: only a mask tells nothing wrong
  const auto number = NumberIfAny(cell, original);
  return number && IsNear(*number, values.sum / static_cast<double>(values.rows), rounding);
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

// A name as it stands in a cell: a set of one is that one.
std::string_view Unwrapped(std::string_view cell) {
  const bool set =
      cell.size() > 1 && cell.front() == '{' && cell.back() == '}' && cell.find_first_of(",\"\\") == cell.npos;
  return set ? cell.substr(1, cell.size() - 2) : cell;
}

}  // namespace

MeanFault CheckMeans(const Column& released, const Column& original, const Classes& classes,
                     std::span<const RowId> order) {
  MeanFault fault;
  const double rounding = original.is_numeric() ? RoundingOf(original) : 0;
  for (size_t index = 0; index < classes.count(); ++index) {
    const RowId first = classes.members(index).front();
    const std::string_view cell = released.text(released.codes()[first]);
    if (cell == "*") continue;
    const ValuesBehindClass values = ValuesOf(original, classes.members(index), order);
    const bool right = original.is_numeric()
                           ? IsRightNumber(cell, original, values, rounding)
                           : IsRightName(cell, original, values) || IsRightName(Unwrapped(cell), original, values);
    if (right) continue;
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
      if (cell != "*" && !cell.empty() && !known.contains(cell) && !known.contains(Unwrapped(cell)))
        return fmt::format("shows a name that the original lacks: {}", cell);
    }
    return "";
  }
  double before = 0, after = 0, size = 0;
  uint64_t masked = 0;
  for (RowId row = 0; row < original.num_rows(); ++row) {
    const Code code = original.codes()[row];
    if (original.is_missing(code)) continue;
    before += original.number(code);
    size += std::abs(original.number(code));
  }
  for (RowId row = 0; row < released.num_rows(); ++row) {
    const std::string_view cell = released.text(released.codes()[row]);
    const auto number = NumberIfAny(cell, original);
    if (!number && cell != "*" && !cell.empty() && !known.contains(cell))
      return fmt::format("shows what is no number: {}", cell);
    masked += cell == "*" ? 1 : 0;
    after += number.value_or(0);
  }
  if (!all || masked > 0) return "";
  const double rounding = RoundingOf(original) * static_cast<double>(released.num_rows());
  if (std::abs(before - after) <= rounding + kRelative * std::max(1.0, size)) return "";
  return fmt::format("sums up to another number than the original: {:g} and {:g}", after, before);
}

double SquaredError(const Column& released, const Column& original, std::span<const RowId> order) {
  if (order.empty()) return 0;
  const auto rows = static_cast<double>(order.size());
  if (!original.is_numeric()) {
    uint64_t other = 0;
    for (size_t row = 0; row < order.size(); ++row) {
      const Code code = original.codes()[order[row]];
      const std::string_view cell = released.text(released.codes()[row]), value = original.text(code);
      other += cell == value || Unwrapped(cell) == value ? 0 : 1;
    }
    return static_cast<double>(other) / rows;
  }
  double sum = 0, lost = 0, whole = 0;
  uint64_t present = 0;
  for (const RowId row : order) {
    const Code code = original.codes()[row];
    if (original.is_missing(code)) continue;
    sum += original.number(code);
    ++present;
  }
  const double mean = present > 0 ? sum / static_cast<double>(present) : 0;
  for (size_t row = 0; row < order.size(); ++row) {
    const Code code = original.codes()[order[row]];
    if (original.is_missing(code)) continue;
    const double number = original.number(code);
    const double cell = NumberIfAny(released.text(released.codes()[row]), original).value_or(mean);
    lost += (number - cell) * (number - cell);
    whole += (number - mean) * (number - mean);
  }
  return whole > 0 ? lost / whole : 0;
}

}  // namespace tada
