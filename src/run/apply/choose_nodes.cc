#include "run/apply/choose_nodes.h"

#include <algorithm>
#include <numeric>

namespace tada {
namespace {

constexpr uint32_t kNone = CutNode::kNone;

// The nodes numbered so that those below one follow it, and the units sorted by the numbers of their anchors: the units of a node and
// all below it are next to each other.
class Walk {
 public:
  Walk(const PlacedRows& placed, const std::vector<uint8_t>& keep) : placed_(placed), children_(placed.nodes.size()) {
    for (uint32_t i = 0; i < placed.nodes.size(); ++i) {
      const uint32_t parent = placed.nodes[i].parent;
      if (parent == kNone) {
        roots_.push_back(i);
      } else {
        children_[parent].push_back(i);
      }
    }
    Number();
    for (uint32_t unit = 0; unit < placed.anchors.size(); ++unit) {
      if (placed.anchors[unit] != kNone && keep[unit] != 0) units_.push_back(unit);
    }
    const auto number = [&](uint32_t unit) { return number_[placed.anchors[unit]]; };
    std::ranges::stable_sort(units_, {}, number);
    begin_.resize(order_.size() + 1);
    for (size_t i = 0; i <= order_.size(); ++i) {
      begin_[i] = static_cast<size_t>(std::ranges::lower_bound(units_, i, {}, number) - units_.begin());
    }
  }

  const std::vector<uint32_t>& order() const { return order_; }
  const std::vector<uint32_t>& roots() const { return roots_; }
  const std::vector<uint32_t>& children(uint32_t node) const { return children_[node]; }
  std::span<const uint32_t> Units(uint32_t node) const {
    const size_t begin = begin_[number_[node]], end = begin_[number_[node] + size_[node]];
    return std::span(units_).subspan(begin, end - begin);
  }

 private:
  void Number() {
    number_.resize(children_.size());
    size_.assign(children_.size(), 1);
    std::vector<uint32_t> stack(roots_.rbegin(), roots_.rend());
    while (!stack.empty()) {
      const uint32_t node = stack.back();
      stack.pop_back();
      number_[node] = static_cast<uint32_t>(order_.size());
      order_.push_back(node);
      stack.insert(stack.end(), children_[node].rbegin(), children_[node].rend());
    }
    for (size_t i = order_.size(); i-- > 0;) {
      const uint32_t parent = placed_.nodes[order_[i]].parent;
      if (parent != kNone) size_[parent] += size_[order_[i]];
    }
  }

  const PlacedRows& placed_;
  std::vector<std::vector<uint32_t>> children_;
  std::vector<uint32_t> roots_, order_, number_, size_, units_;
  std::vector<size_t> begin_;
};

enum class State : uint8_t { kEmpty, kFine, kFails };

}  // namespace

ChosenNodes ChooseNodes(const PlacedRows& placed, const std::vector<uint8_t>& keep, Misfits misfits,
                        const std::function<bool(std::span<const uint32_t>)>& holds) {
  const Walk walk(placed, keep);
  std::vector<State> state(placed.nodes.size(), State::kEmpty);
  std::vector<uint8_t> released(placed.nodes.size(), 0);
  for (size_t i = walk.order().size(); i-- > 0;) {
    const uint32_t node = walk.order()[i];
    const std::span<const uint32_t> units = walk.Units(node);
    if (units.empty()) continue;
    const bool leaf = placed.nodes[node].leaf;
    const auto is = [&](State wanted) {
      return std::ranges::any_of(walk.children(node), [&](uint32_t child) { return state[child] == wanted; });
    };
    if (!leaf && (misfits == Misfits::kWithhold || (is(State::kFine) && !is(State::kFails)))) {
      state[node] = State::kFine;
      continue;
    }
    released[node] = holds(units) ? 1 : 0;
    state[node] = released[node] != 0 ? State::kFine : State::kFails;
  }
  ChosenNodes chosen;
  std::vector<uint8_t> is_released(placed.anchors.size(), 0);
  std::vector<uint32_t> stack(walk.roots().rbegin(), walk.roots().rend());
  while (!stack.empty()) {
    const uint32_t node = stack.back();
    stack.pop_back();
    if (released[node] == 0) {
      stack.insert(stack.end(), walk.children(node).rbegin(), walk.children(node).rend());
      continue;
    }
    const std::span<const uint32_t> units = walk.Units(node);
    chosen.parts.push_back({node, {units.begin(), units.end()}});
    if (!placed.nodes[node].leaf) chosen.raised += units.size();
    for (const uint32_t unit : units) is_released[unit] = 1;
  }
  for (uint32_t unit = 0; unit < placed.anchors.size(); ++unit) {
    if (is_released[unit] != 0) continue;
    const uint32_t anchor = placed.anchors[unit];
    ++(anchor != kNone && placed.nodes[anchor].leaf ? chosen.misfits : chosen.uncovered);
  }
  return chosen;
}

}  // namespace tada
