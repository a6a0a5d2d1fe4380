#include "decode/model_scorer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"

namespace tada {
namespace {

constexpr double kLeast = 1e-9;  // likelihood of any candidate, so that one can always be picked
constexpr double kOfClasses[] = {1.25, 1.0, 0.85, 0.7, 0.55, 0.4, 0.25, 0.1};
constexpr double kOfNumbers[] = {20, 14, 10, 7, 5, 3.5, 2.5, 2, 1.6, 1.3, 1.1, 1, 0.9};

}  // namespace

double UnitOf(uint64_t seed, uint64_t step, uint64_t row) {
  return static_cast<double>(MixSeed(MixSeed(seed, step), row) >> 11) * 0x1p-53;
}

std::span<const double> ModelScorer::Sharpnesses(bool numbers) {
  return numbers ? std::span<const double>(kOfNumbers) : std::span<const double>(kOfClasses);
}

void ModelScorer::Draw(size_t row, const ModelDraw& draw) {
  const size_t width = inputs_.drawn().size();
  row_ = row;
  candidates_ = draw.candidates;
  texts_.resize(candidates_ * width);
  for (size_t i = 0; i < width; ++i) {
    const size_t place = inputs_.drawn()[i];
    const auto& [column, decoder] = inputs_.column(place);
    const Code cell = column->codes()[row];
    const uint64_t seed = MixSeed(inputs_.seed(place), draw.step);
    for (uint32_t c = 0; c < candidates_; ++c) texts_[c * width + i] = decoder->Draw(cell, UnitOf(seed, c, row));
  }
}

void ModelScorer::Ask(const SmallNetwork& network) {
  const size_t width = inputs_.drawn().size();
  outputs_ = network.outputs();
  out_.resize(candidates_ * outputs_);
  terms_.clear();
  inputs_.OfKept(row_, terms_);
  const SmallNetwork::FirstLayer kept = network.Begin(terms_);
  terms_.resize(width);
  for (uint32_t c = 0; c < candidates_; ++c) {
    SmallNetwork::FirstLayer layer = kept;
    for (size_t i = 0; i < width; ++i) terms_[i] = inputs_.OfText(inputs_.drawn()[i], texts_[c * width + i]);
    network.Add(terms_, layer);
    network.Finish(layer, std::span(out_).subspan(c * outputs_, outputs_));
  }
}

double ModelScorer::Likelihood(uint32_t candidate, double sharpness) const {
  const float* out = &out_[candidate * outputs_];
  const float wanted = labels_.of_row[row_];
  const auto sharp = static_cast<float>(sharpness);
  if (labels_.classes == 0) {
    const double off = (out[0] - wanted) * sharpness;
    return kLeast + sharpness * std::exp(-off * off / 2) / std::sqrt(2 * std::numbers::pi);
  }
  const float own = out[static_cast<size_t>(wanted)];
  float sum = 0;
  for (size_t o = 0; o < outputs_; ++o) sum += std::exp(std::min((out[o] - own) * sharp, 60.0f));
  return kLeast + 1.0 / sum;
}

double ModelScorer::MeanLikelihood(double sharpness) const {
  double sum = 0;
  for (uint32_t c = 0; c < candidates_; ++c) sum += Likelihood(c, sharpness);
  return sum / candidates_;
}

uint32_t ModelScorer::Pick(double sharpness, double unit) const {
  double total = 0;
  std::vector<double> sums(candidates_);
  for (uint32_t c = 0; c < candidates_; ++c) sums[c] = total += Likelihood(c, sharpness);
  const auto found = std::upper_bound(sums.begin(), sums.end() - 1, unit * total);
  return static_cast<uint32_t>(found - sums.begin());
}

}  // namespace tada
