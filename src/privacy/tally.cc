#include "privacy/tally.h"

#include <algorithm>
#include <functional>

namespace tada {

std::vector<uint32_t> ValueCounts::Descending() const {
  std::vector<uint32_t> counts;
  counts.reserve(present_.size());
  for (const Code value : present_) {
    if (counts_[value] > 0) counts.push_back(counts_[value]);
  }
  std::sort(counts.begin(), counts.end(), std::greater<>());
  return counts;
}

uint32_t ValueCounts::Distinct() const {
  return static_cast<uint32_t>(
      std::count_if(present_.begin(), present_.end(), [&](Code value) { return counts_[value] > 0; }));
}

void Tally::Merge(const Tally& other) {
  rows += other.rows;
  for (size_t c = 0; c < columns.size(); ++c) {
    for (const Code value : other.columns[c].present()) columns[c].Add(value, other.columns[c].count(value));
  }
}

}  // namespace tada
