#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "partition/ta_da/tree_record.h"

namespace tada {
namespace {

constexpr size_t kShownLeaves = 200;  // rules in text and JSON; a tree of thousands of leaves explains nothing
constexpr size_t kShownLabels = 5;    // in words; JSON has all
constexpr size_t kShownValues = 12;   // of a set in a rule; a column may have a hundred thousand
constexpr size_t kDrawnLeaves = 16;   // in the drawing: the top of the tree, cut where it would have more

// Words for what is on a path of the tree.
class TreeWords {
 public:
  TreeWords(const Problem& problem, const TreeRecord& tree)
      : problem_(problem),
        tree_(tree),
        label_(problem.table.column(problem.roles.label[0])),
        label_code_(label_.num_values()) {
    for (Code code = label_.num_codes(); code-- > 0;) label_code_[label_.value_id(code)] = code;  // the first spelling
  }

  // The condition under which a row of `parent` goes to child number `c`.
  std::string Condition(const TreeNode& parent, size_t c) const {
    const auto& [split, child_values] = tree_.split(parent);
    const Column& column = problem_.quasi(split.column);
    if (split.multiway) return fmt::format("{} = {}", column.name(), Value(column, child_values[c]));
    if (split.left.empty()) {
      return fmt::format("{} {} {}", column.name(), c == 0 ? "<=" : ">", Value(column, Threshold(split)));
    }
    if (split.left.size() == 1) {
      return fmt::format("{} {} {}", column.name(), c == 0 ? "=" : "!=", Value(column, split.left[0]));
    }
    std::vector<std::string> values;
    for (const Code code : split.left) {
      if (values.size() == kShownValues) break;
      values.push_back(Value(column, code));
    }
    if (split.left.size() > kShownValues) values.push_back(fmt::format("... {} values", split.left.size()));
    return fmt::format("{} {} {{{}}}", column.name(), c == 0 ? "in" : "not in", fmt::join(values, ", "));
  }

  // "Gov 3, Non-gov 1" by falling count; the mean of a numeric label.
  std::string Labels(const TreeNode& node) const {
    if (node.num_labels == 0) return fmt::format("mean {:.4g}", node.label_mean);
    std::vector<std::pair<Code, uint32_t>> counts(tree_.labels(node).begin(), tree_.labels(node).end());
    std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text;
    for (size_t i = 0; i < std::min(counts.size(), kShownLabels); ++i) {
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", LabelName(counts[i].first), counts[i].second);
    }
    return counts.size() > kShownLabels ? text + ", ..." : text;
  }

  std::string LabelName(Code value) const { return Value(label_, label_code_[value]); }
  const Column& label() const { return label_; }

 private:
  static std::string Value(const Column& column, Code code) {
    return column.is_missing(code) ? "missing" : std::string(column.text(code));
  }
  // C4.5 prints the largest value of the whole table that is not above the middle of the cut.
  Code Threshold(const LabelSplit& split) const {
    const Column& column = problem_.quasi(split.column);
    if (!column.is_numeric() || column.is_missing(split.below)) return split.below;
    const double middle = (column.number(split.below) + column.number(split.cut)) / 2;
    Code threshold = split.below;
    while (threshold + 1 < split.cut && column.number(threshold + 1) <= middle) ++threshold;
    return threshold;
  }

  const Problem& problem_;
  const TreeRecord& tree_;
  const Column& label_;
  std::vector<Code> label_code_;  // by value
};

// How much each column contributed: the decrease of impurity of its splits, as a share of all of it.
std::vector<double> Importance(const Problem& problem, const TreeRecord& tree) {
  std::vector<double> gain(problem.num_quasi(), 0);
  double total = 0;
  for (const TreeNode& node : tree.nodes()) {
    if (node.leaf()) continue;
    const LabelSplit& split = tree.split(node).chosen;
    gain[split.column] += split.gain * node.size();
    total += split.gain * node.size();
  }
  for (double& share : gain) share = total > 0 ? share / total : 0;
  return gain;
}

// The information loss that the leaf as it stands would cost, by quasi-identifier, averaged.
double LeafLoss(const Problem& problem, const Groups& leaves, const TreeNode& leaf) {
  double loss = 0;
  for (size_t i = 0; i < problem.num_quasi(); ++i) {
    const Column& column = problem.quasi(i);
    std::vector<Code> codes;
    for (uint32_t at = leaf.begin; at < leaf.end; ++at) codes.push_back(column.codes()[leaves.order()[at]]);
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    if (column.is_numeric()) {
      loss += NormalizedSpan(problem, i, codes.front(), codes.back());
    } else if (problem.domains[i].num_values > 1) {
      loss += static_cast<double>(codes.size() - 1) / (problem.domains[i].num_values - 1);
    }
  }
  return problem.num_quasi() > 0 ? loss / static_cast<double>(problem.num_quasi()) : 0;
}

// Cuts the tree from below until it has few enough leaves to draw: which inner nodes are drawn as open.
std::vector<bool> OpenNodes(const TreeRecord& tree, size_t most) {
  std::vector<bool> open(tree.nodes().size(), false);
  size_t leaves = tree.roots().size();
  for (size_t at = 0; at < std::min(tree.nodes().size(), 4 * most); ++at) {  // breadth first
    const TreeNode& node = tree.nodes()[at];
    const bool shown = node.depth == 0 || [&] {
      for (size_t parent = 0; parent < at; ++parent) {
        const TreeNode& above = tree.nodes()[parent];
        if (open[parent] && at >= above.first_child && at < above.first_child + above.num_children) return true;
      }
      return false;
    }();
    if (!shown || node.leaf() || leaves + node.num_children - 1 > most) continue;
    open[at] = true;
    leaves += node.num_children - 1;
  }
  return open;
}

// The top of the tree.
class TreeTop {
 public:
  TreeTop(const TreeRecord& tree, const TreeWords& words)
      : tree_(tree), words_(words), open_(OpenNodes(tree, kDrawnLeaves)) {}

  TreeDiagram Diagram() && {
    diagram_.title = "Decision tree";
    for (const uint32_t root : tree_.roots()) diagram_.roots.push_back(Place(root, "all rows"));
    return std::move(diagram_);
  }

 private:
  // Depth is at most the number of nodes shown, so this recursion is shallow.
  uint32_t Place(uint32_t id, std::string condition) {
    const TreeNode& node = tree_.nodes()[id];
    const auto place = static_cast<uint32_t>(diagram_.nodes.size());
    diagram_.nodes.push_back({.condition = std::move(condition),
                              .words = fmt::format("{}: {}", Plural(node.size(), "row"), words_.Labels(node)),
                              .depth = node.depth,
                              .leaf = node.leaf()});
    for (uint32_t c = 0; open_[id] && c < node.num_children; ++c) {
      const uint32_t child = Place(node.first_child + c, words_.Condition(node, c));
      diagram_.nodes[place].children.push_back(child);
    }
    return place;
  }

  const TreeRecord& tree_;
  const TreeWords& words_;
  std::vector<bool> open_;
  TreeDiagram diagram_;
};

struct LeafRule {
  uint32_t node;
  std::string rule;
};

std::vector<LeafRule> LeafRules(const TreeRecord& tree, const TreeWords& words) {
  std::vector<LeafRule> rules, stack;
  for (size_t r = tree.roots().size(); r-- > 0;) stack.push_back({tree.roots()[r], ""});
  while (!stack.empty() && rules.size() < kShownLeaves) {
    const LeafRule top = std::move(stack.back());
    stack.pop_back();
    const TreeNode& node = tree.nodes()[top.node];
    if (node.leaf()) rules.push_back({top.node, top.rule.empty() ? "all rows" : top.rule});
    for (uint32_t c = node.num_children; c-- > 0;) {
      const std::string condition = words.Condition(node, c);
      stack.push_back({node.first_child + c, top.rule.empty() ? condition : top.rule + " and " + condition});
    }
  }
  return rules;
}

}  // namespace

NoteSection ExplainTree(const Problem& problem, const TreeRecord& tree, const Groups& leaves) {
  const TreeWords words(problem, tree);
  const std::vector<double> importance = Importance(problem, tree);
  const std::vector<LeafRule> rules = LeafRules(tree, words);
  const size_t num_leaves = leaves.num_groups();

  NoteSection section{.key = "tree", .title = "The decision tree that grouped the rows", .raw = true};
  section.text = fmt::format("Tree for {}: {} over {}\n", words.label().name(), Plural(num_leaves, "leaf", "leaves"),
                             Plural(leaves.num_rows(), "row"));
  Fact::Map column_facts;
  DataTable columns{{"column", "share of what the tree learned about the label"}, {}, {false, true}};
  for (size_t i = 0; i < importance.size(); ++i) {
    section.text += fmt::format("  {:<24} {:5.1f}%\n", problem.quasi(i).name(), 100 * importance[i]);
    column_facts.emplace_back(problem.quasi(i).name(), RoundToDecimals(importance[i], 6));
    columns.rows.push_back({problem.quasi(i).name(), fmt::format("{:.1f}%", 100 * importance[i])});
  }
  Fact::List leaf_facts;
  DataTable table{{"rule", "rows", words.label().name(), "loss"}, {}, {false, true, false, true}};
  for (const LeafRule& rule : rules) {
    const TreeNode& leaf = tree.nodes()[rule.node];
    const double loss = LeafLoss(problem, leaves, leaf);
    section.text +=
        fmt::format("{}\n    {}: {}; loss {:.4f}\n", rule.rule, Plural(leaf.size(), "row"), words.Labels(leaf), loss);
    Fact::Map counts;
    for (const auto& [value, count] : tree.labels(leaf)) counts.emplace_back(words.LabelName(value), count);
    leaf_facts.emplace_back(FactMap()
                                .Add("rule", rule.rule)
                                .Add("rows", leaf.size())
                                .Add("labels", std::move(counts))
                                .Add("mean", RoundToDigits(leaf.label_mean, 9))
                                .Add("loss", RoundToDecimals(loss, 6)));
    table.rows.push_back({rule.rule, fmt::format("{}", leaf.size()), words.Labels(leaf), fmt::format("{:.4f}", loss)});
  }
  std::string heading = "Rules of the leaves";
  if (rules.size() < num_leaves) {
    section.text += fmt::format("The first {} of {} leaves.\n", rules.size(), num_leaves);
    heading += fmt::format(" (the first {} of {})", rules.size(), num_leaves);
  }
  section.facts = FactMap()
                      .Add("label", words.label().name())
                      .Add("num_leaves", num_leaves)
                      .Add("columns", std::move(column_facts))
                      .Add("leaves", std::move(leaf_facts));
  section.blocks = {
      {"Rules and thresholds come from the raw table. Do not publish them without thought. The drawing is "
       "the top of the tree; where a box begins with three dots, the tree goes on."},
      {TreeTop(tree, words).Diagram()},
      {std::move(columns)},
      {std::move(table), heading}};
  return section;
}

}  // namespace tada
