#pragma once

// How well values drawn for a row explain its label, by a network that never saw the row.
//   candidate     a value drawn inside each widened cell of the row, as without a model.
//   sharpness     outputs are multiplied by it before the softmax: below 1 for a network that is too sure of itself, 0 for one
//                 that knows nothing. Of numbers it is 1 / sigma, the label being normal around what the network expects.
//   likelihood    how probable the row's label is under a candidate.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "decode/model_inputs.h"

namespace tada {

/// What is to be predicted, by row: a class, or a standardized number; NaN where it is missing.
struct ModelLabels {
  std::vector<float> of_row;
  size_t classes = 0;  ///< 0: numbers
  bool is_known(size_t row) const { return of_row[row] == of_row[row]; }
};

/// Which draws: the same step, row and candidate are the same values, whoever asks.
struct ModelDraw {
  uint64_t step = 0;
  uint32_t candidates = 0;
};

class ModelScorer {
 public:
  ModelScorer(const ModelInputs& inputs, const ModelLabels& labels) : inputs_(inputs), labels_(labels) {}

  /// Draws candidates for a row.
  void Draw(size_t row, const ModelDraw& draw);
  /// Asks a network about each.
  void Ask(const SmallNetwork& network);
  /// The mean likelihood of the row's label over the candidates.
  double MeanLikelihood(double sharpness) const;
  /// Picks a candidate in proportion to its likelihood, by a number in [0, 1).
  uint32_t Pick(double sharpness, double unit) const;
  /// The text of a drawn column under a candidate, columns counted as in ModelInputs::drawn().
  uint32_t Text(uint32_t candidate, size_t drawn) const { return texts_[candidate * inputs_.drawn().size() + drawn]; }

  /// What there is to choose among.
  static std::span<const double> Sharpnesses(bool numbers);

 private:
  double Likelihood(uint32_t candidate, double sharpness) const;

  const ModelInputs& inputs_;
  const ModelLabels& labels_;
  size_t row_ = 0;
  uint32_t candidates_ = 0;
  size_t outputs_ = 0;
  std::vector<uint32_t> texts_;
  std::vector<float> out_;
  std::vector<NetworkTerm> terms_;
};

/// A number in [0, 1) that depends on these only.
double UnitOf(uint64_t seed, uint64_t step, uint64_t row);

}  // namespace tada
