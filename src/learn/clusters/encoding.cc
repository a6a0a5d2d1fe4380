#include "learn/clusters/encoding.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/option_mark.h"

namespace tada {
namespace {

constexpr size_t kMostNumbers = size_t{1} << 28;  // rows * features: a gigabyte

using Feature = std::vector<float>;  // one number per row

// Codes of the rows, and which of them occur.
struct RowCodes {
  std::vector<Code> codes;
  std::vector<uint32_t> count;  // by code

  RowCodes(const Column& column, std::span<const RowId> rows) : count(column.num_codes(), 0) {
    codes.reserve(rows.size());
    column.codes().Visit([&](auto all) {
      for (const RowId row : rows) codes.push_back(all[row]);
    });
    for (const Code code : codes) ++count[code];
  }
};

// The feature with this number for each code, standardized over the rows; nothing if they're all alike. Codes for which `use` is
// false stand at the mean.
void AddStandardized(const RowCodes& rows, const std::vector<double>& number, const std::vector<uint8_t>& use,
                     std::vector<Feature>& features) {
  double sum = 0, squares = 0;
  uint64_t used = 0;
  for (Code code = 0; code < number.size(); ++code) {
    if (use[code] == 0) continue;
    sum += number[code] * rows.count[code];
    used += rows.count[code];
  }
  if (used == 0) return;
  const double mean = sum / static_cast<double>(used);
  for (Code code = 0; code < number.size(); ++code) {
    if (use[code] != 0) squares += (number[code] - mean) * (number[code] - mean) * rows.count[code];
  }
  const double deviation = std::sqrt(squares / static_cast<double>(used));
  if (!(deviation > 0)) return;
  std::vector<float> of_code(number.size(), 0.0F);
  for (Code code = 0; code < number.size(); ++code) {
    if (use[code] != 0) of_code[code] = static_cast<float>((number[code] - mean) / deviation);
  }
  Feature& feature = features.emplace_back();
  feature.reserve(rows.codes.size());
  for (const Code code : rows.codes) feature.push_back(of_code[code]);
}

void AddNumbers(const Column& column, const RowCodes& rows, std::vector<Feature>& features) {
  const Code num_codes = column.num_codes();
  std::vector<uint8_t> present(num_codes, 0), all(num_codes, 1);
  std::vector<double> number(num_codes, 0), missing(num_codes, 0);
  Code low = num_codes, high = 0;
  for (Code code = 0; code < num_codes; ++code) {
    missing[code] = column.is_missing(code) ? 1 : 0;
    if (rows.count[code] == 0 || column.is_missing(code)) continue;
    present[code] = 1;
    low = std::min(low, code);
    high = code;
  }
  // As shares of the range, halved before they are subtracted: squares of numbers near the largest double would overflow.
  for (Code code = low; code <= high && low < high; ++code) {
    const double range = column.number(high) / 2 - column.number(low) / 2;
    if (range > 0) number[code] = (column.number(code) / 2 - column.number(low) / 2) / range;
  }
  AddStandardized(rows, number, present, features);
  if (low <= high) AddStandardized(rows, missing, all, features);  // adds nothing when no value is missing
}

// The codes that occur, in the order in which their values are to be counted.
std::vector<Code> OrderedCodes(const RowCodes& rows, NameEncoding encoding, const Hierarchy* hierarchy) {
  std::vector<Code> codes;
  if (encoding == NameEncoding::kAppearance) {
    std::vector<uint8_t> seen(rows.count.size(), 0);
    for (const Code code : rows.codes) {
      if (seen[code] == 0) codes.push_back(code);
      seen[code] = 1;
    }
    return codes;
  }
  for (Code code = 0; code < rows.count.size(); ++code) {
    if (rows.count[code] > 0) codes.push_back(code);
  }
  if (encoding != NameEncoding::kHierarchy || hierarchy == nullptr) return codes;
  std::ranges::sort(codes, [&](Code a, Code b) {
    for (uint32_t level = hierarchy->num_levels(); level-- > 0;) {
      if (hierarchy->node(level, a) != hierarchy->node(level, b))
        return hierarchy->node(level, a) < hierarchy->node(level, b);
    }
    return a < b;
  });
  return codes;
}

// The rank of each code's value among the values that occur, and their number.
Code RankValues(const Column& column, std::span<const Code> ordered, std::vector<Code>& rank) {
  constexpr Code kNone = UINT32_MAX;
  std::vector<Code> rank_of_value(column.num_values(), kNone);
  Code next = 0;
  rank.assign(column.num_codes(), 0);
  for (const Code code : ordered) {
    Code& known = rank_of_value[column.value_id(code)];
    if (known == kNone) known = next++;
    rank[code] = known;
  }
  return next;
}

void AddOneHot(const RowCodes& rows, const std::vector<Code>& rank, Code num_values, std::vector<Feature>& features) {
  if (num_values < 2) return;
  const size_t first = features.size();
  features.resize(first + num_values, Feature(rows.codes.size(), 0.0F));
  for (size_t i = 0; i < rows.codes.size(); ++i) features[first + rank[rows.codes[i]]][i] = std::sqrt(0.5F);
}

void AddRanks(const RowCodes& rows, const std::vector<Code>& rank, std::vector<Feature>& features) {
  AddStandardized(rows, std::vector<double>(rank.begin(), rank.end()), std::vector<uint8_t>(rank.size(), 1), features);
}

}  // namespace

Result<Points> EncodeRows(const Table& table, std::span<const ColumnId> columns, std::span<const RowId> rows,
                          NameEncoding encoding, std::span<const Hierarchy* const> hierarchies,
                          std::span<const double> importances) {
  std::vector<Feature> features;
  size_t weighed = 0;
  const auto weigh = [&](size_t c) {  // the features of a column
    for (; weighed < features.size(); ++weighed) {
      if (c >= importances.size()) continue;
      for (float& number : features[weighed]) number *= static_cast<float>(std::sqrt(importances[c]));
    }
  };
  for (size_t c = 0; c < columns.size(); ++c) {
    if (c > 0) weigh(c - 1);
    const Column& column = table.column(columns[c]);
    const RowCodes codes(column, rows);
    if (column.is_numeric()) {
      AddNumbers(column, codes, features);
      continue;
    }
    std::vector<Code> rank;
    const Hierarchy* hierarchy = c < hierarchies.size() ? hierarchies[c] : nullptr;
    const Code num_values = RankValues(column, OrderedCodes(codes, encoding, hierarchy), rank);
    if (encoding != NameEncoding::kOneHot || column.kind() == Kind::kOrdinal) {
      AddRanks(codes, rank, features);
      continue;
    }
    if ((features.size() + num_values) * rows.size() > kMostNumbers) {
      return InvalidArgument(
                 TADA_OPTION("encoding=one-hot") " needs a feature for every value, and there are too many: column {}, values={}, "
                 "rows={}",
                 column.name(), num_values, rows.size())
          .WithHint("Use " TADA_OPTION("encoding=codes") ".");
    }
    AddOneHot(codes, rank, num_values, features);
  }
  if (!columns.empty()) weigh(columns.size() - 1);
  if (features.empty()) features.emplace_back(rows.size(), 0.0F);
  Points points(rows.size(), features.size());
  for (size_t f = 0; f < features.size(); ++f) {
    for (size_t i = 0; i < rows.size(); ++i) points.values[i * features.size() + f] = features[f][i];
  }
  return points;
}

}  // namespace tada
