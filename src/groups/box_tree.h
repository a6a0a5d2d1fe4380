#pragma once

// Boxes that know the box they were cut from, so that the tree of cuts can be saved (cuts/take_cuts.h). Where nobody asks for the tree, boxes
// know nothing and cost nothing: only boxes cut from a remembered one are remembered.

#include <memory>
#include <span>

#include "groups/box.h"

namespace tada {

/// A box to be remembered by those that are cut from it; `parent` is null for the first.
std::shared_ptr<const Box> RememberBox(Box box, std::shared_ptr<const Box> parent);

bool IsRemembered(const std::shared_ptr<const Box>& box);

/// The box that a remembered one was cut from; null for the first.
std::shared_ptr<const Box> ParentOf(const std::shared_ptr<const Box>& box);

/// The lowest box that all of these were cut from, or are. Pre: all are remembered, and of one tree.
std::shared_ptr<const Box> LowestCommonBox(std::span<const std::shared_ptr<const Box>> boxes);

}  // namespace tada
