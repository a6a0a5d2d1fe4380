#include "privacy/tally.h"

#include <algorithm>
#include <functional>

namespace tada {

std::vector<uint32_t> ValueCounts::Descending() const {
  std::vector<uint32_t> counts;
  counts.reserve(present_.size());
  for (const Code value : present_) {
    if (value != uncounted_) counts.push_back(counts_[value]);
  }
  std::sort(counts.begin(), counts.end(), std::greater<>());
  return counts;
}

void Tally::Merge(const Tally& other) {
  rows += other.rows;
  for (size_t c = 0; c < columns.size(); ++c) {
    for (const Code value : other.columns[c].present()) columns[c].Add(value, other.columns[c].count(value));
  }
}

}  // namespace tada
