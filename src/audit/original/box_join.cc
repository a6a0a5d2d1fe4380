#include "audit/original/box_join.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>

namespace tada {
namespace {

constexpr uint64_t kFewPairs = 1024;  // compared one by one
constexpr double kWorthwhile = 0.8;   // a split must leave at most this share of the pairs
constexpr size_t kSample = 31;        // boxes whose lower ends are looked at for a place to split
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class BoxJoin {
 public:
  BoxJoin(const BoxList& a, const BoxList& b, uint64_t limit, const Workers& workers,
          const std::function<void(uint32_t, uint32_t)>& found)
      : a_(a),
        b_(b),
        limit_(limit),
        workers_(workers),
        found_(found),
        from_(a.num_columns, -kInfinity),
        to_(a.num_columns, kInfinity) {}

  // Joins the boxes that reach into the region [from_, to_). Every split leaves at most kWorthwhile of the pairs, so the depth
  // is logarithmic.
  void Join(const std::vector<uint32_t>& as, const std::vector<uint32_t>& bs) {
    if (as.empty() || bs.empty() || compared_ > limit_) return;
    const uint64_t pairs = uint64_t{as.size()} * bs.size();
    const std::optional<Cut> cut = pairs > kFewPairs ? FindCut(as, bs) : std::nullopt;
    if (!cut) return Compare(as, bs);
    const double from = from_[cut->column], to = to_[cut->column];
    to_[cut->column] = cut->place;
    Join(Below(a_, as, *cut), Below(b_, bs, *cut));
    to_[cut->column] = to;
    from_[cut->column] = cut->place;
    Join(Above(a_, as, *cut), Above(b_, bs, *cut));
    from_[cut->column] = from;
  }
  uint64_t compared() const { return compared_; }

 private:
  struct Cut {
    size_t column = 0;
    double place = 0;  // what begins below it goes left, what ends at it or above goes right
  };

  static double Low(const BoxList& list, uint32_t i, size_t column) { return list.low[i * list.num_columns + column]; }
  static double High(const BoxList& list, uint32_t i, size_t column) {
    return list.high[i * list.num_columns + column];
  }

  static std::vector<uint32_t> Below(const BoxList& list, const std::vector<uint32_t>& ids, const Cut& cut) {
    std::vector<uint32_t> part;
    std::copy_if(ids.begin(), ids.end(), std::back_inserter(part),
                 [&](uint32_t i) { return Low(list, i, cut.column) < cut.place; });
    return part;
  }
  static std::vector<uint32_t> Above(const BoxList& list, const std::vector<uint32_t>& ids, const Cut& cut) {
    std::vector<uint32_t> part;
    std::copy_if(ids.begin(), ids.end(), std::back_inserter(part),
                 [&](uint32_t i) { return High(list, i, cut.column) >= cut.place; });
    return part;
  }

  // How many pairs both sides of a cut have together.
  uint64_t PairsAfter(const std::vector<uint32_t>& as, const std::vector<uint32_t>& bs, const Cut& cut) const {
    uint64_t a_below = 0, a_above = 0, b_below = 0, b_above = 0;
    for (const uint32_t i : as) {
      a_below += Low(a_, i, cut.column) < cut.place ? 1 : 0;
      a_above += High(a_, i, cut.column) >= cut.place ? 1 : 0;
    }
    for (const uint32_t i : bs) {
      b_below += Low(b_, i, cut.column) < cut.place ? 1 : 0;
      b_above += High(b_, i, cut.column) >= cut.place ? 1 : 0;
    }
    return a_below * b_below + a_above * b_above;
  }

  std::optional<Cut> FindCut(const std::vector<uint32_t>& as, const std::vector<uint32_t>& bs) const {
    std::optional<Cut> best;
    auto fewest = static_cast<uint64_t>(kWorthwhile * static_cast<double>(as.size()) * static_cast<double>(bs.size()));
    for (size_t column = 0; column < a_.num_columns; ++column) {
      std::vector<double> lows;
      for (size_t s = 0; s < kSample; ++s) {
        lows.push_back(Low(a_, as[s * as.size() / kSample], column));
        lows.push_back(Low(b_, bs[s * bs.size() / kSample], column));
      }
      std::sort(lows.begin(), lows.end());
      for (const size_t at : {kSample / 2, kSample, kSample + kSample / 2}) {
        const Cut cut{column, lows[at]};
        if (cut.place <= from_[column] || cut.place >= to_[column]) continue;
        const uint64_t pairs = PairsAfter(as, bs, cut);
        if (pairs >= fewest) continue;
        fewest = pairs;
        best = cut;
      }
    }
    return best;
  }

  void Compare(const std::vector<uint32_t>& as, const std::vector<uint32_t>& bs) {
    workers_.Poll();
    for (const uint32_t i : as) {
      compared_ += bs.size();
      if (compared_ > limit_) return;
      for (const uint32_t j : bs) {
        if (OverlapHere(i, j)) found_(i, j);
      }
    }
  }

  bool OverlapHere(uint32_t i, uint32_t j) const {
    for (size_t column = 0; column < a_.num_columns; ++column) {
      const double begin = std::max(Low(a_, i, column), Low(b_, j, column));
      if (begin > std::min(High(a_, i, column), High(b_, j, column))) return false;
      if (begin < from_[column] || (begin >= to_[column] && to_[column] != kInfinity)) return false;
    }
    return true;
  }

  const BoxList& a_;
  const BoxList& b_;
  uint64_t limit_, compared_ = 0;
  const Workers& workers_;
  const std::function<void(uint32_t, uint32_t)>& found_;
  std::vector<double> from_, to_;  // the region at hand
};

std::vector<uint32_t> All(size_t count) {
  std::vector<uint32_t> ids(count);
  std::iota(ids.begin(), ids.end(), 0u);
  return ids;
}

}  // namespace

uint64_t JoinBoxes(const BoxList& a, const BoxList& b, uint64_t limit, const Workers& workers,
                   const std::function<void(uint32_t, uint32_t)>& found) {
  BoxJoin join(a, b, limit, workers, found);
  join.Join(All(a.count), All(b.count));
  return join.compared();
}

}  // namespace tada
