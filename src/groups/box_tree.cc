#include "groups/box_tree.h"

#include <algorithm>
#include <vector>

namespace tada {
namespace {

using BoxPointer = std::shared_ptr<const Box>;

// Lives as long as the box, and keeps its parent alive.
struct KeepParent {
  BoxPointer parent;
  void operator()(const Box* box) const { delete box; }
};

}  // namespace

BoxPointer RememberBox(Box box, BoxPointer parent) {
  return BoxPointer(std::make_unique<Box>(std::move(box)).release(), KeepParent{std::move(parent)});
}

bool IsRemembered(const BoxPointer& box) { return box != nullptr && std::get_deleter<KeepParent>(box) != nullptr; }

BoxPointer ParentOf(const BoxPointer& box) { return std::get_deleter<KeepParent>(box)->parent; }

BoxPointer LowestCommonBox(std::span<const BoxPointer> boxes) {
  std::vector<BoxPointer> path;  // of the first, root last
  for (BoxPointer box = boxes.front(); box != nullptr; box = ParentOf(box)) path.push_back(box);
  auto at = path.begin();
  for (const BoxPointer& other : boxes.subspan(1)) {
    auto found = path.end();
    for (BoxPointer box = other; found == path.end(); box = ParentOf(box)) found = std::find(at, path.end(), box);
    at = found;
  }
  return *at;
}

}  // namespace tada
