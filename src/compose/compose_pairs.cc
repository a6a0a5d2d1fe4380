#include <algorithm>
#include <limits>

#include "audit/original/box_join.h"
#include "base/option_mark.h"
#include "compose/composer.h"

namespace tada {
namespace {

// Places are whole numbers, or infinite.
int32_t JoinPlace(double place) {
  using Limits = std::numeric_limits<int32_t>;
  return static_cast<int32_t>(std::clamp<double>(place, Limits::min(), Limits::max()));
}

}  // namespace

Status Composer::JudgePairs() {
  Boxes boxes;
  for (size_t q = 0; q < options_.quasi.size(); ++q) {
    std::vector<const Column*> columns;
    for (size_t r = 0; r < releases_.size(); ++r) {
      columns.push_back(quasi_[r][q] ? &table(r).column(*quasi_[r][q]) : nullptr);
    }
    boxes.push_back(std::make_unique<CellBoxes>(columns, options_.missing));
    NoteDoubts(options_.quasi[q], *boxes.back());
  }
  uint64_t left = options_.pair_limit;
  for (uint32_t r = 0; r < releases_.size(); ++r) {
    for (uint32_t other = r + 1; other < releases_.size() && left > 0; ++other) {
      const uint64_t compared = JoinReleases(boxes, r, other, left);
      left -= std::min(left, compared);
    }
  }
  if (left == 0) {
    result_.problems.push_back(
        fmt::format("Undecided: gave up after comparing {} pairs of classes. Name the column that "
                    "tells who is who with " TADA_OPTION("overlap-key") ", or compose fewer releases.",
                    options_.pair_limit));
  }
  return failure_;
}

void Composer::NoteDoubts(const std::string& column, const CellBoxes& boxes) {
  if (boxes.num_undecided() > 0) {
    result_.notes.push_back(fmt::format(
        "Column {}: cells such as {} ({} in all) can't be compared with the others for certain and are taken "
        "to overlap with everything.",
        column, boxes.undecided(), boxes.num_undecided()));
  }
  if (boxes.num_lone_names() > 0) {
    result_.notes.push_back(fmt::format(
        "Column {}: names such as {} ({} in all) are not in every release. If they are labels of a hierarchy, "
        "overlaps with the values below them are not seen.",
        column, boxes.lone_name(), boxes.num_lone_names()));
  }
}

uint64_t Composer::JoinReleases(const Boxes& boxes, uint32_t r, uint32_t other, uint64_t limit) {
  std::vector<size_t> shared;
  for (size_t q = 0; q < boxes.size(); ++q) {
    if (quasi_[r][q] && quasi_[other][q]) shared.push_back(q);
  }
  if (shared.empty()) {
    result_.notes.push_back(
        fmt::format("{} and {} have no quasi-identifier in common: any two of their classes may share "
                    "a person.",
                    releases_[r].name, releases_[other].name));
  }
  const auto box = [&](uint32_t release, uint32_t index, size_t q) -> const CellBoxes::Box& {
    const Column& column = table(release).column(*quasi_[release][q]);
    return boxes[q]->box(release, column.codes()[classes_[release].members(index).front()]);
  };
  const auto list = [&](uint32_t release) {
    BoxList all = BoxList::Of(shared.size(), classes_[release].count());
    for (size_t c = 0; c < shared.size(); ++c) {
      for (uint32_t index = 0; index < all.count; ++index) {
        const CellBoxes::Box& own = box(release, index, shared[c]);
        all.low[c * all.count + index] = JoinPlace(own.low);
        all.high[c * all.count + index] = JoinPlace(own.high);
      }
    }
    return all;
  };
  const auto share = [&](uint32_t i, uint32_t j) {
    return std::ranges::all_of(shared, [&](size_t q) { return boxes[q]->ShareAPlace(box(r, i, q), box(other, j, q)); });
  };
  // One worker, because regions are judged in the order in which they are found.
  return JoinBoxes(list(r), list(other), limit, workers_.Alone(), [&](BoxPairs pairs) {
    for (const auto& [i, j] : pairs) {
      if (!failure_.ok()) return;
      if (!share(i, j)) continue;
      const auto [k, l] = candidates_->IntersectPair({r, i}, {other, j});
      if (k > 0) failure_ = Judge({.classes = {ClassId{r, i}, ClassId{other, j}}, .k = k, .l = l});
    }
  });
}

}  // namespace tada
