#pragma once

// People who are not in a release, to try an attacker on: from a population, or made up.

#include <cstdint>
#include <vector>

#include "table/table.h"

namespace tada {

/// Row numbers, ascending: all, or a seeded sample of `most` of them. 0: all.
std::vector<RowId> SampleRows(size_t num_rows, uint64_t most, uint64_t seed);

/// People who do not exist: each of the columns keeps its values, their combinations are drawn.
Table MakeUpPeople(const Table& original, const std::vector<ColumnId>& quasi, uint64_t seed);

/// The people of the population who are not in the original: of people alike, as many as the original does not have.
Table FindOthers(const Table& population, const std::vector<ColumnId>& population_quasi, const Table& original,
                 const std::vector<ColumnId>& quasi);

}  // namespace tada
