#include "learn/linear_svm.h"

#include <linear.h>

#include <memory>

#include "base/status.h"

namespace tada {
namespace {

void Silent(const char*) {}

struct FreeModel {
  void operator()(model* trained) const { free_and_destroy_model(&trained); }
};

}  // namespace

double CrossValidateLinearSvm(const TreeSamples& samples, std::span<const uint32_t> weights, uint32_t num_folds,
                              double cost) {
  set_print_string_function(&Silent);
  // The features of a sample: one per column, then the bias; closed by -1.
  std::vector<int> first(samples.columns.size() + 1, 1);
  for (size_t c = 0; c < samples.columns.size(); ++c)
    first[c + 1] = first[c] + static_cast<int>(samples.columns[c].num_codes);
  const size_t width = samples.columns.size() + 2;
  std::vector<feature_node> features(samples.size() * width);
  for (size_t i = 0; i < samples.size(); ++i) {
    feature_node* of_sample = &features[i * width];
    for (size_t c = 0; c < samples.columns.size(); ++c)
      of_sample[c] = {first[c] + static_cast<int>(samples.columns[c].codes[i]), 1.0};
    of_sample[width - 2] = {first.back(), 1.0};
    of_sample[width - 1] = {-1, 0.0};
  }
  double rows = 0, right = 0;
  for (uint32_t fold = 0; fold < num_folds; ++fold) {
    std::vector<feature_node*> x;
    std::vector<double> y;
    for (size_t i = 0; i < samples.size(); ++i) {
      for (uint32_t other = 0; other < num_folds; ++other) {
        if (other == fold) continue;
        x.insert(x.end(), weights[i * num_folds + other], &features[i * width]);
        y.insert(y.end(), weights[i * num_folds + other], static_cast<double>(samples.labels[i]));
      }
    }
    problem training{static_cast<int>(y.size()), first.back(), y.data(), x.data(), 1.0};
    parameter options{};
    options.solver_type = L2R_L2LOSS_SVC;
    options.C = cost;
    options.eps = 0.01;
    options.p = 0.1;
    TADA_ASSERT(check_parameter(&training, &options) == nullptr);
    const std::unique_ptr<model, FreeModel> trained(train(&training, &options));
    for (size_t i = 0; i < samples.size(); ++i) {
      const uint32_t held_out = weights[i * num_folds + fold];
      if (held_out == 0) continue;
      rows += held_out;
      if (static_cast<uint32_t>(predict(trained.get(), &features[i * width])) == samples.labels[i]) right += held_out;
    }
  }
  return rows > 0 ? right / rows : 0;
}

}  // namespace tada
