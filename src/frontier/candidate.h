#pragma once

// Everything that can be released of a table, beside each other: rules and level vectors, whole columns with suppression, group-wise methods.
//   candidate   one release that could be made: a method with its options and a k, and what it was measured to reach and to cost.
//   beaten      another candidate is at least as good in every objective and better in one.
//   objectives  k, accuracy and information gain where there is a label; k, NCP and the error of count queries where there is none.
// Each candidate meets everything that the plan asks besides k.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "groups/level_rows.h"
#include "plan/plan.h"

namespace tada {

struct Candidate {
  std::string id;      ///< r17, v17, mondrian-k20, datafly-k20-s5
  std::string origin;  ///< "rule", "join", "vector" or "method"
  std::string method;  ///< that releases it: "levels" for the first three
  int64_t asked_k = 0;
  int64_t suppress = 0;  ///< percent of the rows that may be masked
  LevelVector levels;    ///< of the method "levels"
  uint64_t k = 0;        ///< people of the smallest class, measured
  uint64_t classes = 0, masked = 0;
  /// Nothing without a label. The accuracy of groups that were formed by looking at labels is that of rows whose labels were hidden from
  /// the method (frontier/hidden_labels.h): their own groups know too much about them.
  std::optional<double> accuracy, information_gain;
  double ncp = 0, query_error = 0;
  std::optional<double> tree, svm;  ///< cross-validated accuracies of rules on their own frontier
  std::optional<uint64_t> l;        ///< of level vectors, if a column is sensitive
  std::string words;
  std::string command;             ///< that releases the same bytes; "" if the plan needs a file
  std::vector<std::string> cells;  ///< what becomes of the first row, by quasi-identifier; empty if its levels say it
  bool frontier = false;
  std::string beaten_by;  ///< id; "" on the frontier
  std::string same_as;    ///< id of a candidate before it that shows the same of every row; it is on no frontier then
  /// Of what it shows of which row: the same for the same classes. Not for files.
  uint64_t print = 0;
};

/// A place to start, with the reason.
struct Place {
  std::string name;  ///< "Most useful", "Cautious", "Best rule"
  std::string id;
  std::string words;
};

struct JointOptions {
  uint64_t min_k = 2;
  std::vector<std::string> methods = {"mondrian", "ta_da", "infogain", "compact", "dop", "datafly", "optimal"};
  bool wide = false;           ///< slow methods at every k too, more k, more vectors
  size_t max_vectors = 10000;  ///< ten times as many if wide
};

struct Joint {
  std::vector<Candidate> candidates;  ///< largest k first
  std::vector<Place> places;
  uint64_t need = 0;                   ///< the k that places have at least
  uint64_t vectors_min_k = 0;          ///< level vectors are all those with k of at least this
  std::vector<std::string> left_out;   ///< in words: what was asked and cannot be done here
  std::vector<std::string> not_tried;  ///< in words: what a wide search would add
  std::vector<std::pair<std::string, double>> seconds;
};

}  // namespace tada
