#pragma once

// The columns of a release as a network reads them (learn/network/small_network.h): what each value of a column adds.
//   names     a row of weights each; beyond the 255 that are most frequent, all others share one.
//   numbers   one row, times the number standardized over the column; dates are numbers too. "Missing" has a row of its own.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "decode/column_decoder.h"
#include "learn/network/small_network.h"

namespace tada {

/// A column to learn from. Without a decoder its cells are values.
struct ModelColumn {
  const Column* column = nullptr;
  const ColumnDecoder* decoder = nullptr;
};

class ModelInputs {
 public:
  ModelInputs(std::span<const ModelColumn> columns, std::span<const std::string> missing, uint64_t seed);

  /// Rows of weights.
  size_t size() const { return size_; }
  /// The columns whose cells are drawn, as places among those given.
  const std::vector<size_t>& drawn() const { return drawn_; }
  const ModelColumn& column(size_t place) const { return columns_[place]; }
  /// The seed of the draws of a drawn column; by its name, so that other columns play no part.
  uint64_t seed(size_t place) const { return seeds_[place]; }
  /// What a drawn column adds, by the text that was drawn.
  const NetworkTerm& OfText(size_t place, uint32_t text) const { return terms_[place][text]; }
  /// Writes what the other columns of a row add.
  void OfKept(size_t row, std::vector<NetworkTerm>& terms) const;
  /// Whether any drawn cell of the row is widened.
  bool IsWidened(size_t row) const;

 private:
  std::vector<NetworkTerm> TermsOfTexts(const ColumnDecoder& decoder);
  std::vector<NetworkTerm> TermsOfValues(const Column& column, std::span<const std::string> missing);
  std::vector<NetworkTerm> Numbers(std::span<const double> numbers, std::span<const double> weights);
  std::vector<NetworkTerm> Names(std::span<const double> weights);

  std::vector<ModelColumn> columns_;
  std::vector<std::vector<NetworkTerm>> terms_;
  std::vector<uint64_t> seeds_;
  std::vector<size_t> drawn_, kept_;
  size_t size_ = 0;
};

/// The numbers of a column by code, dates too, NaN for "missing"; nothing if some value is neither.
std::optional<std::vector<double>> NumbersOf(const Column& column, std::span<const std::string> missing);
/// The rows of each code.
std::vector<double> RowsOfCodes(const Column& column);

}  // namespace tada
