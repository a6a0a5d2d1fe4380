#pragma once

// How released cells are written (docs/formats.md).
//   typed      `struct<lo,hi>` and `list<string>` where the format has types; else as text.
//   text       `34`, `[20,30]`, `{CA,MN}`, `*`.
//   postgres   the same as literals of PostgreSQL's ranges and arrays: `[34,34]`, `{CA}`, `(,)` for a masked number, `{NULL}` for a masked
//              name, nothing for a missing number. A column with a hierarchy is plain text.

#include <string>
#include <vector>

#include "recode/release.h"

namespace tada {

enum class CellForm { kTyped, kText, kPostgres };

/// What a recoded column shows: intervals of numbers, sets of names, or texts that are neither.
enum class CellShape { kIntervals, kSets, kTexts };
CellShape ShapeOf(const Column& column, const ReleasedColumn& released);

/// The texts of all different cells of a recoded column, in their order; kTyped is as kText.
std::vector<std::string> CellTexts(const Column& column, const ReleasedColumn& released, CellForm form);

}  // namespace tada
