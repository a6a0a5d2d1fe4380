#include "audit/original/row_order.h"

#include <algorithm>
#include <numeric>

#include "audit/classes/tuple_numbers.h"
#include "audit/original/assignment.h"
#include "audit/original/dense_assignment.h"

namespace tada {
namespace {

// Rows with equal keys, collapsed: which rows, and where each number's begin.
struct Collapsed {
  std::vector<uint32_t> rows, offsets;
  size_t count() const { return offsets.size() - 1; }
  uint32_t size(size_t i) const { return offsets[i + 1] - offsets[i]; }
  uint32_t first(size_t i) const { return rows[offsets[i]]; }
};

// Columns that rows of a table are told apart by.
struct Keys {
  std::vector<uint32_t> sizes;
  std::vector<KeyColumn> columns;
  void Add(uint32_t size, KeyColumn column) {
    sizes.push_back(size);
    columns.push_back(column);
  }
};

Collapsed Collapse(const Keys& keys, size_t rows, const Workers& workers) {
  TupleNumbers numbers(keys.sizes);
  const std::vector<uint32_t> of_row = numbers.Number(keys.columns, rows, workers);
  Collapsed collapsed;
  std::tie(collapsed.rows, collapsed.offsets) = SortByNumber(of_row, numbers.count());
  return collapsed;
}

// Numbers by part: those of part p are from first[p] on.
struct ByPart {
  std::vector<uint32_t> numbers, first;
  std::vector<uint32_t> of(size_t part) const {
    return {numbers.begin() + first[part], numbers.begin() + first[part + 1]};
  }
};

// Points are different original rows, boxes different released ones. Columns that must be equal split both into parts that have nothing to
// do with each other; without a column of that kind there is one part.
class OrderSearch {
 public:
  OrderSearch(const std::vector<ColumnPair>& pairs, const Table& release, const Table& original, const Classes& classes,
              uint64_t search_limit, const Workers& workers, ClassOfOriginal& found)
      : class_of_row_(found.known ? classes.OfRows() : std::vector<uint32_t>()),
        search_limit_(search_limit),
        limit_(search_limit),
        workers_(workers),
        found_(found) {
    Keys released, before, shared_released, shared_before;
    for (const ColumnPair& pair : pairs) {
      const KeyColumn of_released{&pair.released->codes(), {}}, of_original{&pair.original->codes(), {}};
      if (pair.cells) {
        quasi_.push_back(&pair);
        all_.columns.push_back(pair.cells.get());
        released.Add(pair.released->num_codes(), of_released);
        before.Add(pair.original->num_codes(), of_original);
      } else {
        shared_released.Add(pair.values.count, {&pair.released->codes(), pair.values.of_released});
        shared_before.Add(pair.values.count, {&pair.original->codes(), pair.values.of_original});
      }
    }
    TupleNumbers parts(shared_before.sizes);
    const auto part_of_original = parts.Number(shared_before.columns, original.num_rows(), workers_);
    const auto part_of_released = parts.Number(shared_released.columns, release.num_rows(), workers_);
    num_parts_ = parts.count();
    for (size_t i = 0; i < shared_before.sizes.size(); ++i) {
      before.Add(shared_before.sizes[i], shared_before.columns[i]);
      released.Add(shared_released.sizes[i], shared_released.columns[i]);
    }
    points_ = Collapse(before, original.num_rows(), workers_);
    boxes_ = Collapse(released, release.num_rows(), workers_);
    PlacePoints(part_of_original);
    PlaceBoxes(part_of_released);
  }

  std::optional<uint64_t> Run() {
    uint64_t left_over = 0;
    place_of_box_.resize(boxes_.count());
    place_of_point_.resize(points_.count());
    for (size_t part = 0; part < num_parts_; ++part) {
      const auto left = MeetPart(points_by_part_.of(part), boxes_by_part_.of(part));
      if (!left) return std::nullopt;
      left_over = std::accumulate(left->begin(), left->end(), left_over);
    }
    return left_over;
  }

 private:
  void PlacePoints(const std::vector<uint32_t>& part_of_row) {
    std::vector<uint32_t> part_of(points_.count());
    for (size_t i = 0; i < points_.count(); ++i) {
      part_of[i] = part_of_row[points_.first(i)];
      for (const ColumnPair* pair : quasi_)
        all_.positions.push_back(pair->cells->position(pair->original->codes()[points_.first(i)]));
    }
    std::tie(points_by_part_.numbers, points_by_part_.first) = SortByNumber(part_of, num_parts_);
  }

  void PlaceBoxes(const std::vector<uint32_t>& part_of_row) {
    std::vector<uint32_t> part_of(boxes_.count());
    for (size_t i = 0; i < boxes_.count(); ++i) {
      part_of[i] = part_of_row[boxes_.first(i)];
      for (const ColumnPair* pair : quasi_) all_.cells.push_back(pair->released->codes()[boxes_.first(i)]);
    }
    std::tie(boxes_by_part_.numbers, boxes_by_part_.first) = SortByNumber(part_of, num_parts_);
  }

  // How many rows stand at each of these numbers, and which place each number has among them.
  static std::vector<uint32_t> RowsAt(const Collapsed& collapsed, const std::vector<uint32_t>& numbers,
                                      std::vector<uint32_t>& place) {
    std::vector<uint32_t> rows;
    for (const uint32_t number : numbers) {
      place[number] = static_cast<uint32_t>(rows.size());
      rows.push_back(collapsed.size(number));
    }
    return rows;
  }

  // Rows of each box that no point is left for; nothing if the limit is reached.
  std::optional<std::vector<uint32_t>> MeetPart(const std::vector<uint32_t>& points,
                                                const std::vector<uint32_t>& boxes) {
    std::vector<uint32_t> supply = RowsAt(points_, points, place_of_point_);
    std::vector<uint32_t> demand = RowsAt(boxes_, boxes, place_of_box_);
    std::optional<std::vector<uint32_t>> left;
    if (auto edges = FindEdges(all_, points, boxes, limit_, workers_)) {
      if (found_.known) LearnClasses(*edges);
      for (Edge& edge : *edges) edge = {place_of_point_[edge.point], place_of_box_[edge.box]};
      left = MeetDemand(supply, demand, *edges, limit_, workers_);
    } else {
      found_.known = false;  // whose rows may be where is not listed
    }
    if (left) return left;
    StepLimit anew(search_limit_);
    return MeetDenseDemand(all_, points, boxes, std::move(supply), std::move(demand), anew, workers_);
  }

  void LearnClasses(const std::vector<Edge>& edges) {
    for (const Edge& edge : edges) {
      const uint32_t index = class_of_row_[boxes_.first(edge.box)];
      for (uint32_t at = points_.offsets[edge.point]; at < points_.offsets[edge.point + 1]; ++at) {
        uint32_t& known = found_.of_row[points_.rows[at]];
        if (known != ClassOfOriginal::kNone && known != index) found_.known = false;
        known = index;
      }
      if (!found_.known) return;
    }
  }

  const std::vector<uint32_t> class_of_row_;  // empty: nobody asks for it
  const uint64_t search_limit_;
  StepLimit limit_;
  const Workers& workers_;
  ClassOfOriginal& found_;
  std::vector<const ColumnPair*> quasi_;
  CandidateRows all_;
  size_t num_parts_ = 0;
  Collapsed points_, boxes_;
  ByPart points_by_part_, boxes_by_part_;
  std::vector<uint32_t> place_of_point_, place_of_box_;  // among those of their part
};

}  // namespace

std::optional<uint64_t> SearchOrder(const std::vector<ColumnPair>& pairs, const Table& release, const Table& original,
                                    const Classes& classes, uint64_t search_limit, const Workers& workers,
                                    ClassOfOriginal& found) {
  return OrderSearch(pairs, release, original, classes, search_limit, workers, found).Run();
}

}  // namespace tada
