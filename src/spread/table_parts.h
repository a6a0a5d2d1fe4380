#pragma once

// Value tables that were counted over parts of a node's rows, on their way to whoever adds them up. Sums of the parts are
// exactly what one count over all rows would give: counts are integers, sums of labels whole steps, masks unions.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partition/engine/splits/value_table.h"
#include "spread/bytes.h"

namespace tada {

class TableParts {
 public:
  /// The tables of a node, one per quasi-identifier.
  static std::string Pack(std::span<const ValueTable> tables);
  static std::vector<ValueTable> Unpack(std::string_view bytes, size_t num_tables);
  /// What a count over the rows of all parts would give.
  static ValueTable Merge(const Problem& problem, std::span<const LabelView> labels,
                          std::span<const ValueTable* const> parts);

 private:
  struct At {
    Code code;
    uint32_t part, index;
  };
  /// Adds the value whose pieces are `same` to the end of `sum`.
  static void AddValue(std::span<const LabelView> labels, std::span<const ValueTable* const> parts,
                       std::span<const At> same, ValueTable& sum);
};

}  // namespace tada
