#include "recode/hierarchy_cells.h"

namespace tada {

uint32_t HierarchyCells::At(uint32_t level, Code node) {
  const Code value = hierarchy_.low(level, node);
  const bool rare = hierarchy_.leaves(level, node) == 1 && rare_.Has(value);
  while (rare && level < hierarchy_.top() && hierarchy_.label(level, node) == column_.text(value)) {
    node = hierarchy_.node(++level, value);
  }
  return rare && hierarchy_.label(level, node) == column_.text(value) ? Mask() : Add({level, node});
}

uint32_t HierarchyCells::Add(std::pair<uint32_t, Code> node) {
  const auto [found, is_new] = known_.try_emplace(node, static_cast<uint32_t>(out_.cells.size()));
  if (is_new) {
    const bool masked = node.first == UINT32_MAX;
    out_.cells.push_back(masked ? Cell{} : CellOf(node.first, node.second));
    out_.leaves.push_back(masked ? column_.num_values() : hierarchy_.leaves(node.first, node.second));
  }
  return found->second;
}

// What a node looks like: a value or an interval where its label says nothing else, so that typed files hold numbers.
Cell HierarchyCells::CellOf(uint32_t level, Code node) {
  const std::string& label = hierarchy_.label(level, node);
  const Code low = hierarchy_.low(level, node), high = hierarchy_.high(level, node);
  if (level == 0 || label == column_.text(low)) return {Cell::Form::kValue, low, low, 0};
  if (label == "*") return {Cell::Form::kMask, 0, 0, 0};
  if (hierarchy_.is_interval(level, node)) return {Cell::Form::kInterval, low, high, 0};
  out_.labels.push_back(label);
  return {Cell::Form::kLabel, low, high, static_cast<uint32_t>(out_.labels.size() - 1)};
}

}  // namespace tada
