#include "report/draw/svg_tree.h"

#include <algorithm>

#include "report/draw/svg_drawing.h"

namespace tada {
namespace {

constexpr double kColumn = 264, kLine = 44, kBox = 236;
constexpr size_t kCharacters = 37;  // that fit into a box, 11 pixels high

class TreeLayout {
 public:
  explicit TreeLayout(const TreeDiagram& tree) : tree_(tree) {}

  std::string Draw() && {
    for (const uint32_t root : tree_.roots) Place(root);
    const double width = 20 + (max_depth_ + 1) * kColumn, height = 10 + next_line_ * kLine;
    return fmt::format(
        R"(<svg class="chart" viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="{}" style="min-width:{:.0f}px">{}{}</svg>)",
        width, height, Escape(tree_.title), width, edges_, boxes_);
  }

 private:
  // Returns where the node stands. The depth is that of a tree which somebody wants to look at, so recursion is shallow.
  double Place(uint32_t id) {
    const TreeDiagram::Node& node = tree_.nodes[id];
    max_depth_ = std::max(max_depth_, node.depth);
    const double x = 10 + node.depth * kColumn;
    double y = 0;
    if (node.children.empty()) {
      y = 5 + next_line_++ * kLine;
    } else {
      std::vector<double> ys;
      for (const uint32_t child : node.children) ys.push_back(Place(child));
      y = (ys.front() + ys.back()) / 2;
      for (const double child : ys) {
        edges_ += fmt::format(
            R"(<path d="M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}" fill="none" stroke="currentColor" opacity=".35"/>)",
            x + kBox, y + 17, x + kBox + 15, y + 17, x + kColumn - 15, child + 17, x + kColumn, child + 17);
      }
    }
    const bool goes_on = !node.leaf && node.children.empty();
    boxes_ += fmt::format(
        R"(<g><title>{}</title><rect x="{:.0f}" y="{:.0f}" width="{:.0f}" height="36" rx="5" fill="currentColor" fill-opacity="{}"/>)"
        R"(<text x="{:.0f}" y="{:.0f}" font-size="11" fill="currentColor">{}</text><text x="{:.0f}" y="{:.0f}" font-size="11" fill="currentColor" opacity=".75">{}</text></g>)",
        Escape(node.condition), x, y, kBox, node.leaf ? ".12" : ".05", x + 7, y + 15,
        Escape(Shorten(node.condition, kCharacters)), x + 7, y + 29,
        Escape(Shorten((goes_on ? "... " : "") + node.words, kCharacters)));
    return y;
  }

  const TreeDiagram& tree_;
  uint32_t max_depth_ = 0;
  int next_line_ = 0;
  std::string edges_, boxes_;
};

}  // namespace

std::string DrawTree(const TreeDiagram& tree) { return TreeLayout(tree).Draw(); }

}  // namespace tada
