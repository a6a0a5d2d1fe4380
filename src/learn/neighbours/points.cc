#include "learn/neighbours/points.h"

namespace tada {

Lanes::Lanes(const Points& points)
    : count_(points.count), features_(points.features), values_(num_blocks() * features_ * kWidth, 0.0F) {
  for (size_t i = 0; i < count_; ++i) {
    float* block = values_.data() + i / kWidth * features_ * kWidth + i % kWidth;
    for (size_t f = 0; f < features_; ++f) block[f * kWidth] = points.values[i * features_ + f];
  }
}

Points Lanes::AsPoints() const {
  Points points(count_, features_);
  for (size_t i = 0; i < count_; ++i) {
    const float* lane = block(i / kWidth) + i % kWidth;
    for (size_t f = 0; f < features_; ++f) points.values[i * features_ + f] = lane[f * kWidth];
  }
  return points;
}

}  // namespace tada
