#include "partition/ta_da/wanted_values.h"

#include <algorithm>

namespace tada {
namespace {

double LimitOf(const Requirement& requirement, const ValueCounts& counts, uint64_t rows) {
  const auto l = static_cast<size_t>(requirement.l);
  switch (requirement.diversity) {
    case Diversity::kDistinct:
      return counts.Distinct() < l ? 1 : 0;
    case Diversity::kEntropy:
      return static_cast<double>(rows) / static_cast<double>(l);
    case Diversity::kRecursive: {
      const std::vector<uint32_t> descending = counts.Descending();
      return l >= 2 && descending.size() + 1 >= l ? descending[l - 2] : 1;
    }
  }
  return 0;
}

}  // namespace

WantedValues::WantedValues(const Checker& checker, const Tally& tally) {
  if (!checker.needs_values()) return;
  for (const ValueCounts& counts : tally.columns) {
    Column& column = columns_.emplace_back();
    column.limit = LimitOf(checker.requirement(), counts, tally.rows);
    for (const Code value : counts.present()) column.counts.emplace_back(value, counts.count(value));
    std::sort(column.counts.begin(), column.counts.end());
  }
}

bool WantedValues::Wants(const Problem& problem, RowId row) const {
  for (size_t s = 0; s < columns_.size(); ++s) {
    const Checker::Sensitive& sensitive = problem.checker.sensitive()[s];
    const Code value = sensitive.value_of_code[problem.table.column(sensitive.column).codes()[row]];
    const auto& counts = columns_[s].counts;
    const auto found = std::lower_bound(counts.begin(), counts.end(), std::pair<Code, uint32_t>(value, 0));
    const uint32_t count = found != counts.end() && found->first == value ? found->second : 0;
    if (count < columns_[s].limit) return true;
  }
  return false;
}

}  // namespace tada
