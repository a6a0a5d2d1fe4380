#pragma once

// Which released rows somebody could be, to an attacker who knows some of their quasi-identifiers.
//   people      a table of persons with exact values: the original, a population, or made-up people.
//   known       the columns that the attacker knows.
//   kind        people who are alike in the known columns; they are attacked together.
//   class       released rows with the same cells in the known columns.
//   candidate   a class whose cells cover what is known of a kind; each of its rows may be the person's.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "audit/classes/classes.h"
#include "audit/original/cover.h"
#include "base/workers.h"
#include "table/table.h"

namespace tada {

/// People, and the cells of a release judged against their values; one cover per quasi-identifier.
struct People {
  const Table* table = nullptr;
  std::vector<ColumnId> quasi;
  std::vector<std::unique_ptr<CellCover>> covers;
};

/// Pre: `release_quasi[i]` and `quasi[i]` are the same column of the two tables, which outlive the result.
People MeetPeople(const Table& release, std::span<const ColumnId> release_quasi, const Table& table,
                  std::vector<ColumnId> quasi);

struct Matches {
  Classes kinds;                     ///< of the people
  std::vector<uint64_t> begin;       ///< by kind: where its candidates begin; and the end
  std::vector<uint32_t> candidates;  ///< classes of the release, ascending in each kind

  std::span<const uint32_t> of_kind(size_t kind) const {
    return std::span(candidates).subspan(begin[kind], begin[kind + 1] - begin[kind]);
  }
};

/// Finds the candidates of all people. `known` numbers quasi-identifiers, `classes` are the release's by these columns. An
/// error if there are more pairs of kinds and classes than memory should hold.
Result<Matches> FindMatches(const Table& release, std::span<const ColumnId> release_quasi, const Classes& classes,
                            const People& people, std::span<const size_t> known, const Workers& workers);

/// By class: how many of the people its cells cover. Keeps no pairs, so that a whole population can be counted.
Result<std::vector<uint64_t>> CountCovered(const Table& release, std::span<const ColumnId> release_quasi,
                                           const Classes& classes, const People& people, std::span<const size_t> known,
                                           const Workers& workers);

}  // namespace tada
