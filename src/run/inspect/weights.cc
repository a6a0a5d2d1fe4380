#include "run/inspect/weights.h"

#include <charconv>
#include <optional>

#include "base/option_mark.h"
#include "privacy/models/max_risk.h"
#include "table/column_doubt.h"

namespace tada {
namespace {

constexpr double kLargest = 1e9;

std::optional<double> Weight(const Column& column, Code code) {
  if (column.is_missing(code)) return std::nullopt;
  const std::string_view text = column.text(code);
  double weight = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!(weight * kWeightUnits >= 1 && weight <= kLargest)) return std::nullopt;
  return weight;
}

}  // namespace

Result<std::vector<double>> WeightOfCodes(const Column& column) {
  std::vector<bool> occurs(column.num_codes());
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) occurs[code] = true;
  });
  std::vector<double> weights(column.num_codes());
  for (Code code = 0; code < column.num_codes(); ++code) {
    if (!occurs[code]) continue;
    if (const auto weight = Weight(column, code)) {
      weights[code] = *weight;
      continue;
    }
    return DataError(TADA_OPTION("weights={}") ": {} does not hold a number above 0", column.name(),
                     FirstPlace(column, code))
        .WithHint("A weight says how many people of the population a row stands for, such as 250 or 12.5.");
  }
  return weights;
}

Result<std::vector<uint64_t>> WeightsOf(const Column& column, std::span<const Code> value_of_code, Code num_values) {
  TADA_TRY(weights, WeightOfCodes(column));
  std::vector<uint64_t> of_value(num_values, 0);
  for (Code code = 0; code < column.num_codes(); ++code) {
    of_value[value_of_code[code]] = static_cast<uint64_t>(weights[code] * kWeightUnits);
  }
  return of_value;
}

}  // namespace tada
