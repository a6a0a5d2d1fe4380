#include "learn/network/small_network.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/random.h"
#include "base/status.h"

namespace tada {
namespace {

constexpr float kRate = 1e-3f, kKeepMean = 0.9f, kKeepSquare = 0.999f, kTiny = 1e-8f;

// Four numbers that one instruction works on; sums of a layer stay in registers.
using Four __attribute__((vector_size(16))) = float;
constexpr size_t kLanes = 4;

Four Load(const float* from) {
  Four four;
  std::memcpy(&four, from, sizeof(four));
  return four;
}

void Store(const Four& four, float* to) { std::memcpy(to, &four, sizeof(four)); }

template <size_t N>
void AddScaled(const float* from, float factor, float* to) {
  for (size_t i = 0; i < N; i += kLanes) Store(Load(to + i) + factor * Load(from + i), to + i);
}

// Which units are on, found without a branch: whether one is cannot be foretold.
template <size_t N>
class UnitsOn {
 public:
  void Find(const float* units) {
    size_t count = 0;
    for (size_t i = 0; i < N; ++i) {
      which_[count] = static_cast<uint8_t>(i);
      count += units[i] > 0 ? 1 : 0;
    }
    count_ = count;
  }

  const uint8_t* begin() const { return which_.data(); }
  const uint8_t* end() const { return which_.data() + count_; }

 private:
  std::array<uint8_t, N> which_;
  size_t count_ = 0;
};

template <size_t N>
struct Layer {
  alignas(16) std::array<float, N> units;  // those below 0 are off
  UnitsOn<N> on;
};

// Rectified units feed the next layer; those that are off cost nothing.
template <size_t From, size_t To>
void Feed(Layer<From>& layer, const float* weights, const float* bias, float* out) {
  layer.on.Find(layer.units.data());
  Four sums[To / kLanes];
  for (size_t j = 0; j < To / kLanes; ++j) sums[j] = Load(bias + j * kLanes);
  for (const size_t i : layer.on) {
    for (size_t j = 0; j < To / kLanes; ++j) sums[j] += layer.units[i] * Load(weights + i * To + j * kLanes);
  }
  for (size_t j = 0; j < To / kLanes; ++j) Store(sums[j], out + j * kLanes);
}

// The gradient of the weights between two layers, and what of the error reaches the units before.
template <size_t From, size_t To>
void FeedBack(const Layer<From>& layer, const float* error, const float* weights, float* gradient, float* bias_gradient,
              float* error_before) {
  AddScaled<To>(error, 1.0f, bias_gradient);
  for (size_t i = 0; i < From; i += kLanes) Store(Four{}, error_before + i);
  Four errors[To / kLanes];
  for (size_t j = 0; j < To / kLanes; ++j) errors[j] = Load(error + j * kLanes);
  for (const size_t i : layer.on) {
    Four sums = {};
    for (size_t j = 0; j < To / kLanes; ++j) {
      const size_t at = i * To + j * kLanes;
      Store(Load(gradient + at) + layer.units[i] * errors[j], gradient + at);
      sums += errors[j] * Load(weights + at);
    }
    error_before[i] = (sums[0] + sums[2]) + (sums[1] + sums[3]);
  }
}

void Softmax(std::span<float> values) {
  const float most = *std::max_element(values.begin(), values.end());
  float sum = 0;
  for (float& value : values) sum += value = std::exp(value - most);
  for (float& value : values) value /= sum;
}

}  // namespace

// The units of a row.
struct SmallNetwork::Pass {
  Layer<kFirst> first;
  Layer<kSecond> second;
  Layer<kThird> third;
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
  Pass pass;
  pass.first.units = layer;
  Forward(pass, out);
}

void SmallNetwork::Forward(Pass& pass, std::span<float> out) const {
  Feed<kFirst, kSecond>(pass.first, &weights_[second_], &weights_[bias2_], pass.second.units.data());
  Feed<kSecond, kThird>(pass.second, &weights_[third_], &weights_[bias3_], pass.third.units.data());
  pass.third.on.Find(pass.third.units.data());
  std::copy_n(&weights_[bias4_], outputs_, out.data());
  for (const size_t i : pass.third.on) {
    for (size_t o = 0; o < outputs_; ++o) out[o] += pass.third.units[i] * weights_[last_ + i * outputs_ + o];
  }
}

void SmallNetwork::Backward(std::span<const NetworkTerm> terms, const Pass& pass, std::span<const float> error) {
  std::array<float, kThird> third{};
  for (size_t o = 0; o < outputs_; ++o) gradient_[bias4_ + o] += error[o];
  for (const size_t i : pass.third.on) {
    for (size_t o = 0; o < outputs_; ++o) {
      gradient_[last_ + i * outputs_ + o] += pass.third.units[i] * error[o];
      third[i] += error[o] * weights_[last_ + i * outputs_ + o];
    }
  }
  std::array<float, kSecond> second;
  FirstLayer first;
  FeedBack<kSecond, kThird>(pass.second, third.data(), &weights_[third_], &gradient_[third_], &gradient_[bias3_],
                            second.data());
  FeedBack<kFirst, kSecond>(pass.first, second.data(), &weights_[second_], &gradient_[second_], &gradient_[bias2_],
                            first.data());
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
    pass.first.units = Begin(own);
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
