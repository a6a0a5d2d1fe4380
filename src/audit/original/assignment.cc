#include "audit/original/assignment.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>

#include "audit/classes/classes.h"

namespace tada {
namespace {

constexpr uint64_t kPairsToCompare = 64;   // halving further costs more than comparing these
constexpr size_t kMostEdges = 30'000'000;  // about 24 bytes each while the flow is searched
constexpr uint32_t kNoLevel = std::numeric_limits<uint32_t>::max();

struct Part {
  std::vector<uint32_t> points, boxes;
};

struct Cut {
  size_t column = 0;
  uint32_t at = 0;     // positions below go left
  uint64_t pairs = 0;  // to compare after the cut
};

class EdgeFinder {
 public:
  EdgeFinder(const CandidateRows& candidates, StepLimit& limit)
      : all_(candidates), limit_(limit), width_(all_.columns.size()) {}

  // False if the limit is reached.
  bool Search(Part part, std::vector<Edge>& edges, const Workers& workers) {
    std::vector<Part> pending;
    pending.push_back(std::move(part));
    while (!pending.empty()) {
      workers.Poll();
      Part now = std::move(pending.back());
      pending.pop_back();
      if (now.points.empty() || now.boxes.empty()) continue;
      if (!limit_.Take(now.points.size() + now.boxes.size() * width_)) return false;
      const uint64_t pairs = static_cast<uint64_t>(now.points.size()) * now.boxes.size();
      if (pairs > kPairsToCompare) {
        const Cut cut = BestCut(now);
        if (cut.pairs < pairs - pairs / 8) {
          Divide(std::move(now), cut, pending);
          continue;
        }
      }
      if (!limit_.Take(pairs)) return false;
      Compare(now, edges);
      if (edges.size() > kMostEdges) return false;
    }
    return true;
  }

 private:
  uint32_t Position(uint32_t point, size_t column) const { return all_.positions[point * width_ + column]; }
  Code Cell(uint32_t box, size_t column) const { return all_.cells[box * width_ + column]; }

  // The cut that leaves the fewest pairs, among the median of some points in every column.
  Cut BestCut(const Part& part) const {
    Cut best;
    best.pairs = std::numeric_limits<uint64_t>::max();
    const size_t step = std::max<size_t>(1, part.points.size() / 63);
    std::vector<uint32_t> sample;
    for (size_t column = 0; column < width_; ++column) {
      sample.clear();
      for (size_t i = 0; i < part.points.size(); i += step) sample.push_back(Position(part.points[i], column));
      std::sort(sample.begin(), sample.end());
      if (sample.front() == sample.back()) continue;
      const auto middle = std::upper_bound(sample.begin(), sample.end(), sample[(sample.size() - 1) / 2]);
      const uint32_t at = middle == sample.end() ? sample.back() : *middle;
      const auto below = static_cast<uint64_t>(std::lower_bound(sample.begin(), sample.end(), at) - sample.begin());
      uint64_t left = 0, right = 0;
      for (const uint32_t box : part.boxes) {
        left += all_.columns[column]->hull_begin(Cell(box, column)) < at;
        right += all_.columns[column]->hull_end(Cell(box, column)) > at;
      }
      const uint64_t points = part.points.size();
      const uint64_t points_left = points * below / sample.size();
      const uint64_t pairs = points_left * left + (points - points_left) * right;
      if (pairs < best.pairs) best = {column, at, pairs};
    }
    return best;
  }

  void Divide(Part part, const Cut& cut, std::vector<Part>& pending) const {
    Part left, right;
    for (const uint32_t point : part.points)
      (Position(point, cut.column) < cut.at ? left : right).points.push_back(point);
    for (const uint32_t box : part.boxes) {
      const Code cell = Cell(box, cut.column);
      if (all_.columns[cut.column]->hull_begin(cell) < cut.at) left.boxes.push_back(box);
      if (all_.columns[cut.column]->hull_end(cell) > cut.at) right.boxes.push_back(box);
    }
    pending.push_back(std::move(left));
    pending.push_back(std::move(right));
  }

  void Compare(const Part& part, std::vector<Edge>& edges) const {
    for (const uint32_t box : part.boxes) {
      for (const uint32_t point : part.points) {
        bool covers = true;
        for (size_t i = 0; i < width_ && covers; ++i)
          covers = all_.columns[i]->Covers(Cell(box, i), Position(point, i));
        if (covers) edges.push_back({point, box});
      }
    }
  }

  const CandidateRows& all_;
  StepLimit& limit_;
  size_t width_;
};

// Maximum flow from boxes to points. An augmenting path goes from a box that lacks rows to a point, from there back to
// a box that uses it, and so on to a point with rows to spare. Each round finds the shortest lengths first.
class Flow {
 public:
  Flow(std::vector<uint32_t> supply, std::vector<uint32_t> demand, std::span<const Edge> edges, StepLimit& limit)
      : supply_(std::move(supply)), demand_(std::move(demand)), edges_(edges), used_(edges.size(), 0), limit_(limit) {
    std::vector<uint32_t> ends(edges.size());
    for (size_t i = 0; i < edges.size(); ++i) ends[i] = edges[i].box;
    std::tie(of_box_, box_begin_) = SortByNumber(ends, demand_.size());
    for (size_t i = 0; i < edges.size(); ++i) ends[i] = edges[i].point;
    std::tie(of_point_, point_begin_) = SortByNumber(ends, supply_.size());
  }

  // False if the limit is reached.
  bool Run(const Workers& workers) {
    for (;;) {
      workers.Poll();
      if (!limit_.Take(edges_.size())) return false;
      if (!SetLevels()) return true;
      next_of_box_.assign(box_begin_.begin(), box_begin_.end() - 1);
      next_of_point_.assign(point_begin_.begin(), point_begin_.end() - 1);
      for (uint32_t box = 0; box < demand_.size(); ++box) {
        while (demand_[box] > 0 && Augment(box)) {
          if (!limit_.Take(path_.size())) return false;
        }
      }
    }
  }

  std::vector<uint32_t> TakeDemand() { return std::move(demand_); }

 private:
  // Numbers boxes and points by their distance from a box that lacks rows; whether a point with rows to spare is reached.
  bool SetLevels() {
    box_level_.assign(demand_.size(), kNoLevel);
    point_level_.assign(supply_.size(), kNoLevel);
    std::vector<uint32_t> boxes, points;
    for (uint32_t box = 0; box < demand_.size(); ++box) {
      if (demand_[box] == 0) continue;
      box_level_[box] = 0;
      boxes.push_back(box);
    }
    bool reached = false;
    for (uint32_t level = 1; !boxes.empty() && !reached; level += 2) {
      points.clear();
      for (const uint32_t box : boxes) {
        for (uint32_t i = box_begin_[box]; i < box_begin_[box + 1]; ++i) {
          const uint32_t point = edges_[of_box_[i]].point;
          if (point_level_[point] != kNoLevel) continue;
          point_level_[point] = level;
          points.push_back(point);
          reached |= supply_[point] > 0;
        }
      }
      boxes.clear();
      for (const uint32_t point : points) {
        for (uint32_t i = point_begin_[point]; i < point_begin_[point + 1]; ++i) {
          const uint32_t box = edges_[of_point_[i]].box;
          if (used_[of_point_[i]] == 0 || box_level_[box] != kNoLevel) continue;
          box_level_[box] = level + 1;
          boxes.push_back(box);
        }
      }
    }
    return reached;
  }

  // Finds one path from `start` along rising levels and sends what fits; false if there is none.
  bool Augment(uint32_t start) {
    path_.clear();  // edges: forward ones at even places, edges to be given back at odd ones
    for (;;) {
      if (path_.size() % 2 == 0) {
        const uint32_t box = path_.empty() ? start : edges_[path_.back()].box;
        uint32_t& next = next_of_box_[box];
        while (next < box_begin_[box + 1] && point_level_[edges_[of_box_[next]].point] != box_level_[box] + 1) ++next;
        if (next < box_begin_[box + 1]) {
          path_.push_back(of_box_[next]);
        } else if (path_.empty()) {
          return false;
        } else {
          ++next_of_point_[edges_[path_.back()].point];
          path_.pop_back();
        }
        continue;
      }
      const uint32_t point = edges_[path_.back()].point;
      if (supply_[point] > 0) {
        Send(start, point);
        return true;
      }
      uint32_t& next = next_of_point_[point];
      while (next < point_begin_[point + 1] &&
             (used_[of_point_[next]] == 0 || box_level_[edges_[of_point_[next]].box] != point_level_[point] + 1)) {
        ++next;
      }
      if (next < point_begin_[point + 1]) {
        path_.push_back(of_point_[next]);
      } else {
        ++next_of_box_[edges_[path_.back()].box];
        path_.pop_back();
      }
    }
  }

  void Send(uint32_t start, uint32_t point) {
    uint32_t amount = std::min(demand_[start], supply_[point]);
    for (size_t i = 1; i < path_.size(); i += 2) amount = std::min(amount, used_[path_[i]]);
    for (size_t i = 0; i < path_.size(); ++i) used_[path_[i]] += i % 2 == 0 ? amount : 0u - amount;
    demand_[start] -= amount;
    supply_[point] -= amount;
  }

  std::vector<uint32_t> supply_, demand_;
  std::span<const Edge> edges_;
  std::vector<uint32_t> used_;  // rows sent along each edge
  StepLimit& limit_;
  std::vector<uint32_t> of_box_, box_begin_, of_point_, point_begin_;  // edges by box and by point
  std::vector<uint32_t> box_level_, point_level_, next_of_box_, next_of_point_, path_;
};

}  // namespace

std::optional<std::vector<Edge>> FindEdges(const CandidateRows& candidates, std::vector<uint32_t> points,
                                           std::vector<uint32_t> boxes, StepLimit& limit, const Workers& workers) {
  std::vector<Edge> edges;
  if (!EdgeFinder(candidates, limit).Search({std::move(points), std::move(boxes)}, edges, workers)) return std::nullopt;
  return edges;
}

std::optional<std::vector<uint32_t>> MeetDemand(std::vector<uint32_t> supply, std::vector<uint32_t> demand,
                                                std::span<const Edge> edges, StepLimit& limit, const Workers& workers) {
  Flow flow(std::move(supply), std::move(demand), edges, limit);
  if (!flow.Run(workers)) return std::nullopt;
  return flow.TakeDemand();
}

std::vector<uint32_t> MeetRangeDemand(std::span<const uint32_t> supply, std::span<const RangeDemand> boxes) {
  std::vector<uint32_t> left(boxes.size()), by_begin(boxes.size());
  for (size_t i = 0; i < boxes.size(); ++i) left[i] = boxes[i].demand;
  std::iota(by_begin.begin(), by_begin.end(), 0u);
  std::stable_sort(by_begin.begin(), by_begin.end(),
                   [&](uint32_t a, uint32_t b) { return boxes[a].begin < boxes[b].begin; });
  using Waiting = std::pair<uint32_t, uint32_t>;  // end and box
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
  size_t next = 0;
  for (uint32_t position = 0; position < supply.size(); ++position) {
    for (; next < by_begin.size() && boxes[by_begin[next]].begin <= position; ++next) {
      waiting.emplace(boxes[by_begin[next]].end, by_begin[next]);
    }
    for (uint32_t rows = supply[position]; rows > 0 && !waiting.empty();) {
      const auto [end, box] = waiting.top();
      if (end > position) {
        const uint32_t given = std::min(rows, left[box]);
        rows -= given;
        left[box] -= given;
      }
      if (end <= position || left[box] == 0) waiting.pop();
    }
  }
  return left;
}

}  // namespace tada
