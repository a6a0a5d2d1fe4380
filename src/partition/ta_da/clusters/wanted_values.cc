#include "partition/ta_da/clusters/wanted_values.h"

#include <algorithm>

namespace tada {
WantedValues::WantedValues(const Checker& checker, const Tally& tally) {
  if (!checker.needs_values()) return;
  for (size_t s = 0; s < tally.columns.size(); ++s) {
    const ValueCounts& counts = tally.columns[s];
    Column& column = columns_.emplace_back();
    column.wanted = checker.WantedBy(tally, s);
    for (const Code value : counts.present()) column.counts.emplace_back(value, counts.count(value));
    std::sort(column.counts.begin(), column.counts.end());
  }
}

bool WantedValues::Wants(const Column& column, Code value) {
  const auto& counts = column.counts;
  const auto found = std::lower_bound(counts.begin(), counts.end(), std::pair<Code, uint32_t>(value, 0));
  const uint32_t count = found != counts.end() && found->first == value ? found->second : 0;
  return std::ranges::any_of(column.wanted, [&](const auto& wants) { return wants(value, count); });
}

bool WantedValues::Wants(const Problem& problem, RowId row) const {
  for (size_t s = 0; s < columns_.size(); ++s) {
    const CountedColumn& sensitive = problem.checker.sensitive()[s];
    bool helps = false;
    sensitive.ForEachValue(sensitive.mark_of_code[problem.table.column(sensitive.column).codes()[row]],
                           [&](Code value) { helps = helps || Wants(columns_[s], value); });
    if (helps) return true;
  }
  return false;
}

}  // namespace tada
