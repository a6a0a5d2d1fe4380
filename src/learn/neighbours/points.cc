#include "learn/neighbours/points.h"

namespace tada {

Lanes::Lanes(const Points& points)
    : count_(points.count), features_(points.features), values_(num_blocks() * features_ * kWidth, 0.0F) {
  for (size_t i = 0; i < count_; ++i) {
    float* block = values_.data() + i / kWidth * features_ * kWidth + i % kWidth;
    for (size_t f = 0; f < features_; ++f) block[f * kWidth] = points.values[i * features_ + f];
  }
}

}  // namespace tada
