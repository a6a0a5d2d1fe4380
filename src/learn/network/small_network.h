#pragma once

// A small network over coded rows, trained by Adam (Kingma, Ba 2015): three hidden layers of 64, 32 and 16 rectified units.
//   term     what a column adds to the first layer: a row of its weights times a factor. A name has a row of its own and the factor 1;
//            all numbers of a column share a row, and the factor is the standardized number. So a row of a table costs as many additions
//            as it has columns, however many names they have.
//   output   a number per class whose softmax is the probability, or one number, the expected one.
// What it learns depends on the seed and on the order of the calls only; one call works on one thread.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tada {

struct NetworkTerm {
  uint32_t row = 0;
  float factor = 0;
};

class SmallNetwork {
 public:
  static constexpr size_t kFirst = 64, kSecond = 32, kThird = 16;
  using FirstLayer = std::array<float, kFirst>;

  /// `classes`: how many; 0 for numbers.
  SmallNetwork(size_t inputs, size_t classes, uint64_t seed);

  /// One step of Adam on some rows: `terms` has those of each row, one row behind the other. `wanted` are classes or standardized numbers.
  void Step(std::span<const NetworkTerm> terms, size_t terms_of_row, std::span<const float> wanted);

  size_t outputs() const { return outputs_; }
  /// The first layer of a row of which only some terms are known; Add adds others.
  FirstLayer Begin(std::span<const NetworkTerm> terms) const;
  void Add(std::span<const NetworkTerm> terms, FirstLayer& layer) const;
  /// The outputs of a row whose terms are all added.
  void Finish(const FirstLayer& layer, std::span<float> out) const;

 private:
  // Weights, or their gradients, or moments of those: all layers in one piece, biases behind the weights of their layer.
  using Values = std::vector<float>;
  struct Pass;

  void Forward(Pass& pass, std::span<float> out) const;
  void Backward(std::span<const NetworkTerm> terms, const Pass& pass, std::span<const float> error);
  void Adam();

  size_t inputs_, outputs_;
  bool numbers_;
  size_t bias1_, second_, bias2_, third_, bias3_, last_, bias4_;  // where each layer begins
  Values weights_, gradient_, mean_, square_;
  double decay_of_mean_ = 1, decay_of_square_ = 1;
};

}  // namespace tada
