#pragma once

// What a release costs, in numbers: information loss by the definitions of docs/concepts.md.
//   span    what a column or a cell leaves open: max - min of numbers (missing values aside), values - 1 of anything else,
//           where "missing" is a value like the others. A label is as wide as the interval it shows (table/label.h), and
//           counts the values it stands for if it shows none.
//   loss    a cell's span / its column's span: 0 for a value, 1 for a mask; 0 throughout in a constant column.
//   column  its values in the table, or only what the released cells show of them: numbers from the smallest to the largest bound,
//           different values that cells name. A column that shows one value is constant, one that shows none loses everything. How
//           many values are below a label that shows no interval is taken from its hierarchy either way.
//   NCP     normalized certainty penalty: the mean loss over rows and quasi-identifiers (DOP, equations 4 and 5; the paper
//           divides twice, we normalize once).
//   leaves  NCP's other mode, for columns with a hierarchy: a label costs leaves / domain, the share of the column's values below
//           it (0 if it is a single one), whatever their distance. Columns without a hierarchy cost what they cost in NCP.
//   class   the rows that show the same in every quasi-identifier: one group, or several that came out alike.
// Rows that are withheld are not in the release, so they are not scored; the report counts them.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/workers.h"
#include "recode/release.h"

namespace tada {

/// What spans are divided by.
enum class SpansOf {
  kInput,     ///< the columns of the whole table: what bars are judged on
  kReleased,  ///< what the released cells show of a column, so that the loss tells nothing else: for reports
};

struct Scorecard {
  double ncp = 0;             ///< mean over rows and quasi-identifiers of cell span / column span
  double discernibility = 0;  ///< sum over classes of size squared
  double average_group = 0;   ///< rows / classes
  uint64_t groups = 0, largest_group = 0, smallest_group = 0, masked_rows = 0;
  std::vector<std::pair<std::string, double>> per_column;  ///< NCP by quasi-identifier
  std::optional<double> ncp_leaves;  ///< NCP by leaves; nothing if no column has a hierarchy, or with kReleased
  std::vector<std::pair<std::string, double>> per_column_leaves;
  std::vector<std::pair<uint64_t, uint64_t>> group_sizes;  ///< size, how many groups; ascending
};

/// By group: the mean loss of its cells, spans over the whole table.
std::vector<double> GroupLosses(const Release& release);

/// Scores the recoded columns of a release. Groups with equal cells count as one class.
Scorecard Score(const Release& release, const Workers& workers, SpansOf spans = SpansOf::kInput);

}  // namespace tada
