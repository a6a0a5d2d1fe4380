#include "audit/checks/class_values.h"

#include <algorithm>

namespace tada {
namespace {

// Each row of a column is a member, or stands for as many as `rows` says.
ReferenceShares SharesOfRows(const Column& column, const FoldedColumn& folded, std::span<const uint64_t> rows) {
  ReferenceShares shares{std::vector<uint64_t>(folded.count, 0), 0, 0};
  column.codes().Visit([&](auto codes) {
    for (size_t row = 0; row < codes.size(); ++row) {
      const uint64_t members = rows.empty() ? 1 : rows[row];
      shares.counts[folded.value_of_code[codes[row]]] += members;
      shares.members += members;
    }
  });
  shares.total = shares.members;
  return shares;
}

}  // namespace

void ClassValues::Add(std::vector<Code>& values, uint64_t members) {
  std::sort(values.begin(), values.end());
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == 0 || values[i] != values[i - 1]) counts_.push_back({values[i], 0});
    ++counts_.back().count;
  }
  offsets_.push_back(counts_.size());
  members_.push_back(members);
  totals_.push_back(values.size());
}

ClassValues ClassValues::OfRows(const Table& release, const AuditOptions& options, ColumnId id,
                                const Classes& classes) {
  ClassValues made(release.column(id), options.requirement);
  std::vector<Code> values;
  made.column_->codes().Visit([&](auto codes) {
    for (size_t index = 0; index < classes.count(); ++index) {
      values.clear();
      for (const RowId row : classes.members(index)) values.push_back(made.value_of(codes[row]));
      made.Add(values, values.size());
    }
  });
  const std::span<const uint64_t> rows = id < options.reference_rows.size()
                                             ? std::span<const uint64_t>(options.reference_rows[id])
                                             : std::span<const uint64_t>();
  made.reference_ =
      SharesOfRows(options.reference != nullptr ? options.reference->column(id) : *made.column_, made.folded_, rows);
  return made;
}

}  // namespace tada
