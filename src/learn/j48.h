#pragma once

// A decision tree as C4.5 Release 8 grows and prunes it (Quinlan 1993, 1996; Weka calls it J48), for judging released data.
// No privacy in here.
//   sample   rows that look alike and have one label, with a weight: how many they are. Released classes are few, so a tree
//            on them costs what a tree on a few hundred rows does.
//   nominal column   split into one branch per value.     numeric column   split at a threshold between two codes.
// Gain ratio among the columns of at least average gain; subtrees replaced by leaves where the pessimistic error (confidence
// 0.25) does not rise. Subtree raising, which J48 also does, is left out: it changes accuracies in the fourth digit here.

#include <cstdint>
#include <span>
#include <vector>

namespace tada {

struct TreeSamples {
  struct Column {
    std::vector<uint32_t> codes;  ///< one per sample
    uint32_t num_codes = 0;
    bool numeric = false;  ///< codes are in the order of values
  };
  std::vector<Column> columns;
  std::vector<uint32_t> labels;
  uint32_t num_labels = 0;

  size_t size() const { return labels.size(); }
};

struct J48Options {
  double confidence = 0.25;
  double min_rows = 2;  ///< that at least two branches of a split must have
};

class J48Tree {
 public:
  /// Grows and prunes a tree on the samples with a weight above 0.
  J48Tree(const TreeSamples& samples, std::span<const double> weights, const J48Options& options = {});

  uint32_t Predict(const TreeSamples& samples, size_t sample) const;
  size_t num_leaves() const;

 private:
  friend class J48Grower;
  struct Node {
    int32_t column = -1;             // -1: a leaf
    uint32_t threshold = 0;          // numeric: codes up to it go to the first branch
    std::vector<uint32_t> children;  // by code; 0 where no training sample went
    uint32_t label = 0;
  };
  std::vector<Node> nodes_;
};

/// The share of rows whose label a tree predicts that was trained on the other folds. `weights` has the rows of each sample
/// in each fold: weights[sample * num_folds + fold].
double CrossValidateTree(const TreeSamples& samples, std::span<const uint32_t> weights, uint32_t num_folds,
                         const J48Options& options = {});

}  // namespace tada
