#pragma once

// Rows as points in space, for clusterings.
//   point     a row, as one number per feature.     feature   an axis: a standardized column, or one value of a column.
//   lanes     points stored sixteen at a time, feature by feature, so that one instruction works on several of them.
// Distances are squared and single precision, summed over the features in order. Every loop that computes one uses this order
// and no fused operations, so the same two points have the same distance wherever it is computed, with any instruction set.

#include <cstddef>
#include <span>
#include <vector>

namespace tada {

struct Points {
  size_t count = 0, features = 0;
  std::vector<float> values;  ///< point by point

  Points() = default;
  Points(size_t count_given, size_t features_given)
      : count(count_given), features(features_given), values(count_given * features_given, 0.0F) {}
  std::span<const float> point(size_t i) const { return std::span(values).subspan(i * features, features); }
  std::span<float> point(size_t i) { return std::span(values).subspan(i * features, features); }
};

inline float SquaredDistance(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (size_t f = 0; f < a.size(); ++f) {
    const float difference = a[f] - b[f];
    sum += difference * difference;
  }
  return sum;
}

/// Points in lanes. The lanes beyond the last point hold zeros; who reads them must count.
class Lanes {
 public:
  static constexpr size_t kWidth = 16;

  explicit Lanes(const Points& points);

  size_t count() const { return count_; }
  size_t features() const { return features_; }
  size_t num_blocks() const { return (count_ + kWidth - 1) / kWidth; }
  /// The points b * kWidth and up: kWidth numbers of the first feature, then of the second ...
  const float* block(size_t b) const { return values_.data() + b * features_ * kWidth; }
  /// The points again, one by one.
  Points AsPoints() const;

 private:
  size_t count_, features_;
  std::vector<float> values_;
};

}  // namespace tada
