#include "decode/model_inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "audit/classes/reading.h"
#include "decode/decode_parts.h"
#include "table/number.h"

namespace tada {
namespace {

constexpr size_t kMostNames = 255;
constexpr double kFarthest = 10;  // standard deviations: what lies farther out must not rule the network
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double NumberOfText(std::string_view text, Reading reading, const Writing& writing) {
  const auto plain = writing.Plain(text);
  const std::string_view as = plain ? std::string_view(*plain) : text;
  return (reading == Reading::kDates ? ParseDate(as) : ParseNumber(as)).value_or(kNaN);
}

}  // namespace

std::vector<double> RowsOfCodes(const Column& column) {
  std::vector<double> rows(column.num_codes(), 0.0);
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) rows[code] += 1;
  });
  return rows;
}

std::optional<std::vector<double>> NumbersOf(const Column& column, std::span<const std::string> missing) {
  std::vector<double> numbers(column.num_codes(), kNaN);
  bool any = false;
  for (const bool dates : {false, true}) {
    bool all = true;
    for (Code code = 0; all && code < column.num_codes(); ++code) {
      if (column.is_missing(code) || IsMissingText(column.text(code), missing)) continue;
      const auto number = column.is_numeric() ? std::optional(column.number(code))
                          : dates             ? ParseDate(column.text(code))
                                              : ParseNumber(column.text(code));
      all = number.has_value();
      any = true;
      if (all) numbers[code] = *number;
    }
    if (all && any) return numbers;
  }
  return std::nullopt;
}

ModelInputs::ModelInputs(std::span<const ModelColumn> columns, std::span<const std::string> missing, uint64_t seed)
    : columns_(columns.begin(), columns.end()) {
  for (size_t place = 0; place < columns_.size(); ++place) {
    const auto& [column, decoder] = columns_[place];
    (decoder != nullptr ? drawn_ : kept_).push_back(place);
    seeds_.push_back(SeedOfColumn(seed, column->name()));
    terms_.push_back(decoder != nullptr ? TermsOfTexts(*decoder) : TermsOfValues(*column, missing));
  }
}

// One behind the other: the numbers' own row, then that of "missing".
std::vector<NetworkTerm> ModelInputs::Numbers(std::span<const double> numbers, std::span<const double> weights) {
  double sum = 0, mass = 0, squares = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (std::isfinite(numbers[i])) sum += weights[i] * numbers[i], mass += weights[i];
  }
  const double mean = mass > 0 ? sum / mass : 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (std::isfinite(numbers[i])) squares += weights[i] * (numbers[i] - mean) * (numbers[i] - mean);
  }
  const double deviation = mass > 0 && squares > 0 ? std::sqrt(squares / mass) : 1;
  const auto row = static_cast<uint32_t>(size_);
  size_ += 2;
  std::vector<NetworkTerm> terms;
  for (const double number : numbers) {
    const double standard = std::clamp((number - mean) / deviation, -kFarthest, kFarthest);
    terms.push_back(std::isfinite(number) ? NetworkTerm{row, static_cast<float>(standard)} : NetworkTerm{row + 1, 1});
  }
  return terms;
}

std::vector<NetworkTerm> ModelInputs::Names(std::span<const double> weights) {
  std::vector<uint32_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return weights[a] > weights[b]; });
  const size_t known = std::min(order.size(), kMostNames);
  std::vector<NetworkTerm> terms(weights.size());
  for (size_t i = 0; i < order.size(); ++i) {
    terms[order[i]] = {static_cast<uint32_t>(size_ + std::min(i, known)), 1.0f};
  }
  size_ += known + 1;  // the last one stands for all others
  return terms;
}

std::vector<NetworkTerm> ModelInputs::TermsOfTexts(const ColumnDecoder& decoder) {
  const CellAtoms& cells = decoder.cells();
  if (cells.reading != Reading::kNames) {
    std::vector<double> numbers(cells.numbers);
    for (double& number : numbers) number = std::isfinite(number) ? number : kNaN;
    for (size_t text = numbers.size(); text < cells.texts.size(); ++text) {
      numbers.push_back(NumberOfText(cells.texts[text], cells.reading, decoder.writing()));
    }
    return Numbers(numbers, decoder.marginal());
  }
  std::vector<NetworkTerm> terms = Names(decoder.marginal());
  terms.resize(cells.texts.size(), {static_cast<uint32_t>(size_ - 1), 1.0f});
  for (const CellAtoms::Choice& choice : cells.choices) {  // other spellings of a name
    if (choice.text != CellAtoms::kDrawn && choice.size() == 1) terms[choice.text] = terms[cells.atom(choice, 0)];
  }
  return terms;
}

std::vector<NetworkTerm> ModelInputs::TermsOfValues(const Column& column, std::span<const std::string> missing) {
  const std::vector<double> rows = RowsOfCodes(column);
  const auto numbers = NumbersOf(column, missing);
  return numbers ? Numbers(*numbers, rows) : Names(rows);
}

void ModelInputs::OfKept(size_t row, std::vector<NetworkTerm>& terms) const {
  for (const size_t place : kept_) terms.push_back(terms_[place][columns_[place].column->codes()[row]]);
}

bool ModelInputs::IsWidened(size_t row) const {
  return std::any_of(drawn_.begin(), drawn_.end(), [&](size_t place) {
    const auto& [column, decoder] = columns_[place];
    return decoder->cells().choices[column->codes()[row]].text == CellAtoms::kDrawn;
  });
}

}  // namespace tada
