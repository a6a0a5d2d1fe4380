#pragma once

// Which rows stand together.
//   order   row ids, each at most once.      group   a contiguous span of the order.
//   refine  replace a group by groups that split it; rows never leave their span.
// The groups cover the order without gaps. A table's rows may be spread over several Groups, one per data controller.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "groups/box.h"

namespace tada {

class Groups {
 public:
  struct Span {
    uint32_t begin = 0, end = 0;
    uint32_t size() const { return end - begin; }
  };

  Groups() = default;
  /// All of `rows` in one group (none if there are no rows).
  static Groups One(std::vector<RowId> rows);
  /// Rows 0 to `num_rows` - 1 in one group.
  static Groups Whole(size_t num_rows);
  /// Groups given as lists of rows.
  static Groups FromLists(const std::vector<std::vector<RowId>>& lists);
  /// Pre: the spans cover `order` in ascending order without gaps.
  Groups(std::vector<RowId> order, std::vector<Span> spans);

  GroupId num_groups() const { return static_cast<GroupId>(spans_.size()); }
  size_t num_rows() const { return order_.size(); }
  std::span<const RowId> rows(GroupId group) const {
    return std::span(order_).subspan(spans_[group].begin, spans_[group].size());
  }
  const std::vector<Span>& spans() const { return spans_; }
  const std::vector<RowId>& order() const { return order_; }
  /// Gives the order away, which nobody may ask for afterwards; the spans stay.
  std::vector<RowId> TakeOrder() { return std::move(order_); }

  /// The group whose rows are to be masked; it must meet the requirement like any other. After Append there may be one per
  /// data controller: this is the first.
  std::optional<GroupId> masked() const { return masked_.empty() ? std::nullopt : std::optional(masked_.front()); }
  bool is_masked(GroupId group) const { return std::find(masked_.begin(), masked_.end(), group) != masked_.end(); }
  void set_masked(GroupId group) { masked_ = {group}; }

  /// Of a method that recodes whole columns: the level of each quasi-identifier's hierarchy that a group shows. Null for the
  /// usual groups, which show as little of their values as they have to.
  const std::vector<uint8_t>* levels(GroupId group) const {
    return levels_of_group_.empty() || levels_of_group_[group] == 0 ? nullptr : &levels_[levels_of_group_[group] - 1];
  }
  /// Sets the same levels for all groups.
  void set_levels(std::vector<uint8_t> levels) {
    levels_ = {std::move(levels)};
    levels_of_group_.assign(spans_.size(), 1);
  }

  /// The box of a group: what the cuts that made it leave open (groups/box.h). Null where boxes are not followed, which they
  /// are only if the first group is given one.
  const std::shared_ptr<const Box>& box(GroupId group) const {
    static const std::shared_ptr<const Box> kNone;
    return boxes_.empty() ? kNone : boxes_[group];
  }
  bool has_boxes() const { return !boxes_.empty(); }
  /// Sets the boxes of all groups, or of none.
  void set_boxes(std::vector<std::shared_ptr<const Box>> boxes) { boxes_ = std::move(boxes); }
  const std::vector<std::shared_ptr<const Box>>& boxes() const { return boxes_; }

  /// Calls row r by the name names[r].
  void RenameRows(std::span<const RowId> names) {
    for (RowId& row : order_) row = names[row];
  }

  /// Adds the groups of `other`, whose rows are not in these groups.
  void Append(const Groups& other);

 private:
  std::vector<RowId> order_;
  std::vector<Span> spans_;
  std::vector<GroupId> masked_;
  std::vector<std::vector<uint8_t>> levels_;       // those of different data controllers may differ
  std::vector<uint32_t> levels_of_group_;          // an index into levels_, plus one; empty: no group has any
  std::vector<std::shared_ptr<const Box>> boxes_;  // one per group, or empty
};

}  // namespace tada
