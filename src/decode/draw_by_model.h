#pragma once

// Draws in which the label has a say (docs/learning-from-a-release.md): values inside the cells of a row are drawn by the marginals, and
// again in proportion to how likely they make the row's label, by networks that learn on such draws and have not seen the row.
// Whether that is better than the marginals alone is measured on the release itself: if labels that a network has not seen do not become more
// likely, the draws are those of the marginals.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "decode/model_inputs.h"

namespace tada {

struct ModelRequest {
  std::span<const ModelColumn> columns;
  const Column* label = nullptr;
  std::optional<bool> regression;  ///< nothing: numbers with more than ten different ones are predicted as numbers
  std::span<const std::string> missing;
  uint64_t seed = 1;
  uint32_t copies = 1;
};

/// What the model came to, for a person who wonders.
struct ModelFindings {
  std::string label;
  bool regression = false;
  size_t learned_rows = 0;
  /// The mean log likelihood of labels that a network has not seen: with draws by the marginals, and with draws by the model.
  double likelihood_before = 0, likelihood_after = 0;
  bool used = false;  ///< otherwise the marginals drew

  /// What the model saves: of a class the share of what was left to know of it, of a number the share of the typical error.
  double gain() const;
};

struct ModelDraws {
  ModelFindings findings;
  /// By column: of each copy and row the text that was drawn, an index into the decoder's; empty where nothing is drawn by the model.
  std::vector<std::vector<uint32_t>> texts;
};

/// Errors: a label with a single value, with more classes than a model can tell apart, or without numbers that were promised.
Result<ModelDraws> DrawByModel(const ModelRequest& request, const Workers& workers, Progress& progress);

}  // namespace tada
