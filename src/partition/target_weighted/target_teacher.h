#pragma once

// What the labels of a controller's rows look like to a model: a forest, the teacher, is grown on the
// quasi-identifiers of these rows alone.
//   p        the class probabilities of a row by trees that did not see it: the label without its noise.
//   weight   of a column: how much the teacher's answer changes when the column's value is another row's, between .02 and 1.

#include <vector>

#include "partition/engine/problem.h"

namespace tada {

struct Teacher {
  uint32_t num_classes = 0;        ///< of all labels together; rare classes of a label count as one
  std::vector<float> p;            ///< num_classes a row, in the order of the rows it was asked about
  std::vector<double> weights;     ///< one per quasi-identifier
  std::vector<uint32_t> frequent;  ///< classes, most frequent first
};

Teacher Teach(const Problem& problem, std::span<const RowId> rows, uint32_t trees);

}  // namespace tada
