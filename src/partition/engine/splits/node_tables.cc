#include "partition/engine/splits/node_tables.h"

#include <algorithm>

namespace tada {

NodeTables::NodeTables(const Problem& problem, std::span<const LabelView> labels)
    : problem_(problem),
      labels_(labels),
      dense_cells_(DenseCounts::Cells(problem, labels)),
      tables_(problem.num_quasi()) {}

void NodeTables::Count(const NodeRows& rows, const Node& node) {
  // Counting all columns into plain arrays pays while a node is not much smaller than the arrays.
  counts_ = std::static_pointer_cast<const DenseCounts>(node.memory);
  if (counts_ == nullptr && DensePays(node)) {
    auto counts = std::make_shared<DenseCounts>(problem_, labels_);
    counts->Add(rows, node.begin, node.end);
    counts_ = std::move(counts);
  }
  for (uint32_t i = 0; i < problem_.num_quasi(); ++i) {
    if (counts_ != nullptr) {
      counts_->Fill(i, tables_[i]);
    } else {
      tables_[i].Count(problem_, rows, node, i, labels_);
    }
  }
}

void NodeTables::Hand(const NodeRows& rows, std::span<Node> children) const {
  if (counts_ == nullptr) return;
  const auto largest = std::max_element(children.begin(), children.end(),
                                        [](const Node& a, const Node& b) { return a.size() < b.size(); });
  if (!DensePays(*largest)) return;
  auto rest = std::make_shared<DenseCounts>(*counts_);
  for (auto child = children.begin(); child != children.end(); ++child) {
    if (child == largest) continue;
    auto counts = std::make_shared<DenseCounts>(problem_, labels_);
    counts->Add(rows, child->begin, child->end);
    rest->Subtract(*counts);
    if (DensePays(*child)) child->memory = std::move(counts);
  }
  largest->memory = std::move(rest);
}

}  // namespace tada
