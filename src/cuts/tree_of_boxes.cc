#include <algorithm>
#include <unordered_map>

#include "cuts/cut_tree.h"
#include "groups/box_tree.h"

namespace tada {
namespace {

using BoxPointer = std::shared_ptr<const Box>;

bool SameSide(const BoxSide& a, const BoxSide& b) {
  return a.lower == b.lower && a.upper == b.upper && a.missing == b.missing && a.values == b.values;
}

// The column along which a box was cut: the one in which a part of it differs.
uint32_t CutColumnOf(const Box& box, const Box& part) {
  uint32_t column = 0;
  while (SameSide(box[column], part[column])) ++column;
  return column;
}

// Says what goes to the parts of a cut.
class PartWriter {
 public:
  explicit PartWriter(const CutsSource& source) : source_(source), texts_(source.roles.quasi.size()) {}

  CutPart Part(const Box& box, uint32_t side, const Box& part) {
    const BoxSide& own = part[side];
    CutPart out;
    if (own.values == nullptr) {
      out.numbers = true;
      out.missing = own.missing != MissingInBox::kNo;
      if (own.missing == MissingInBox::kOnly) {
        out.only_missing = true;
      } else if (!own.lower.open() && own.lower != box[side].lower) {
        out.from = LowerText(side, own.lower);
      }
    } else if (const Hierarchy* hierarchy = HierarchyOf(side)) {
      out.below = NodesOf(side, *hierarchy, *box[side].values, *own.values);
    } else {
      for (const Code code : *own.values) out.values.push_back(Text(side, code));
    }
    return out;
  }

 private:
  const Column& column(uint32_t side) const { return source_.table.column(source_.roles.quasi[side]); }
  const Hierarchy* HierarchyOf(uint32_t side) const {
    return side < source_.recode.hierarchies.size() ? source_.recode.hierarchies[side] : nullptr;
  }
  std::string Text(uint32_t side, Code code) const {
    return column(side).is_missing(code) ? "" : std::string(column(side).text(code));
  }

  // The least number above a cut, plainly.
  std::string LowerText(uint32_t side, const Cut& cut) {
    if (!column(side).writing().is_plain()) return column(side).plain(cut.above);
    if (texts_[side] == nullptr) {
      const DomainBounds* domain = side < source_.recode.domains.size() ? source_.recode.domains[side] : nullptr;
      texts_[side] = std::make_unique<CutTexts>(column(side), domain);
    }
    return texts_[side]->Lower(cut);
  }

  // The highest nodes below which all values of the box are values of the part.
  std::vector<std::pair<uint32_t, std::string>> NodesOf(uint32_t side, const Hierarchy& hierarchy,
                                                        const std::vector<Code>& all,
                                                        const std::vector<Code>& own) const {
    std::vector<uint8_t> covered(column(side).num_codes(), 0);
    std::vector<std::pair<uint32_t, std::string>> nodes;
    for (uint32_t level = hierarchy.num_levels(); level-- > 0;) {
      std::unordered_map<Code, size_t> of_box, of_part;
      for (const Code code : all) ++of_box[hierarchy.node(level, code)];
      for (const Code code : own) ++of_part[hierarchy.node(level, code)];
      for (const Code code : own) {
        const Code node = hierarchy.node(level, code);
        if (covered[code] != 0 || of_box[node] != of_part[node]) continue;
        nodes.emplace_back(level, level == 0 ? Text(side, code) : hierarchy.label(level, node));
        for (const Code other : own) {
          if (hierarchy.node(level, other) == node) covered[other] = 1;
        }
      }
    }
    return nodes;
  }

  const CutsSource& source_;
  std::vector<std::unique_ptr<CutTexts>> texts_;
};

}  // namespace

CutTree TreeOfBoxes(const CutsSource& source) {
  CutTree tree;
  std::unordered_map<const Box*, uint32_t> known;
  for (GroupId group = 0; group < source.groups.num_groups(); ++group) {
    std::vector<BoxPointer> path;  // from the leaf up
    for (BoxPointer box = source.groups.box(group); box != nullptr; box = ParentOf(box)) path.push_back(box);
    uint32_t parent = CutNode::kNone;
    for (size_t i = path.size(); i-- > 0;) {
      const auto [found, is_new] = known.try_emplace(path[i].get(), static_cast<uint32_t>(tree.nodes.size()));
      if (is_new) {
        tree.nodes.emplace_back().parent = parent;
        tree.groups.emplace_back();
        tree.boxes.push_back(path[i]);
        if (parent != CutNode::kNone) tree.nodes[parent].children.push_back(found->second);
      }
      parent = found->second;
      tree.groups[parent].push_back(group);
    }
  }
  PartWriter writer(source);
  for (uint32_t i = 0; i < tree.nodes.size(); ++i) {
    CutNode& node = tree.nodes[i];
    if (node.children.empty()) continue;
    const Box& box = *tree.boxes[i];
    node.column = CutColumnOf(box, *tree.boxes[node.children.front()]);
    for (const uint32_t child : node.children) {
      node.parts.push_back(writer.Part(box, node.column, *tree.boxes[child]));
    }
  }
  return tree;
}

}  // namespace tada
