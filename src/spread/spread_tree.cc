#include "spread/spread_tree.h"

#include "spread/bytes.h"

namespace tada {
namespace {

void Put(const NodeSplit& split, ByteWriter& out) {
  out.Put(split.column);
  out.Put(split.num_children);
  out.Put(split.cut);
  out.PutAll(split.codes);
  out.PutAll(split.child_of);
}

NodeSplit GetSplit(ByteReader& in) {
  NodeSplit split;
  split.column = in.Get<uint32_t>();
  split.num_children = in.Get<uint32_t>();
  split.cut = in.Get<Code>();
  split.codes = in.GetAll<Code>();
  split.child_of = in.GetAll<uint16_t>();
  return split;
}

void Put(const std::vector<std::vector<Code>>& lists, ByteWriter& out) {
  out.Put(static_cast<uint32_t>(lists.size()));
  for (const std::vector<Code>& list : lists) out.PutAll(list);
}

std::vector<std::vector<Code>> GetLists(ByteReader& in) {
  std::vector<std::vector<Code>> lists(in.Get<uint32_t>());
  for (std::vector<Code>& list : lists) list = in.GetAll<Code>();
  return lists;
}

}  // namespace

std::string StageSplit::Pack() const {
  ByteWriter out;
  Put(split, out);
  out.Put(stage);
  out.PutAll(child_rows);
  Put(final_codes, out);
  return std::move(out).Take();
}

StageSplit StageSplit::Unpack(std::string_view bytes) {
  ByteReader in(bytes);
  StageSplit split;
  split.split = GetSplit(in);
  split.stage = in.Get<uint32_t>();
  split.child_rows = in.GetAll<uint64_t>();
  split.final_codes = GetLists(in);
  return split;
}

void SpreadTree::AddRoot(uint64_t rows, uint64_t local_rows) {
  Node root;
  root.controller = static_cast<uint32_t>(nodes_.size());
  root.rows = rows;
  root.state = rows <= local_rows ? State::kLocal : State::kOpen;
  nodes_.push_back(std::move(root));
}

void SpreadTree::Apply(uint32_t at, const StageSplit& found, uint64_t local_rows) {
  TADA_ASSERT(nodes_[at].state == State::kOpen);
  if (found.split.num_children == 0) {
    nodes_[at].state = State::kFinal;
    nodes_[at].final_codes = found.final_codes;
    return;
  }
  TADA_ASSERT(found.child_rows.size() == found.split.num_children);
  nodes_[at].state = State::kSplit;
  nodes_[at].split = found.split;
  nodes_[at].first_child = static_cast<uint32_t>(nodes_.size());
  for (const uint64_t rows : found.child_rows) {
    Node child;
    child.controller = nodes_[at].controller;
    child.stage = found.stage;
    child.rows = rows;
    child.state = rows <= local_rows ? State::kLocal : State::kOpen;
    nodes_.push_back(std::move(child));
  }
}

std::vector<uint32_t> SpreadTree::In(State state) const {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].state == state) found.push_back(i);
  }
  return found;
}

std::vector<int32_t> SpreadTree::Route(std::span<const std::span<const int32_t>> codes,
                                       std::span<const int32_t> controllers) const {
  std::vector<int32_t> at(codes[0].size());
  for (size_t row = 0; row < at.size(); ++row) {
    uint32_t node = controllers.empty() ? 0 : static_cast<uint32_t>(controllers[row]);
    while (nodes_[node].state == State::kSplit) {
      const NodeSplit& split = nodes_[node].split;
      node = nodes_[node].first_child + split.ChildOf(static_cast<Code>(codes[split.column][row]));
    }
    at[row] = static_cast<int32_t>(node);
  }
  return at;
}

std::string SpreadTree::Pack() const {
  ByteWriter out;
  out.Put(static_cast<uint32_t>(nodes_.size()));
  for (const Node& node : nodes_) {
    out.Put(node.controller);
    out.Put(node.stage);
    out.Put(node.state);
    out.Put(node.rows);
    out.Put(node.first_child);
    Put(node.split, out);
    Put(node.final_codes, out);
  }
  return std::move(out).Take();
}

SpreadTree SpreadTree::Unpack(std::string_view bytes) {
  ByteReader in(bytes);
  SpreadTree tree;
  tree.nodes_.resize(in.Get<uint32_t>());
  for (Node& node : tree.nodes_) {
    node.controller = in.Get<uint32_t>();
    node.stage = in.Get<uint32_t>();
    node.state = in.Get<State>();
    node.rows = in.Get<uint64_t>();
    node.first_child = in.Get<uint32_t>();
    node.split = GetSplit(in);
    node.final_codes = GetLists(in);
  }
  return tree;
}

}  // namespace tada
