#include "privacy/l_diversity.h"

#include <algorithm>
#include <cmath>

namespace tada {
namespace {

// What the three kinds share: each column must reach l on its own.
class LDiversity : public PrivacyModel {
 public:
  explicit LDiversity(uint64_t l) : l_(l) {}
  bool Holds(const Tally& tally) const override {
    return std::all_of(tally.columns.begin(), tally.columns.end(),
                       [&](const ValueCounts& counts) { return ColumnHolds(counts, l_); });
  }
  bool KeptByMerging() const override { return true; }
  uint64_t SmallestGroup() const override { return l_; }
  bool NeedsValues() const override { return l_ > 1; }
  uint64_t Reaches(const Tally& tally) const override {
    uint64_t reached = UINT64_MAX;
    for (const ValueCounts& counts : tally.columns) {
      uint64_t l = counts.Distinct();  // no kind of l-diversity exceeds the number of values
      while (l > 1 && !ColumnHolds(counts, l)) --l;
      reached = std::min(reached, l);
    }
    return reached;
  }
  std::string parameter() const override { return "l"; }

 protected:
  virtual bool ColumnHolds(const ValueCounts& counts, uint64_t l) const = 0;

 private:
  uint64_t l_;
};

class DistinctLDiversity final : public LDiversity {
 public:
  using LDiversity::LDiversity;

 private:
  bool ColumnHolds(const ValueCounts& counts, uint64_t l) const override { return counts.Distinct() >= l; }
};

class EntropyLDiversity final : public LDiversity {
 public:
  using LDiversity::LDiversity;

 private:
  bool ColumnHolds(const ValueCounts& counts, uint64_t l) const override {
    double rows = 0, sum = 0;
    for (const uint32_t count : counts.Descending()) {
      rows += count;
      sum += count * std::log(static_cast<double>(count));
    }
    if (rows == 0) return false;
    // l equally frequent values have entropy ln l exactly, which doubles reach only nearly: hence the last term.
    return std::log(rows) - sum / rows >= std::log(static_cast<double>(l)) - 1e-12;
  }
};

class RecursiveLDiversity final : public LDiversity {
 public:
  RecursiveLDiversity(uint64_t l, double c) : LDiversity(l), c_(c) {}

 private:
  bool ColumnHolds(const ValueCounts& counts, uint64_t l) const override {
    const std::vector<uint32_t> descending = counts.Descending();
    if (descending.size() < l) return false;
    if (l <= 1 && descending.size() == 1) return true;  // l = 1 asks nothing
    uint64_t tail = 0;
    for (size_t i = l - 1; i < descending.size(); ++i) tail += descending[i];
    return l <= 1 || static_cast<double>(descending[0]) < c_ * static_cast<double>(tail);
  }

  double c_;
};

}  // namespace

std::unique_ptr<PrivacyModel> MakeLDiversity(const Requirement& requirement) {
  const auto l = static_cast<uint64_t>(requirement.l);
  switch (requirement.diversity) {
    case Diversity::kDistinct:
      return std::make_unique<DistinctLDiversity>(l);
    case Diversity::kEntropy:
      return std::make_unique<EntropyLDiversity>(l);
    case Diversity::kRecursive:
      return std::make_unique<RecursiveLDiversity>(l, requirement.c);
  }
  return nullptr;
}

}  // namespace tada
