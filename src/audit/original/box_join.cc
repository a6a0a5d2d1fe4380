#include "audit/original/box_join.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace tada {
namespace {

constexpr uint64_t kFewPairs = 8'192;     // compared one by one: about what it costs to look for a cut
constexpr uint64_t kTaskPairs = 1 << 26;  // a region of more pairs is shared with other workers
constexpr double kWorthwhile = 0.8;       // a split must leave at most this share of the pairs
constexpr size_t kSample = 31;            // boxes whose lower ends are looked at for a place to split
constexpr size_t kCounted = 128;          // boxes that are counted on both sides of it
constexpr size_t kReported = 4'096;       // pairs at a time
constexpr size_t kBlock = 256;            // boxes that one is compared with at a time
constexpr int64_t kFirst = std::numeric_limits<int32_t>::min();
constexpr int64_t kBehind = int64_t{std::numeric_limits<int32_t>::max()} + 1;

using Ids = std::vector<uint32_t>;

class BoxJoin {
 public:
  // Boxes that reach into the region [from, to).
  struct Region {
    std::vector<int64_t> from, to;
    Ids as, bs;
    uint64_t pairs() const { return uint64_t{as.size()} * bs.size(); }
  };

  BoxJoin(const BoxList& a, const BoxList& b, uint64_t limit, const Workers& workers,
          const std::function<void(BoxPairs)>& found)
      : a_(a), b_(b), limit_(limit), workers_(workers), found_(found) {}

  uint64_t Run() {
    Region all{std::vector<int64_t>(a_.num_columns, kFirst), std::vector<int64_t>(a_.num_columns, kBehind),
               Ids(a_.count), Ids(b_.count)};
    std::iota(all.as.begin(), all.as.end(), 0u);
    std::iota(all.bs.begin(), all.bs.end(), 0u);
    std::vector<Region> regions;
    regions.push_back(std::move(all));
    workers_.Drain<Region>(std::move(regions), [&](const Region& region, const std::function<void(Region)>& push) {
      std::optional<Halves> halves;
      if (region.pairs() > kTaskPairs) {
        halves = Split(region);
        if (!halves && region.as.size() > 1) halves = Share(region);
      }
      if (!halves) {
        Pairs pairs;
        Join(region, pairs);
        Report(pairs);
        return;
      }
      push(std::move(halves->above));  // the last one that was pushed is the next one that is taken
      push(std::move(halves->below));
    });
    return compared_;
  }

 private:
  using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;
  struct Cut {
    size_t column = 0;
    int64_t place = 0;  // what begins below it goes left, what ends at it or above goes right
  };
  struct Halves {
    Region below, above;
    uint64_t pairs() const { return below.pairs() + above.pairs(); }
  };
  struct Counts {
    uint64_t below = 0, above = 0;
  };

  static const int32_t* Lows(const BoxList& list, size_t column) { return list.low.data() + column * list.count; }
  static const int32_t* Highs(const BoxList& list, size_t column) {
    return (list.high.empty() ? list.low : list.high).data() + column * list.count;
  }
  static bool IsWorthwhile(uint64_t left, uint64_t pairs) {
    return static_cast<double>(left) < kWorthwhile * static_cast<double>(pairs);
  }

  // Every split leaves at most kWorthwhile of the pairs, so the depth is logarithmic.
  void Join(const Region& region, Pairs& found) {
    if (region.as.empty() || region.bs.empty() || compared_ > limit_) return;
    const std::optional<Halves> halves = region.pairs() > kFewPairs ? Split(region) : std::nullopt;
    if (!halves) return Compare(region, found);
    Join(halves->below, found);
    Join(halves->above, found);
  }

  // Counting few of the boxes is mostly enough to see where a cut helps; where it turns out not to, all are counted.
  std::optional<Halves> Split(const Region& region) const {
    for (const size_t counted : {kCounted, std::max(region.as.size(), region.bs.size())}) {
      const std::optional<Cut> cut = FindCut(region, counted);
      if (!cut) continue;
      Halves halves = SplitAt(region, *cut);
      if (IsWorthwhile(halves.pairs(), region.pairs())) return halves;
    }
    return std::nullopt;
  }

  // Half of the first boxes each, where no cut helps: the work of two.
  static Halves Share(const Region& region) {
    const auto middle = region.as.begin() + static_cast<ptrdiff_t>(region.as.size() / 2);
    return {{region.from, region.to, Ids(region.as.begin(), middle), region.bs},
            {region.from, region.to, Ids(middle, region.as.end()), region.bs}};
  }

  Halves SplitAt(const Region& region, const Cut& cut) const {
    Halves halves{{region.from, region.to, {}, {}}, {region.from, region.to, {}, {}}};
    halves.below.to[cut.column] = halves.above.from[cut.column] = cut.place;
    Divide(a_, region.as, cut, halves.below.as, halves.above.as);
    Divide(b_, region.bs, cut, halves.below.bs, halves.above.bs);
    return halves;
  }

  static void Divide(const BoxList& list, const Ids& ids, const Cut& cut, Ids& below, Ids& above) {
    below.resize(ids.size());
    above.resize(ids.size());
    size_t num_below = 0, num_above = 0;
    const int32_t *lows = Lows(list, cut.column), *highs = Highs(list, cut.column);
    for (const uint32_t i : ids) {
      below[num_below] = above[num_above] = i;
      num_below += lows[i] < cut.place ? 1 : 0;
      num_above += highs[i] >= cut.place ? 1 : 0;
    }
    below.resize(num_below);
    above.resize(num_above);
  }

  // Of at most `counted` boxes, evenly spread.
  static Counts CountSides(const BoxList& list, const Ids& ids, const Cut& cut, size_t counted) {
    Counts counts;
    const int32_t *lows = Lows(list, cut.column), *highs = Highs(list, cut.column);
    const size_t most = std::min(counted, ids.size());
    for (size_t s = 0; s < most; ++s) {
      const uint32_t i = ids[s * ids.size() / most];
      counts.below += lows[i] < cut.place ? 1 : 0;
      counts.above += highs[i] >= cut.place ? 1 : 0;
    }
    return counts;
  }

  std::optional<Cut> FindCut(const Region& region, size_t counted) const {
    std::optional<Cut> best;
    uint64_t fewest = UINT64_MAX;
    for (size_t column = 0; column < a_.num_columns; ++column) {
      std::array<int32_t, 2 * kSample> lows;
      for (size_t s = 0; s < kSample; ++s) {
        lows[2 * s] = Lows(a_, column)[region.as[s * region.as.size() / kSample]];
        lows[2 * s + 1] = Lows(b_, column)[region.bs[s * region.bs.size() / kSample]];
      }
      std::sort(lows.begin(), lows.end());
      int64_t before = kFirst - 1;
      for (const size_t at : {kSample / 2, kSample, kSample + kSample / 2}) {
        const Cut cut{column, lows[at]};
        if (cut.place <= region.from[column] || cut.place >= region.to[column] || cut.place == before) continue;
        before = cut.place;
        const Counts as = CountSides(a_, region.as, cut, counted), bs = CountSides(b_, region.bs, cut, counted);
        const uint64_t pairs = as.below * bs.below + as.above * bs.above;
        if (pairs >= fewest) continue;
        fewest = pairs;
        best = cut;
      }
    }
    const uint64_t all = std::min(counted, region.as.size()) * std::min(counted, region.bs.size());
    return best && IsWorthwhile(fewest, all) ? best : std::nullopt;
  }

  void Compare(const Region& region, Pairs& found) {
    workers_.Poll();
    uint64_t compared = 0;  // that nobody else knows of yet
    std::vector<int32_t> lows(a_.num_columns * kBlock), highs(a_.num_columns * kBlock);  // of the block at hand
    for (size_t begin = 0; begin < region.bs.size(); begin += kBlock) {
      const std::span bs = std::span(region.bs).subspan(begin, std::min(kBlock, region.bs.size() - begin));
      for (size_t column = 0; column < a_.num_columns; ++column) {
        for (size_t j = 0; j < bs.size(); ++j) {
          lows[column * kBlock + j] = Lows(b_, column)[bs[j]];
          highs[column * kBlock + j] = Highs(b_, column)[bs[j]];
        }
      }
      for (const uint32_t i : region.as) {
        compared += bs.size();
        if (compared >= kFewPairs) {
          workers_.Poll();
          if ((compared_ += std::exchange(compared, 0)) > limit_) return;
        }
        CompareOne(region, i, bs, lows, highs, found);
      }
    }
    compared_ += compared;
  }

  // The corner of an overlap is the larger of two lower ends: it lies in the region if neither is behind it and one is not before it.
  void CompareOne(const Region& region, uint32_t i, std::span<const uint32_t> bs, const std::vector<int32_t>& lows,
                  const std::vector<int32_t>& highs, Pairs& found) {
    std::array<uint32_t, kBlock> overlap;
    for (size_t column = 0; column < a_.num_columns; ++column) {
      const int64_t low = Lows(a_, column)[i], high = Highs(a_, column)[i];
      if (low >= region.to[column]) return;
      const auto least = static_cast<int32_t>(low >= region.from[column] ? kFirst : region.from[column]);
      const auto most = static_cast<int32_t>(std::min(high, region.to[column] - 1));
      const auto reached = static_cast<int32_t>(low);
      const int32_t *from = lows.data() + column * kBlock, *to = highs.data() + column * kBlock;
      uint32_t any = 0;
      for (size_t j = 0; j < bs.size(); ++j) {
        const uint32_t here = uint32_t{from[j] >= least} & uint32_t{from[j] <= most} & uint32_t{to[j] >= reached};
        overlap[j] = column == 0 ? here : overlap[j] & here;
        any |= overlap[j];
      }
      if (any == 0) return;
    }
    for (size_t j = 0; j < bs.size(); ++j) {
      if (a_.num_columns == 0 || overlap[j] != 0) found.emplace_back(i, bs[j]);
    }
    if (found.size() >= kReported) Report(found);
  }

  void Report(Pairs& found) const {
    if (!found.empty()) found_(found);
    found.clear();
  }

  const BoxList& a_;
  const BoxList& b_;
  const uint64_t limit_;
  std::atomic<uint64_t> compared_ = 0;
  const Workers& workers_;
  const std::function<void(BoxPairs)>& found_;
};

}  // namespace

uint64_t JoinBoxes(const BoxList& a, const BoxList& b, uint64_t limit, const Workers& workers,
                   const std::function<void(BoxPairs)>& found) {
  return BoxJoin(a, b, limit, workers, found).Run();
}

}  // namespace tada
