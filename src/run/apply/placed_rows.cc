#include "run/apply/placed_rows.h"

#include <cmath>
#include <map>
#include <optional>

namespace tada {
namespace {

constexpr size_t kBlock = 1024;  // units that a thread takes at a time

// Boxes and means: the tree is that of the cuts.
class InTree {
 public:
  explicit InTree(const PlaceRequest& request) : request_(request), cuts_(request.cuts) {
    depth_.assign(cuts_.nodes.size(), 0);
    for (uint32_t i = 0; i < cuts_.nodes.size(); ++i) {
      const CutNode& node = cuts_.nodes[i];
      if (i > 0) depth_[i] = depth_[node.parent] + 1;
      splits_.push_back(node.parts.empty() ? AppliedColumn::Split() : request_.columns[node.column].SplitOf(node));
      if (node.children.empty()) leaves_.push_back(i);
    }
  }

  uint32_t AnchorOf(std::span<const RowId> rows) const {
    uint32_t node = cuts_.by == Cuts::By::kMeans ? NearestMean(rows) : Descend(rows[0]);
    if (cuts_.by == Cuts::By::kBoxes) {
      for (const RowId row : rows.subspan(1)) node = Common(node, Descend(row));
    }
    while (node != CutNode::kNone && !Covers(node, rows)) node = cuts_.nodes[node].parent;
    return node;
  }

 private:
  Code CodeOf(size_t column, RowId row) const { return request_.table.column(request_.quasi[column]).codes()[row]; }

  // The box of a row, or the last on the way to it that knows where it goes.
  uint32_t Descend(RowId row) const {
    uint32_t at = 0;
    while (!cuts_.nodes[at].children.empty()) {
      const CutNode& node = cuts_.nodes[at];
      const uint32_t part = splits_[at].PartOf(request_.columns[node.column], CodeOf(node.column, row));
      if (part == CutNode::kNone) break;
      at = node.children[part];
    }
    return at;
  }

  uint32_t Common(uint32_t a, uint32_t b) const {
    while (a != b) (depth_[a] > depth_[b] ? a : b) = cuts_.nodes[depth_[a] > depth_[b] ? a : b].parent;
    return a;
  }

  bool Covers(uint32_t node, std::span<const RowId> rows) const {
    for (size_t i = 0; i < request_.columns.size(); ++i) {
      const uint32_t cell = cuts_.nodes[node].cells[i];
      for (const RowId row : rows) {
        if (!request_.columns[i].Covers(cell, CodeOf(i, row))) return false;
      }
    }
    return true;
  }

  // The leaf with the nearest mean among those that cover the rows; if none does, the nearest.
  uint32_t NearestMean(std::span<const RowId> rows) const {
    std::vector<double> point(request_.columns.size(), 0);
    for (size_t i = 0; i < point.size(); ++i) {
      for (const RowId row : rows) point[i] += request_.columns[i].Standardized(CodeOf(i, row));
      point[i] /= static_cast<double>(rows.size());
    }
    uint32_t nearest = CutNode::kNone, covering = CutNode::kNone;
    double least = INFINITY, least_covering = INFINITY;
    for (const uint32_t leaf : leaves_) {
      double distance = 0;
      for (size_t i = 0; i < point.size(); ++i) {
        const double difference = point[i] - cuts_.nodes[leaf].mean[i];
        distance += difference * difference;
      }
      if (distance < least) least = distance, nearest = leaf;
      if (distance < least_covering && Covers(leaf, rows)) least_covering = distance, covering = leaf;
    }
    return covering == CutNode::kNone ? nearest : covering;
  }

  const PlaceRequest& request_;
  const Cuts& cuts_;
  std::vector<AppliedColumn::Split> splits_;
  std::vector<uint32_t> depth_, leaves_;
};

// Levels: a node is a class of one of the level vectors.
class InLevels {
 public:
  explicit InLevels(const PlaceRequest& request) : request_(request), cuts_(request.cuts) {}

  PlacedRows Place() {
    PlacedRows placed;
    std::vector<std::map<std::vector<Code>, uint32_t>> known(cuts_.levels.size());
    const size_t top = cuts_.levels.size() - 1;
    for (GroupId unit = 0; unit < request_.units.num_groups(); ++unit) {
      const std::span<const RowId> rows = request_.units.rows(unit);
      size_t step = 0;
      while (step <= top && !FitsAt(step, rows)) ++step;
      uint32_t below = CutNode::kNone;
      placed.anchors.push_back(CutNode::kNone);
      for (size_t s = step; s <= top; ++s) {
        const auto [found, is_new] =
            known[s].try_emplace(ClassAt(s, rows[0]), static_cast<uint32_t>(placed.nodes.size()));
        if (is_new) placed.nodes.push_back({.leaf = s == 0, .step = s});
        if (below == CutNode::kNone) placed.anchors.back() = found->second;
        if (below != CutNode::kNone) placed.nodes[below].parent = found->second;
        below = found->second;
        if (!is_new) break;  // its parents are there
      }
    }
    ParentsFirst(placed);
    return placed;
  }

 private:
  const Hierarchy& hierarchy(size_t i) const { return *request_.hierarchies[i].hierarchy; }
  Code CodeOf(size_t column, RowId row) const { return request_.table.column(request_.quasi[column]).codes()[row]; }

  std::vector<Code> ClassAt(size_t step, RowId row) const {
    std::vector<Code> nodes;
    for (size_t i = 0; i < request_.columns.size(); ++i) {
      nodes.push_back(hierarchy(i).node(LevelAt(step, i), CodeOf(i, row)));
    }
    return nodes;
  }
  uint32_t LevelAt(size_t step, size_t column) const {
    return std::min<uint32_t>(cuts_.levels[step][column], hierarchy(column).top());
  }

  // Whether all rows show the same, and a value that the hierarchy does not know shows its root.
  bool FitsAt(size_t step, std::span<const RowId> rows) const {
    const std::vector<Code> first = ClassAt(step, rows[0]);
    for (const RowId row : rows) {
      if (row != rows[0] && ClassAt(step, row) != first) return false;
      for (size_t i = 0; i < request_.columns.size(); ++i) {
        const bool unknown = request_.hierarchies[i].unknown[CodeOf(i, row)] != 0;
        if (unknown && LevelAt(step, i) < hierarchy(i).top()) return false;
      }
    }
    return true;
  }

  // Turns the nodes around, so that each stands after its parent.
  static void ParentsFirst(PlacedRows& placed) {
    std::vector<uint32_t> order(placed.nodes.size()), place(placed.nodes.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order,
                             [&](uint32_t a, uint32_t b) { return placed.nodes[a].step > placed.nodes[b].step; });
    std::vector<PlacedNode> nodes;
    for (uint32_t i = 0; i < order.size(); ++i) {
      place[order[i]] = i;
      nodes.push_back(placed.nodes[order[i]]);
    }
    for (PlacedNode& node : nodes) {
      if (node.parent != CutNode::kNone) node.parent = place[node.parent];
    }
    for (uint32_t& anchor : placed.anchors) {
      if (anchor != CutNode::kNone) anchor = place[anchor];
    }
    placed.nodes = std::move(nodes);
  }

  const PlaceRequest& request_;
  const Cuts& cuts_;
};

}  // namespace

PlacedRows PlaceRows(const PlaceRequest& request, const Workers& workers) {
  if (request.cuts.by == Cuts::By::kLevels) return InLevels(request).Place();
  PlacedRows placed;
  for (uint32_t i = 0; i < request.cuts.nodes.size(); ++i) {
    const CutNode& node = request.cuts.nodes[i];
    placed.nodes.push_back({node.parent, node.children.empty(), i, 0});
  }
  const InTree tree(request);
  placed.anchors.resize(request.units.num_groups());
  workers.ForBlocks(placed.anchors.size(), kBlock, [&](size_t begin, size_t end) {
    for (size_t unit = begin; unit < end; ++unit) {
      placed.anchors[unit] = tree.AnchorOf(request.units.rows(static_cast<GroupId>(unit)));
    }
  });
  return placed;
}

}  // namespace tada
