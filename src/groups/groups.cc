#include "groups/groups.h"

#include <numeric>

#include "base/status.h"

namespace tada {

Groups::Groups(std::vector<RowId> order, std::vector<Span> spans) : order_(std::move(order)), spans_(std::move(spans)) {
  uint32_t at = 0;
  for (const Span& span : spans_) {
    TADA_ASSERT(span.begin == at && span.end > span.begin);
    at = span.end;
  }
  TADA_ASSERT(at == order_.size());
}

Groups Groups::One(std::vector<RowId> rows) {
  std::vector<Span> spans;
  if (!rows.empty()) spans.push_back({0, static_cast<uint32_t>(rows.size())});
  return Groups(std::move(rows), std::move(spans));
}

Groups Groups::Whole(size_t num_rows) {
  std::vector<RowId> rows(num_rows);
  std::iota(rows.begin(), rows.end(), RowId{0});
  return One(std::move(rows));
}

Groups Groups::FromLists(const std::vector<std::vector<RowId>>& lists) {
  std::vector<RowId> order;
  std::vector<Span> spans;
  for (const std::vector<RowId>& list : lists) {
    if (list.empty()) continue;
    const auto begin = static_cast<uint32_t>(order.size());
    order.insert(order.end(), list.begin(), list.end());
    spans.push_back({begin, static_cast<uint32_t>(order.size())});
  }
  return Groups(std::move(order), std::move(spans));
}

void Groups::Append(const Groups& other) {
  const auto shift = static_cast<uint32_t>(order_.size());
  for (const GroupId group : other.masked_) masked_.push_back(num_groups() + group);
  if (!levels_of_group_.empty() || !other.levels_of_group_.empty()) {
    levels_of_group_.resize(spans_.size(), 0);
    for (GroupId group = 0; group < other.num_groups(); ++group) {
      const uint32_t index = other.levels_of_group_.empty() ? 0 : other.levels_of_group_[group];
      levels_of_group_.push_back(index == 0 ? 0 : index + static_cast<uint32_t>(levels_.size()));
    }
    levels_.insert(levels_.end(), other.levels_.begin(), other.levels_.end());
  }
  TADA_ASSERT(spans_.empty() || other.spans_.empty() || has_boxes() == other.has_boxes());
  boxes_.insert(boxes_.end(), other.boxes_.begin(), other.boxes_.end());
  order_.insert(order_.end(), other.order_.begin(), other.order_.end());
  for (const Span& span : other.spans_) spans_.push_back({span.begin + shift, span.end + shift});
}

}  // namespace tada
