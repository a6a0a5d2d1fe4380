#pragma once

// A rule: a level vector, and what it would cost and give to release the table by it.
//   k                  rows of the smallest class of the whole table, exact.
//   information gain   what the recoded columns together say about the label: H(label) - H(label | class), in bits.
//   accuracy           of the best guess of the label from the class, over folds: "cell" accuracy, cheap enough for every
//                      rule. A tree and a support vector machine are trained for the rules that matter (rules/validate.h).

#include <cstdint>
#include <string>
#include <vector>

#include "groups/level_rows.h"

namespace tada {

struct Rule {
  LevelVector levels;
  uint64_t k = 0;
  uint32_t classes = 0;
  double accuracy = 0;
  double information_gain = 0;
  bool joined = false;    ///< made by joining others
  bool frontier = false;  ///< no other rule is at least as good in k, accuracy and information gain, and better in one
};

}  // namespace tada
