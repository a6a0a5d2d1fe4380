#include "audit/original/dense_assignment.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>
#include <utility>

namespace tada {
namespace {

using Bits = std::vector<uint64_t>;
constexpr uint64_t kMostWords = uint64_t{1} << 26;  // half a gigabyte
constexpr uint32_t kNotReached = std::numeric_limits<uint32_t>::max();

// Which points the cells of boxes cover.
class CoverBits {
 public:
  CoverBits(const CandidateRows& candidates, std::span<const uint32_t> points, std::span<const uint32_t> boxes)
      : all_(candidates), points_(points), boxes_(boxes), words_((points.size() + 63) / 64) {}

  // False if the limit is reached.
  bool Fill(StepLimit& limit, const Workers& workers) {
    uint64_t total = 0;
    for (size_t column = 0; column < all_.columns.size(); ++column) {
      std::unordered_map<Code, uint32_t> place;
      for (const uint32_t box : boxes_) {
        const Code cell = all_.cells[box * all_.columns.size() + column];
        place_.push_back(place.emplace(cell, static_cast<uint32_t>(place.size())).first->second);
      }
      total += place.size() * words_;
      if (total > kMostWords || !limit.Take(place.size() * points_.size())) return false;
      Bits& bits = bits_.emplace_back(place.size() * words_, 0);
      std::vector<Code> cells(place.size());
      for (const auto& [cell, at] : place) cells[at] = cell;
      workers.For(cells.size(), [&](size_t i) { FillCell(column, cells[i], &bits[i * words_]); });
    }
    return true;
  }

  size_t words() const { return words_; }
  // The points 64 * word to 64 * word + 63 that a box covers.
  uint64_t Word(uint32_t box, size_t word) const {
    uint64_t covered = ~uint64_t{0};
    for (size_t column = 0; column < bits_.size() && covered != 0; ++column) {
      covered &= bits_[column][place_[column * boxes_.size() + box] * words_ + word];
    }
    return covered;
  }

 private:
  void FillCell(size_t column, Code cell, uint64_t* bits) const {
    for (size_t i = 0; i < points_.size(); ++i) {
      const bool covers = all_.columns[column]->Covers(cell, all_.positions[points_[i] * all_.columns.size() + column]);
      bits[i / 64] |= uint64_t{covers} << (i % 64);
    }
  }

  const CandidateRows& all_;
  std::span<const uint32_t> points_, boxes_;
  size_t words_;
  std::vector<Bits> bits_;       // by column, then by cell
  std::vector<uint32_t> place_;  // of a box's cell in them, by column
};

// A maximum flow in rounds of shortest paths (Dinic 1970). A path goes from a box that lacks rows to a point it covers, to a box that has rows
// of that point, and so on to a point with rows to spare. In each round points only ever leave their layer, so that a box looks at each word of
// its points once.
class DenseFlow {
 public:
  DenseFlow(const CoverBits& covers, std::vector<uint32_t> supply, std::vector<uint32_t> demand, StepLimit& limit)
      : covers_(covers),
        supply_(std::move(supply)),
        demand_(std::move(demand)),
        limit_(limit),
        given_(supply_.size()) {}

  // False if the limit is reached.
  bool Run(const Workers& workers) {
    for (;;) {
      workers.Poll();
      if (!limit_.Take(demand_.size() * covers_.words())) return false;
      if (!SetLayers()) return true;
      next_word_.assign(demand_.size(), 0);
      for (uint32_t box = 0; box < demand_.size(); ++box) {
        while (demand_[box] > 0 && Augment(box)) {
          if (!limit_.Take(path_.size())) return false;
        }
      }
    }
  }

  std::vector<uint32_t> TakeDemand() { return std::move(demand_); }

 private:
  struct Given {
    uint32_t box, rows;
  };
  struct Step {
    uint32_t box, point;
  };

  // Layers of points by their distance from a box that lacks rows; whether one with rows to spare is reached.
  bool SetLayers() {
    layers_.clear();
    level_.assign(demand_.size(), kNotReached);
    Bits unseen(covers_.words(), 0);
    for (size_t point = 0; point < supply_.size(); ++point) unseen[point / 64] |= uint64_t{1} << (point % 64);
    std::vector<uint32_t> boxes;
    for (uint32_t box = 0; box < demand_.size(); ++box) {
      if (demand_[box] == 0) continue;
      level_[box] = 0;
      boxes.push_back(box);
    }
    while (!boxes.empty()) {
      Bits& layer = layers_.emplace_back(covers_.words(), 0);
      for (const uint32_t box : boxes) {
        for (size_t word = 0; word < unseen.size(); ++word) {
          if (unseen[word] == 0) continue;
          const uint64_t found = covers_.Word(box, word) & unseen[word];
          layer[word] |= found;
          unseen[word] &= ~found;
        }
      }
      boxes.clear();
      bool reached = false;
      for (size_t word = 0; word < layer.size(); ++word) {
        for (uint64_t left = layer[word]; left != 0; left &= left - 1) {
          const size_t point = word * 64 + static_cast<size_t>(std::countr_zero(left));
          reached |= supply_[point] > 0;
          for (const Given& given : given_[point]) {
            if (given.rows == 0 || level_[given.box] != kNotReached) continue;
            level_[given.box] = static_cast<uint32_t>(layers_.size());
            boxes.push_back(given.box);
          }
        }
      }
      if (reached) return true;
    }
    return false;
  }

  // A point of the box's layer that may lead on.
  std::optional<uint32_t> NextPoint(uint32_t box) {
    const Bits& layer = layers_[level_[box]];
    for (size_t& word = next_word_[box]; word < layer.size(); ++word) {
      const uint64_t found = layer[word] == 0 ? 0 : covers_.Word(box, word) & layer[word];
      if (found != 0) return static_cast<uint32_t>(word * 64 + static_cast<size_t>(std::countr_zero(found)));
    }
    return std::nullopt;
  }

  // A box of the next layer that has rows of the point.
  std::optional<uint32_t> NextBox(uint32_t point, uint32_t level) const {
    if (level >= layers_.size()) return std::nullopt;
    for (const Given& given : given_[point]) {
      if (given.rows > 0 && level_[given.box] == level) return given.box;
    }
    return std::nullopt;
  }

  // Finds one path from `start` and sends what fits; false if there is none.
  bool Augment(uint32_t start) {
    path_.clear();
    for (uint32_t box = start;;) {
      const std::optional<uint32_t> point = NextPoint(box);
      if (!point) {
        level_[box] = kNotReached;  // leads nowhere in this round
        if (path_.empty()) return false;
        box = path_.back().box;  // whose point may have another box, or is given up then
        path_.pop_back();
        continue;
      }
      path_.push_back({box, *point});
      if (supply_[*point] > 0) {
        Send();
        return true;
      }
      const uint32_t level = level_[box];
      if (const auto next = NextBox(*point, level + 1)) {
        box = *next;
        continue;
      }
      layers_[level][*point / 64] &= ~(uint64_t{1} << (*point % 64));
      path_.pop_back();
    }
  }

  uint32_t& Rows(uint32_t point, uint32_t box) {
    std::vector<Given>& given = given_[point];
    const auto found = std::ranges::find(given, box, &Given::box);
    if (found != given.end()) return found->rows;
    given.push_back({box, 0});
    return given.back().rows;
  }

  void Send() {
    uint32_t amount = std::min(demand_[path_.front().box], supply_[path_.back().point]);
    for (size_t i = 0; i + 1 < path_.size(); ++i) amount = std::min(amount, Rows(path_[i].point, path_[i + 1].box));
    demand_[path_.front().box] -= amount;
    supply_[path_.back().point] -= amount;
    for (size_t i = 0; i < path_.size(); ++i) {
      Rows(path_[i].point, path_[i].box) += amount;
      if (i + 1 < path_.size()) Rows(path_[i].point, path_[i + 1].box) -= amount;
    }
    for (const Step& step : path_)
      std::erase_if(given_[step.point], [](const Given& given) { return given.rows == 0; });
  }

  const CoverBits& covers_;
  std::vector<uint32_t> supply_, demand_;
  StepLimit& limit_;
  std::vector<std::vector<Given>> given_;  // by point: who has its rows
  std::vector<Bits> layers_;               // of points that may still lead on
  std::vector<uint32_t> level_;            // of boxes
  std::vector<size_t> next_word_;          // of a box, to look at
  std::vector<Step> path_;
};

}  // namespace

std::optional<std::vector<uint32_t>> MeetDenseDemand(const CandidateRows& candidates, std::span<const uint32_t> points,
                                                     std::span<const uint32_t> boxes, std::vector<uint32_t> supply,
                                                     std::vector<uint32_t> demand, StepLimit& limit,
                                                     const Workers& workers) {
  CoverBits covers(candidates, points, boxes);
  if (!covers.Fill(limit, workers)) return std::nullopt;
  DenseFlow flow(covers, std::move(supply), std::move(demand), limit);
  if (!flow.Run(workers)) return std::nullopt;
  return flow.TakeDemand();
}

}  // namespace tada
