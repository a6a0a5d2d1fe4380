#include "partition/compact/regions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"

namespace tada {
namespace {

constexpr double kBalanced = 0.2;  // share of the rows

// Where a group lies: the mean of each number, the first row's value of each name, both on the scale of spans.
std::vector<float> Centres(const SearchRows& rows, const GroupLists& groups) {
  const MixedPoints& points = rows.tuples;
  const size_t width = points.num_numbers + points.num_names;
  std::vector<float> centres(groups.size() * width);
  for (size_t g = 0; g < groups.size(); ++g) {
    float* centre = centres.data() + g * width;
    for (uint32_t j = 0; j < points.num_numbers; ++j) {
      double sum = 0;
      for (const uint32_t row : groups[g]) sum += points.NumbersOf(rows.tuple_of[row])[j];
      centre[j] = static_cast<float>(sum / static_cast<double>(groups[g].size()));
    }
    const Code* names = points.NamesOf(rows.tuple_of[groups[g][0]]);
    for (uint32_t j = 0; j < points.num_names; ++j) {
      centre[points.num_numbers + j] = static_cast<float>(names[j] * points.name_steps[j]);
    }
  }
  return centres;
}

class RegionCutter {
 public:
  RegionCutter(const SearchRows& rows, const GroupLists& groups, uint64_t max_rows, uint64_t seed)
      : groups_(groups),
        width_(rows.tuples.num_numbers + rows.tuples.num_names),
        max_rows_(max_rows),
        random_(seed),
        centres_(Centres(rows, groups)),
        order_(groups.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
  }

  std::vector<std::vector<uint32_t>> Cut() {
    std::vector<std::pair<size_t, size_t>> stack{{0, order_.size()}};
    std::vector<std::vector<uint32_t>> regions;
    while (!stack.empty()) {
      const auto [begin, end] = stack.back();
      stack.pop_back();
      uint64_t rows = 0;
      for (size_t i = begin; i < end; ++i) rows += groups_[order_[i]].size();
      if (rows <= max_rows_ || end - begin < 2) {
        regions.emplace_back(order_.begin() + static_cast<ptrdiff_t>(begin),
                             order_.begin() + static_cast<ptrdiff_t>(end));
        continue;
      }
      const size_t middle = CutOne(begin, end, rows);
      stack.push_back({middle, end});
      stack.push_back({begin, middle});
    }
    return regions;
  }

 private:
  // A place to cut a column, between two groups that differ in it: groups that are alike in everything but their number
  // are each other's neighbours and belong into one region.
  struct Place {
    size_t middle = 0;
    double balance = 0;  // share of the rows on the smaller side
    double spread = 0;   // mean distance of the groups from their mean
  };

  // Cuts a column drawn with the odds of its spread among those that can be cut near the middle, or else the one that
  // can be cut nearest to it.
  size_t CutOne(size_t begin, size_t end, uint64_t rows) {
    const double wanted = static_cast<double>(rows) * (0.4 + 0.2 * random_.Unit());
    std::vector<Place> places;
    double sum = 0, best_balance = 0;
    for (uint32_t j = 0; j < width_; ++j) {
      places.push_back(FindPlace(begin, end, j, rows, wanted));
      if (places[j].balance >= kBalanced) sum += places[j].spread;
      best_balance = std::max(best_balance, places[j].balance);
    }
    double drawn = random_.Unit() * sum;
    for (uint32_t j = 0; j < width_; ++j) {
      if (best_balance >= kBalanced) {
        if (places[j].balance < kBalanced) continue;
        drawn -= places[j].spread;
        if (drawn >= 0) continue;
      } else if (places[j].balance < best_balance) {
        continue;
      }
      if (places[j].balance == 0) break;
      Sort(begin, end, j);
      for (size_t i = begin; i < end; ++i) order_[i] = GroupOf(sorted_[i - begin]);
      return places[j].middle;
    }
    return begin + (end - begin) / 2;  // all alike
  }

  // Groups as one number each, to be sorted by: the centre, in an order of bits that is that of numbers, and the group.
  static uint64_t KeyOf(float centre, uint32_t group) {
    const auto bits = std::bit_cast<uint32_t>(centre + 0.0F);  // no negative zero
    return uint64_t{(bits >> 31) != 0 ? ~bits : bits | 0x80000000U} << 32 | group;
  }
  static uint32_t GroupOf(uint64_t key) { return static_cast<uint32_t>(key); }

  void Sort(size_t begin, size_t end, uint32_t column) {
    sorted_.clear();
    for (size_t i = begin; i < end; ++i) sorted_.push_back(KeyOf(centres_[order_[i] * width_ + column], order_[i]));
    std::sort(sorted_.begin(), sorted_.end());
  }

  Place FindPlace(size_t begin, size_t end, uint32_t column, uint64_t rows, double wanted) {
    Sort(begin, end, column);
    Place place;
    values_.clear();
    for (const uint64_t key : sorted_) values_.push_back(centres_[GroupOf(key) * width_ + column]);
    double mean = 0, nearest = std::numeric_limits<double>::infinity();
    for (const float value : values_) mean += value;
    mean /= static_cast<double>(end - begin);
    uint64_t seen = 0;
    for (size_t i = 0; i < values_.size(); ++i) {
      place.spread += std::abs(values_[i] - mean);
      if (i > 0 && values_[i - 1] < values_[i] && std::abs(static_cast<double>(seen) - wanted) < nearest) {
        nearest = std::abs(static_cast<double>(seen) - wanted);
        place.middle = begin + i;
        place.balance = static_cast<double>(std::min(seen, rows - seen)) / static_cast<double>(rows);
      }
      seen += groups_[GroupOf(sorted_[i])].size();
    }
    return place;
  }

  const GroupLists& groups_;
  const size_t width_;
  const uint64_t max_rows_;
  Random random_;
  std::vector<float> centres_;
  std::vector<uint32_t> order_;
  std::vector<uint64_t> sorted_;  // of a node: its groups by one column,
  std::vector<float> values_;     // and their centres
};

}  // namespace

std::vector<std::vector<uint32_t>> CutRegions(const SearchRows& rows, const GroupLists& groups, uint64_t max_rows,
                                              uint64_t seed) {
  return RegionCutter(rows, groups, max_rows, seed).Cut();
}

}  // namespace tada
