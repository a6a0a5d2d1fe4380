#pragma once

// What several releases give away together about people who are in more than one. Each release may be (k,l)-anonymous by
// itself; somebody who knows that a person is in two of them looks at both classes, and only what fits both is left.
//   region        classes, one of each of several releases, that a person can be in at the same time.
//   effective k   the fewest rows of a class of the region that remain possible; with a key also the number of people who are
//                 in all its classes, each counted once however many rows they have.
//   effective l   the fewest values of a sensitive column that remain possible.
// Closeness, likeness, disclosure, alpha and spread are asked of the rows of each class that remain possible, compared with all rows of
// their release.
// With a key, a column that names the person, regions are those that people really are in. Without one they are all pairs of
// classes of different releases whose cells overlap in every quasi-identifier both have, and which share a sensitive value:
// somebody may be there. Assumes that a person's sensitive values are the same in all releases. docs/compose.md

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "audit/classes/verdict.h"
#include "base/workers.h"
#include "privacy/requirement.h"
#include "table/table.h"

namespace tada {

struct ComposeOptions {
  std::vector<std::string> quasi, sensitive;  ///< columns; a release need not have all of them
  std::string key;                            ///< the column that names a person; "": none
  Requirement requirement;                    ///< l is counted as distinct values
  std::vector<std::string> missing = {"", "?"};
  /// The values of ordinal sensitive columns, ascending, one list a column; shorter, or empty for a column: not known.
  std::vector<std::vector<std::string>> orders = {};
  /// How many pairs of classes may be compared without a key before the search is given up, and the verdict with it.
  uint64_t pair_limit = 200'000'000;
};

struct ComposedRelease {
  std::string name;
  const Table* table = nullptr;
};

/// A region, described.
struct ComposedRegion {
  std::string person;     ///< the key of one person in it; "" without a key
  uint64_t people = 0;    ///< who are in it and in no further release; 0 without a key
  uint64_t k = 0, l = 0;  ///< effective; l 0: no class has a sensitive column
  struct Part {
    std::string release;
    std::vector<std::pair<std::string, std::string>> cells;  ///< column and cell
    uint64_t rows = 0, rows_left = 0;                        ///< of the class, and those that remain possible
  };
  std::vector<Part> parts;
  /// By sensitive column, the values that remain possible; at most ten.
  std::vector<std::pair<std::string, std::vector<std::string>>> values_left;
  std::string reason;  ///< how it breaks the requirement; "" if it does not
};

struct Composition {
  bool passed = false;
  Requirement requirement;
  bool by_key = false;
  struct Alone {
    std::string name;
    uint64_t rows = 0, classes = 0, k = 0, l = 0;  ///< what it reaches by itself; l 0 without a sensitive column
    uint64_t rows_at_risk = 0;                     ///< rows in classes of regions that break the requirement
    std::vector<ReachedDemand> further = {};       ///< requirements beside k and l
  };
  std::vector<Alone> releases;
  uint64_t regions = 0, regions_below = 0, regions_below_k = 0, regions_below_l = 0, regions_below_more = 0;
  uint64_t people = 0, people_below = 0;  ///< with a key: who are in more than one release
  uint64_t people_changed = 0;            ///< whose sensitive values differ between releases
  uint64_t k = 0, l = 0;                  ///< the smallest of any region; 0: none
  std::vector<ReachedDemand> further;     ///< what the rows that are left of classes reach beside k and l, at worst
  std::vector<std::pair<uint64_t, uint64_t>> regions_by_l;  ///< effective l and how many regions have it, ascending
  std::vector<ComposedRegion> worst;                        ///< at most five, the worst first
  std::vector<std::string> problems, notes;                 ///< no problems if and only if it passed
};

/// Composes at least two releases. Errors: kInvalidArgument (no such column, no quasi-identifier, fewer than two or more than
/// 16 releases), kData (a key that stands in two classes of a release, a release without rows).
Result<Composition> Compose(const std::vector<ComposedRelease>& releases, const ComposeOptions& options,
                            const Workers& workers);

}  // namespace tada
