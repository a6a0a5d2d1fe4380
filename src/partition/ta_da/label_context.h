#pragma once

// What the tree counts labels by, beyond their classes (docs/algorithms/ta_da.md#the-conditional-tree).
//   context   what a receiver sees of a row whatever the groups are: its sensitive value; where columns are kept, the leaf of a small tree
//             over the sensitive and the kept columns. What a context says about the label already, no split has to say again.
//   weight    of a class: how much one of its rows counts, so that all classes count the same in sum.

#include <vector>

#include "partition/engine/splits/value_table.h"

namespace tada {

struct Contexts {
  std::vector<Code> of_row;  ///< by row of the table; means something for the rows of the problem
  Code count = 1;
};

/// The contexts of the rows of `groups`.
Contexts FindContexts(const Problem& problem, const Groups& groups);

/// Lets the labels that are classes be counted by context: adds a column to `rows` for each. Labels of more than 64 classes are left as
/// they are.
void AddContexts(const Problem& problem, const Contexts& contexts, NodeRows& rows, std::vector<LabelView>& labels);

/// Lets the classes of a label weigh the same in sum, over all of `rows`. Pre: the labels have no contexts yet.
void AddClassWeights(const NodeRows& rows, std::vector<LabelView>& labels);

}  // namespace tada
