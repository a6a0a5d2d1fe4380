#pragma once

// What models said of releases that a grid has judged: two methods, or one at two k or l, often make the same release, and the same model learns the
// same from it again. Releases are compared by what their rows show, whatever the order in which their cells are numbered.

#include <array>
#include <compare>
#include <map>
#include <mutex>
#include <optional>

#include "evaluate/evaluate.h"
#include "learn/features/cell_table.h"

namespace tada {

/// 128 bits of all that a model sees of a table.
struct CellDigest {
  uint64_t first = 0, second = 0;
  auto operator<=>(const CellDigest&) const = default;
};
CellDigest DigestOf(const CellTable& table);

/// Serves several threads.
class JudgedBefore {
 public:
  using Metrics = std::array<double, kNumMetrics>;
  struct Key {
    CellDigest train, test;
    Learner learner;
    uint64_t seed;  ///< of the unit: learners of others draw by it
    auto operator<=>(const Key&) const = default;
  };

  std::optional<Metrics> Find(const Key& key) const;
  void Keep(const Key& key, const Metrics& metrics);

 private:
  mutable std::mutex mutex_;
  std::map<Key, Metrics> metrics_;
};

}  // namespace tada
