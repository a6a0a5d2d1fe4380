#include "partition/compact/crossover.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/random.h"

namespace tada {
namespace {

constexpr double kLessBy = 1e-11;      // rounding alone must not choose
constexpr size_t kMembersLooked = 64;  // rows of a class that are looked at for one place in a group
constexpr uint32_t kNone = UINT32_MAX;

// Lets rows of a class change places in the second grouping, so that as many rows as possible stand with those that they
// stand with in the first.
class Aligner {
 public:
  Aligner(const std::vector<uint32_t>& class_of, const GroupLists& first) : class_of_(class_of), first_(first) {
    for (uint32_t g = 0; g < first.size(); ++g) {
      for (const uint32_t row : first[g]) left_[class_of[row]].push_back({g, row});
    }
  }

  void Align(GroupLists& second) {
    std::vector<bool> done(second.size());
    TakeEqualGroups(second, done);
    for (size_t g = 0; g < second.size(); ++g) {
      if (!done[g]) TakeNearest(second[g]);
    }
  }

 private:
  struct Place {
    uint32_t group, row;  // of the first grouping
  };

  uint64_t Signature(const std::vector<uint32_t>& group) {
    classes_.clear();
    for (const uint32_t row : group) classes_.push_back(class_of_[row]);
    std::sort(classes_.begin(), classes_.end());
    uint64_t hash = classes_.size();
    for (const uint32_t c : classes_) hash = MixSeed(hash, c);
    return hash;
  }

  // Groups that hold the same classes become the same groups.
  void TakeEqualGroups(GroupLists& second, std::vector<bool>& done) {
    std::unordered_map<uint64_t, std::vector<uint32_t>> by_signature;
    for (auto g = static_cast<uint32_t>(first_.size()); g-- > 0;) by_signature[Signature(first_[g])].push_back(g);
    std::vector<bool> taken(first_.size());
    for (size_t g = 0; g < second.size(); ++g) {
      const auto found = by_signature.find(Signature(second[g]));
      if (found == by_signature.end() || found->second.empty()) continue;
      const std::vector<uint32_t> wanted = classes_;
      const uint32_t other = found->second.back();
      Signature(first_[other]);
      if (classes_ != wanted) continue;
      found->second.pop_back();
      taken[other] = done[g] = true;
      second[g] = first_[other];
    }
    for (auto& [number, places] : left_) {
      std::erase_if(places, [&](const Place& place) { return taken[place.group]; });
    }
  }

  // Fills the group with rows of the same classes, from as few groups of the first grouping as a greedy choice finds.
  void TakeNearest(std::vector<uint32_t>& group) {
    classes_.clear();
    for (const uint32_t row : group) classes_.push_back(class_of_[row]);
    group.clear();
    while (!classes_.empty()) {
      counts_.clear();
      for (const uint32_t c : classes_) {
        const std::vector<Place>& places = left_[c];
        for (size_t i = places.size() - std::min(places.size(), kMembersLooked); i < places.size(); ++i) {
          counts_.push_back(places[i].group);
        }
      }
      TakeFrom(MostFrequent(), group);
    }
  }

  uint32_t MostFrequent() {
    std::sort(counts_.begin(), counts_.end());
    uint32_t best = kNone;
    size_t most = 0;
    for (size_t begin = 0, end = 0; begin < counts_.size(); begin = end) {
      while (end < counts_.size() && counts_[end] == counts_[begin]) ++end;
      if (end - begin > most) most = end - begin, best = counts_[begin];
    }
    return best;
  }

  void TakeFrom(uint32_t from, std::vector<uint32_t>& group) {
    size_t kept = 0;
    for (const uint32_t c : classes_) {
      std::vector<Place>& places = left_[c];
      const auto looked = static_cast<ptrdiff_t>(std::min(places.size(), kMembersLooked));
      const auto found =
          std::find_if(places.end() - looked, places.end(), [&](const Place& place) { return place.group == from; });
      if (found == places.end()) {
        classes_[kept++] = c;
        continue;
      }
      group.push_back(found->row);
      places.erase(found);
    }
    classes_.resize(kept);
  }

  const std::vector<uint32_t>& class_of_;
  const GroupLists& first_;
  std::unordered_map<uint32_t, std::vector<Place>> left_;  // by class
  std::vector<uint32_t> classes_, counts_;
};

// Groups of the first grouping that are in one piece: a forest, each group pointing to another of its piece or itself.
class Pieces {
 public:
  explicit Pieces(size_t groups) : parent_(groups) { std::iota(parent_.begin(), parent_.end(), 0U); }

  uint32_t Find(uint32_t group) {
    while (parent_[group] != group) group = parent_[group] = parent_[parent_[group]];
    return group;
  }
  void Join(uint32_t a, uint32_t b) { parent_[std::max(Find(a), Find(b))] = std::min(Find(a), Find(b)); }

 private:
  std::vector<uint32_t> parent_;
};

bool AreEqual(const SearchRows& rows, uint32_t a, uint32_t b) {
  const auto same = [](const auto& values, size_t count, uint32_t x, uint32_t y) {
    return std::equal(values.data() + x * count, values.data() + (x + 1) * count, values.data() + y * count);
  };
  return same(rows.sensitive, rows.num_sensitive, a, b) && same(rows.labels.places, rows.labels.num_labels, a, b) &&
         same(rows.labels.values, rows.labels.num_labels, a, b);
}

}  // namespace

double Grouping::Loss() const {
  double sum = 0;
  for (const double loss : losses) sum += loss;
  return sum;
}

std::vector<uint32_t> FindClasses(const SearchRows& rows) {
  std::vector<uint32_t> class_of(rows.size());
  std::vector<uint32_t> of_tuple;  // a row of each class of the tuple
  uint32_t classes = 0;
  for (size_t tuple = 0; tuple + 1 < rows.first_of_tuple.size(); ++tuple) {
    of_tuple.clear();
    for (uint32_t row = rows.first_of_tuple[tuple]; row < rows.first_of_tuple[tuple + 1]; ++row) {
      const auto found =
          std::find_if(of_tuple.begin(), of_tuple.end(), [&](uint32_t other) { return AreEqual(rows, row, other); });
      class_of[row] = found == of_tuple.end() ? classes++ : class_of[*found];
      if (found == of_tuple.end()) of_tuple.push_back(row);
    }
  }
  return class_of;
}

Grouping Cross(const std::vector<uint32_t>& class_of, Grouping first, Grouping second) {
  Aligner(class_of, first.groups).Align(second.groups);
  std::unordered_map<uint32_t, uint32_t> group_of;  // of the first, by row
  for (uint32_t g = 0; g < first.groups.size(); ++g) {
    for (const uint32_t row : first.groups[g]) group_of[row] = g;
  }
  Pieces pieces(first.groups.size());
  for (const std::vector<uint32_t>& group : second.groups) {
    for (const uint32_t row : group) pieces.Join(group_of[group[0]], group_of[row]);
  }
  std::vector<double> change(first.groups.size());  // of the second against the first, at the first group of each piece
  for (uint32_t g = 0; g < first.groups.size(); ++g) change[pieces.Find(g)] -= first.losses[g];
  for (size_t g = 0; g < second.groups.size(); ++g) {
    change[pieces.Find(group_of[second.groups[g][0]])] += second.losses[g];
  }
  Grouping made;
  const auto take = [&](Grouping& from, bool seconds) {
    for (size_t g = 0; g < from.groups.size(); ++g) {
      if ((change[pieces.Find(group_of[from.groups[g][0]])] < -kLessBy) != seconds) continue;
      made.groups.push_back(std::move(from.groups[g]));
      made.losses.push_back(from.losses[g]);
    }
  };
  take(first, false);
  take(second, true);
  return made;
}

}  // namespace tada
