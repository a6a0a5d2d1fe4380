#include "groups/box.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/status.h"

namespace tada {
namespace {

constexpr size_t kNoPart = SIZE_MAX;

using Values = std::shared_ptr<const std::vector<Code>>;

// Parts in the order of their numbers: cuts of numbers never interleave.
std::vector<size_t> Ascending(std::span<const std::vector<Code>> codes) {
  std::vector<size_t> order(codes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return codes[a].front() < codes[b].front(); });
  for (size_t i = 1; i < order.size(); ++i) TADA_ASSERT(codes[order[i - 1]].back() < codes[order[i]].front());
  return order;
}

std::vector<BoxSide> CutNumbers(const BoxSide& side, const Column& column, std::span<const std::vector<Code>> codes) {
  std::vector<BoxSide> sides(codes.size(), side);
  const std::vector<size_t> order = Ascending(codes);
  for (size_t i = 1; i < order.size(); ++i) {
    BoxSide &left = sides[order[i - 1]], &right = sides[order[i]];
    const Cut cut{codes[order[i - 1]].back(), codes[order[i]].front()};
    right.missing = MissingInBox::kNo;
    if (column.is_missing(cut.below)) {  // the cut is between people without a number and the others
      left.missing = MissingInBox::kOnly;
    } else {
      left.upper = right.lower = cut;
    }
  }
  return sides;
}

// The part of every value of the side, or kNoPart.
std::vector<size_t> PartsByOrder(const std::vector<Code>& values, std::span<const std::vector<Code>> codes) {
  std::vector<std::pair<Code, size_t>> present;
  for (size_t part = 0; part < codes.size(); ++part) {
    for (const Code code : codes[part]) present.emplace_back(code, part);
  }
  std::sort(present.begin(), present.end());
  std::vector<size_t> parts;
  parts.reserve(values.size());
  size_t at = 0;
  for (const Code value : values) {
    while (at + 1 < present.size() && present[at + 1].first <= value) ++at;
    parts.push_back(present[at].second);
  }
  return parts;
}

std::vector<size_t> PartsByHierarchy(const std::vector<Code>& values, const Hierarchy& hierarchy,
                                     std::span<const std::vector<Code>> codes) {
  std::vector<size_t> parts(values.size(), kNoPart);
  std::vector<bool> found(values.size(), false);
  for (uint32_t level = 0; level < hierarchy.num_levels(); ++level) {
    std::unordered_map<Code, size_t> part_of_node;
    for (size_t part = 0; part < codes.size(); ++part) {
      for (const Code code : codes[part]) {
        const auto [known, is_new] = part_of_node.try_emplace(hierarchy.node(level, code), part);
        if (!is_new && known->second != part) known->second = kNoPart;
      }
    }
    for (size_t i = 0; i < values.size(); ++i) {
      if (found[i]) continue;
      const auto known = part_of_node.find(hierarchy.node(level, values[i]));
      if (known == part_of_node.end()) continue;
      parts[i] = known->second;
      found[i] = true;
    }
  }
  return parts;
}

std::vector<BoxSide> CutValues(const BoxSide& side, const Hierarchy* hierarchy,
                               std::span<const std::vector<Code>> codes) {
  const std::vector<size_t> parts =
      hierarchy != nullptr ? PartsByHierarchy(*side.values, *hierarchy, codes) : PartsByOrder(*side.values, codes);
  std::vector<std::vector<Code>> values(codes.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] != kNoPart) values[parts[i]].push_back((*side.values)[i]);
  }
  std::vector<BoxSide> sides(codes.size(), side);
  for (size_t part = 0; part < sides.size(); ++part) {
    sides[part].values = std::make_shared<const std::vector<Code>>(std::move(values[part]));
  }
  return sides;
}

Values Union(const Values& a, const Values& b) {
  if (a == b || a == nullptr) return a;
  auto both = std::make_shared<std::vector<Code>>();
  std::set_union(a->begin(), a->end(), b->begin(), b->end(), std::back_inserter(*both));
  return both;
}

// Numbers of one side together with those of another. Nothing but missing values is no numbers at all.
void Widen(BoxSide& side, const BoxSide& other) {
  side.values = Union(side.values, other.values);
  if (other.missing == MissingInBox::kOnly) {
    if (side.missing == MissingInBox::kNo) side.missing = MissingInBox::kMay;
    return;
  }
  if (side.missing == MissingInBox::kOnly) {
    side.lower = other.lower, side.upper = other.upper;
    side.missing = MissingInBox::kMay;
    return;
  }
  if (other.missing == MissingInBox::kMay) side.missing = MissingInBox::kMay;
  if (!side.lower.open() && (other.lower.open() || other.lower.above < side.lower.above)) side.lower = other.lower;
  if (!side.upper.open() && (other.upper.open() || other.upper.below > side.upper.below)) side.upper = other.upper;
}

}  // namespace

Box WholeBox(const Table& table, std::span<const ColumnId> columns, std::span<const Hierarchy* const> hierarchies) {
  Box box;
  for (size_t i = 0; i < columns.size(); ++i) {
    const Column& column = table.column(columns[i]);
    BoxSide& side = box.emplace_back();
    if (column.is_numeric() && (hierarchies.empty() || hierarchies[i] == nullptr)) {
      side.missing = column.num_missing() > 0 ? MissingInBox::kMay : MissingInBox::kNo;
      continue;
    }
    auto values = std::make_shared<std::vector<Code>>(column.num_codes());
    std::iota(values->begin(), values->end(), Code{0});
    side.values = std::move(values);
  }
  return box;
}

std::vector<std::shared_ptr<const Box>> CutBox(const Box& box, size_t side, const Column& column,
                                               const Hierarchy* hierarchy, std::span<const std::vector<Code>> codes) {
  std::vector<BoxSide> sides =
      box[side].values == nullptr ? CutNumbers(box[side], column, codes) : CutValues(box[side], hierarchy, codes);
  std::vector<std::shared_ptr<const Box>> boxes;
  for (BoxSide& own : sides) {
    auto part = std::make_shared<Box>(box);
    (*part)[side] = std::move(own);
    boxes.push_back(std::move(part));
  }
  return boxes;
}

Box HullOfBoxes(std::span<const std::shared_ptr<const Box>> boxes) {
  Box hull = *boxes.front();
  for (const auto& box : boxes.subspan(1)) {
    for (size_t side = 0; side < hull.size(); ++side) Widen(hull[side], (*box)[side]);
  }
  return hull;
}

}  // namespace tada
