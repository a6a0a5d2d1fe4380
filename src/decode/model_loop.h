#pragma once

// Learning which values inside the cells explain the labels: draws and networks in turn, a stochastic expectation maximization.
//   draws      two values per widened cell and row, at first as the marginals have them.
//   folds      rows are in one of four; the network of a fold never sees its rows. Without that the loop confirms itself where labels are
//              noisy: a network that has seen a label finds the draw that explains it.
//   epoch      each network learns from the draws of the other folds. From the tenth on, every second one redraws: of several
//              candidates per row that one by how likely its fold's network thinks the label is.
//   held-out likelihood   the mean log of the mean likelihood over candidates, which are drawn by the marginals, each row by
//              the network that has not seen it. It is what the loop raises, and what says whether it did.
// At most 20,000 rows are learned from, a sample if there are more; the networks then draw for all.

#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "decode/model_scorer.h"

namespace tada {

struct ModelSettings {
  uint32_t folds = 4;
  uint32_t epochs = 50;
  uint32_t warm_epochs = 10;
  uint32_t candidates = 12;
  uint32_t snapshots = 4;  ///< of the networks, from the second half of the loop: different ones for different copies
  size_t most_rows = 20000;
  uint64_t seed = 1;
};

/// The networks of one moment, by fold, and how far they are to be believed.
struct ModelSnapshot {
  std::vector<SmallNetwork> networks;
  double sharpness = 1;
};

class ModelLoop {
 public:
  ModelLoop(const ModelInputs& inputs, const ModelLabels& labels, const ModelSettings& settings, const Workers& workers,
            Progress& progress);

  void Run();

  const std::vector<ModelSnapshot>& snapshots() const { return snapshots_; }
  /// The held-out likelihood when draws were those of the marginals, at its best, and at the end.
  double likelihood_before() const { return before_; }
  double likelihood_after() const { return after_; }
  size_t num_rows() const { return rows_.size(); }
  /// The fold of a row, whether it was learned from or not.
  uint32_t fold(size_t row) const;

 private:
  static constexpr uint32_t kDraws = 2;

  void ChooseRows();
  void DrawByMarginals(uint64_t step);
  void Train(uint64_t epoch);
  void TrainFold(uint32_t fold, uint64_t epoch);
  /// Sets the sharpness under which held-out labels are most likely, and says how likely.
  double Judge(uint64_t step);
  void Redraw(uint64_t step);
  void SetDraw(size_t i, uint32_t draw, const ModelScorer& scorer, uint32_t candidate);

  const ModelInputs& inputs_;
  const ModelLabels& labels_;
  const ModelSettings& settings_;
  const Workers& workers_;
  Progress& progress_;
  std::vector<size_t> rows_;        // learned from
  std::vector<NetworkTerm> terms_;  // by row, draw and column: the drawn columns first
  size_t width_ = 0;                // terms of a draw
  ModelSnapshot now_;
  std::vector<ModelSnapshot> snapshots_;
  double before_ = 0, after_ = 0;
};

}  // namespace tada
