#include "learn/network/small_network.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.h"
#include "base/status.h"

namespace tada {
namespace {

constexpr float kRate = 1e-3f, kKeepMean = 0.9f, kKeepSquare = 0.999f, kTiny = 1e-8f;

// Loops of a fixed length over whole vectors, which the compiler unrolls.
template <size_t N>
void AddScaled(const float* from, float factor, float* to) {
  for (size_t i = 0; i < N; ++i) to[i] += factor * from[i];
}

template <size_t N>
float Dot(const float* a, const float* b) {
  float sums[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < N; i += 4) {
    for (size_t lane = 0; lane < 4; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

// Rectified units feed the next layer; those that are off cost nothing.
template <size_t From, size_t To>
void Feed(const float* units, const float* weights, const float* bias, float* out) {
  std::copy_n(bias, To, out);
  for (size_t i = 0; i < From; ++i) {
    if (units[i] > 0) AddScaled<To>(weights + i * To, units[i], out);
  }
}

// The gradient of the weights between two layers, and what of the error reaches the units before.
template <size_t From, size_t To>
void FeedBack(const float* units, const float* error, const float* weights, float* gradient, float* bias_gradient,
              float* error_before) {
  AddScaled<To>(error, 1.0f, bias_gradient);
  for (size_t i = 0; i < From; ++i) {
    error_before[i] = 0;
    if (units[i] <= 0) continue;
    AddScaled<To>(error, units[i], gradient + i * To);
    error_before[i] = Dot<To>(error, weights + i * To);
  }
}

void Softmax(std::span<float> values) {
  const float most = *std::max_element(values.begin(), values.end());
  float sum = 0;
  for (float& value : values) sum += value = std::exp(value - most);
  for (float& value : values) value /= sum;
}

}  // namespace

// The units of a row; those below 0 are off.
struct SmallNetwork::Pass {
  FirstLayer first;
  std::array<float, kSecond> second;
  std::array<float, kThird> third;
};

SmallNetwork::SmallNetwork(size_t inputs, size_t classes, uint64_t seed)
    : inputs_(inputs), outputs_(std::max<size_t>(classes, 1)), numbers_(classes == 0) {
  size_t end = 0;
  const auto place = [&](size_t size) { return std::exchange(end, end + size); };
  place(inputs_ * kFirst);
  bias1_ = place(kFirst);
  second_ = place(kFirst * kSecond);
  bias2_ = place(kSecond);
  third_ = place(kSecond * kThird);
  bias3_ = place(kThird);
  last_ = place(kThird * outputs_);
  bias4_ = place(outputs_);
  weights_.resize(end);
  gradient_.resize(end);
  mean_.resize(end);
  square_.resize(end);
  Random random(seed);
  const auto fill = [&](size_t begin, size_t stop, size_t from, size_t to, double gain) {  // Glorot, Bengio 2010
    const double bound = std::sqrt(gain / static_cast<double>(from + to));
    for (size_t i = begin; i < stop; ++i) weights_[i] = static_cast<float>((2 * random.Unit() - 1) * bound);
  };
  fill(0, second_, inputs_, kFirst, 6);
  fill(second_, third_, kFirst, kSecond, 6);
  fill(third_, last_, kSecond, kThird, 6);
  fill(last_, end, kThird, outputs_, numbers_ ? 6 : 2);
}

SmallNetwork::FirstLayer SmallNetwork::Begin(std::span<const NetworkTerm> terms) const {
  FirstLayer layer;
  std::copy_n(&weights_[bias1_], kFirst, layer.data());
  Add(terms, layer);
  return layer;
}

void SmallNetwork::Add(std::span<const NetworkTerm> terms, FirstLayer& layer) const {
  for (const NetworkTerm& term : terms) AddScaled<kFirst>(&weights_[term.row * kFirst], term.factor, layer.data());
}

void SmallNetwork::Finish(const FirstLayer& layer, std::span<float> out) const {
  Pass pass{layer, {}, {}};
  Forward(pass, out);
}

void SmallNetwork::Forward(Pass& pass, std::span<float> out) const {
  Feed<kFirst, kSecond>(pass.first.data(), &weights_[second_], &weights_[bias2_], pass.second.data());
  Feed<kSecond, kThird>(pass.second.data(), &weights_[third_], &weights_[bias3_], pass.third.data());
  std::copy_n(&weights_[bias4_], outputs_, out.data());
  for (size_t i = 0; i < kThird; ++i) {
    if (pass.third[i] <= 0) continue;
    for (size_t o = 0; o < outputs_; ++o) out[o] += pass.third[i] * weights_[last_ + i * outputs_ + o];
  }
}

void SmallNetwork::Backward(std::span<const NetworkTerm> terms, const Pass& pass, std::span<const float> error) {
  std::array<float, kThird> third{};
  for (size_t o = 0; o < outputs_; ++o) gradient_[bias4_ + o] += error[o];
  for (size_t i = 0; i < kThird; ++i) {
    if (pass.third[i] <= 0) continue;
    for (size_t o = 0; o < outputs_; ++o) {
      gradient_[last_ + i * outputs_ + o] += pass.third[i] * error[o];
      third[i] += error[o] * weights_[last_ + i * outputs_ + o];
    }
  }
  std::array<float, kSecond> second;
  FirstLayer first;
  FeedBack<kSecond, kThird>(pass.second.data(), third.data(), &weights_[third_], &gradient_[third_], &gradient_[bias3_],
                            second.data());
  FeedBack<kFirst, kSecond>(pass.first.data(), second.data(), &weights_[second_], &gradient_[second_],
                            &gradient_[bias2_], first.data());
  AddScaled<kFirst>(first.data(), 1.0f, &gradient_[bias1_]);
  for (const NetworkTerm& term : terms) {
    AddScaled<kFirst>(first.data(), term.factor, &gradient_[term.row * kFirst]);
  }
}

void SmallNetwork::Step(std::span<const NetworkTerm> terms, size_t terms_of_row, std::span<const float> wanted) {
  TADA_ASSERT(terms.size() == terms_of_row * wanted.size());
  if (wanted.empty()) return;
  std::fill(gradient_.begin(), gradient_.end(), 0.0f);
  const float share = 1.0f / static_cast<float>(wanted.size());
  Pass pass;
  std::vector<float> out(outputs_);
  for (size_t row = 0; row < wanted.size(); ++row) {
    const auto own = terms.subspan(row * terms_of_row, terms_of_row);
    pass.first = Begin(own);
    Forward(pass, out);
    if (numbers_) {
      out[0] -= wanted[row];
    } else {
      Softmax(out);
      out[static_cast<size_t>(wanted[row])] -= 1.0f;
    }
    for (float& error : out) error *= share;
    Backward(own, pass, out);
  }
  Adam();
}

void SmallNetwork::Adam() {
  decay_of_mean_ *= kKeepMean;
  decay_of_square_ *= kKeepSquare;
  const auto rate = static_cast<float>(kRate * std::sqrt(1 - decay_of_square_) / (1 - decay_of_mean_));
  float *weights = weights_.data(), *mean = mean_.data(), *square = square_.data();
  const float* gradient = gradient_.data();
  for (size_t i = 0; i < weights_.size(); ++i) {
    mean[i] = kKeepMean * mean[i] + (1 - kKeepMean) * gradient[i];
    square[i] = kKeepSquare * square[i] + (1 - kKeepSquare) * gradient[i] * gradient[i];
    weights[i] -= rate * mean[i] / (std::sqrt(square[i]) + kTiny);
  }
}

}  // namespace tada
