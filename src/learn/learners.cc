#include "learn/learners.h"

#include <libsvm/svm.h>
#include <linear.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/option_mark.h"
#include "learn/cell_bayes.h"
#include "learn/features/sparse_features.h"
#include "learn/trees/cell_tree.h"

namespace tada {
namespace {

constexpr std::pair<std::string_view, Learner> kLearners[] = {
    {"tree", Learner::kTree}, {"bayes", Learner::kBayes},      {"logistic", Learner::kLogistic},
    {"svm", Learner::kSvm},   {"svm_rbf", Learner::kSvmRbf},   {"ridge", Learner::kRidge},
    {"mlp", Learner::kMlp},   {"boosting", Learner::kBoosting}};

// LIBLINEAR and LIBSVM print how far they are, every few steps, through a function that can be set: it prints nothing, but a request to
// stop is heard there, and the exception leaves through them (C++ both; some lists of the size of the rows aren't freed then).
thread_local const Workers* hearing = nullptr;

void Hear(const char*) {
  if (hearing != nullptr) hearing->Poll();
}

class Hearing {
 public:
  explicit Hearing(const Workers& workers) { hearing = &workers; }
  ~Hearing() { hearing = nullptr; }
  Hearing(const Hearing&) = delete;
  Hearing& operator=(const Hearing&) = delete;
};

uint32_t Best(const double* probabilities, uint32_t count) {
  return static_cast<uint32_t>(std::max_element(probabilities, probabilities + count) - probabilities);
}

// What a tree expects of each row, its targets being numbers.
Predictions PredictNumbers(const CellTree& tree, const CellTable& test, const Workers& workers) {
  Predictions predictions;
  for (size_t row = 0; row < test.num_rows; ++row) {
    workers.Poll();
    std::vector<double> number(1, 0.0);
    tree.Predict(test, row, number);
    predictions.numbers.push_back(number[0]);
  }
  return predictions;
}

template <class Model>
Predictions PredictCells(const Model& model, const CellTable& test, const Workers& workers) {
  Predictions predictions;
  std::vector<double> shares(test.num_labels);
  for (size_t row = 0; row < test.num_rows; ++row) {
    workers.Poll();
    std::fill(shares.begin(), shares.end(), 0.0);
    model.Predict(test, row, shares);
    predictions.labels.push_back(Best(shares.data(), test.num_labels));
    predictions.probabilities.insert(predictions.probabilities.end(), shares.begin(), shares.end());
  }
  return predictions;
}

// Rows as LIBLINEAR and LIBSVM want them: nodes with indices from 1 on, each row closed by -1.
template <class Node>
struct NodeRows {
  std::vector<Node> nodes;
  std::vector<Node*> rows;

  NodeRows(const SparseRows& sparse, bool bias) {
    const size_t count = sparse.begin.size() - 1;
    nodes.reserve(sparse.entries.size() + count * (bias ? 2 : 1));
    std::vector<size_t> begins;
    for (size_t row = 0; row < count; ++row) {
      begins.push_back(nodes.size());
      for (size_t at = sparse.begin[row]; at < sparse.begin[row + 1]; ++at) {
        nodes.push_back({static_cast<int>(sparse.entries[at].feature) + 1, sparse.entries[at].value});
      }
      if (bias) nodes.push_back({static_cast<int>(sparse.num_features) + 1, 1.0});
      nodes.push_back({-1, 0.0});
    }
    for (const size_t begin : begins) rows.push_back(&nodes[begin]);
  }
};

struct FreeLinear {
  void operator()(model* trained) const { free_and_destroy_model(&trained); }
};
struct FreeSvm {
  void operator()(svm_model* trained) const { svm_free_and_destroy_model(&trained); }
};

Predictions PredictLinear(bool logistic, const SparseRows& train_rows, const CellTable& train,
                          const SparseRows& test_rows, const CellTable& test) {
  set_print_string_function(&Hear);
  NodeRows<feature_node> x(train_rows, true), asked(test_rows, true);
  std::vector<double> y(train.labels.begin(), train.labels.end());
  problem training{static_cast<int>(y.size()), static_cast<int>(train_rows.num_features) + 1, y.data(), x.rows.data(),
                   1.0};
  parameter options{};
  options.solver_type = logistic ? L2R_LR : L2R_L2LOSS_SVC;
  options.C = 1.0;
  options.eps = 0.01;
  options.p = 0.1;
  TADA_ASSERT(check_parameter(&training, &options) == nullptr);
  const std::unique_ptr<model, FreeLinear> trained(::train(&training, &options));
  Predictions predictions;
  const int classes = get_nr_class(trained.get());
  std::vector<int> label_of(static_cast<size_t>(classes));
  get_labels(trained.get(), label_of.data());
  std::vector<double> values(static_cast<size_t>(classes));
  for (size_t row = 0; row < test.num_rows; ++row) {
    if (!logistic) {
      predictions.labels.push_back(static_cast<uint32_t>(predict(trained.get(), asked.rows[row])));
      continue;
    }
    predictions.labels.push_back(
        static_cast<uint32_t>(predict_probability(trained.get(), asked.rows[row], values.data())));
    std::vector<double> shares(test.num_labels, 0.0);  // a label that no training row has is never predicted
    for (size_t i = 0; i < values.size(); ++i) shares[static_cast<size_t>(label_of[i])] = values[i];
    if (std::isnan(
            values[0])) {  // of rows so far out that all labels are impossible; the nearest is as good as certain
      std::fill(shares.begin(), shares.end(), 0.0);
      shares[predictions.labels.back()] = 1;
    }
    predictions.probabilities.insert(predictions.probabilities.end(), shares.begin(), shares.end());
  }
  return predictions;
}

Predictions PredictRbf(const SparseRows& train_rows, const CellTable& train, const SparseRows& test_rows,
                       const CellTable& test) {
  svm_set_print_string_function(&Hear);
  NodeRows<svm_node> x(train_rows, false), asked(test_rows, false);
  std::vector<double> y(train.labels.begin(), train.labels.end());
  svm_problem training{};
  training.l = static_cast<int>(y.size());
  training.y = y.data();
  training.x = x.rows.data();
  svm_parameter options{};
  options.svm_type = C_SVC;
  options.kernel_type = RBF;
  options.gamma = 1.0 / std::max(1u, train_rows.num_features);
  options.C = 1.0;
  options.eps = 0.01;
  options.cache_size = 100;
  options.shrinking = 1;
  TADA_ASSERT(svm_check_parameter(&training, &options) == nullptr);
  const std::unique_ptr<svm_model, FreeSvm> trained(svm_train(&training, &options));
  Predictions predictions;
  for (size_t row = 0; row < test.num_rows; ++row) {
    predictions.labels.push_back(static_cast<uint32_t>(svm_predict(trained.get(), asked.rows[row])));
  }
  return predictions;
}

// Solves (X'X + I) w = X'(y - mean) by Cholesky's decomposition; features are few.
Predictions PredictRidge(const SparseRows& x, const CellTable& train, const SparseRows& asked, const CellTable& test,
                         const Workers& workers) {
  const size_t n = x.num_features;
  double mean = 0;
  for (const double target : train.targets) mean += target / static_cast<double>(train.num_rows);
  std::vector<double> a(n * n, 0.0), w(n, 0.0);
  for (size_t i = 0; i < n; ++i) a[i * n + i] = 1;
  for (size_t row = 0; row < train.num_rows; ++row) {
    workers.Poll();
    for (size_t p = x.begin[row]; p < x.begin[row + 1]; ++p) {
      w[x.entries[p].feature] += x.entries[p].value * (train.targets[row] - mean);
      for (size_t q = x.begin[row]; q <= p; ++q) {
        a[x.entries[p].feature * n + x.entries[q].feature] += x.entries[p].value * x.entries[q].value;
      }
    }
  }
  for (size_t i = 0; i < n; ++i) {  // a becomes its lower factor
    workers.Poll();
    for (size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / a[j * n + j];
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k) w[i] -= a[i * n + k] * w[k];
    w[i] /= a[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) w[i] -= a[k * n + i] * w[k];
    w[i] /= a[i * n + i];
  }
  Predictions predictions;
  for (size_t row = 0; row < test.num_rows; ++row) {
    double sum = mean;
    for (size_t p = asked.begin[row]; p < asked.begin[row + 1]; ++p)
      sum += asked.entries[p].value * w[asked.entries[p].feature];
    predictions.numbers.push_back(sum);
  }
  return predictions;
}

}  // namespace

bool PredictsLabels(Learner learner) { return learner != Learner::kRidge; }
bool PredictsNumbers(Learner learner) {
  return learner == Learner::kRidge || learner == Learner::kTree || IsOutside(learner);
}
bool IsOutside(Learner learner) { return learner == Learner::kMlp || learner == Learner::kBoosting; }

std::string_view LearnerName(Learner learner) {
  for (const auto& [name, known] : kLearners) {
    if (known == learner) return name;
  }
  return "";
}

Result<Learner> FindLearner(std::string_view name) {
  for (const auto& [known, learner] : kLearners) {
    if (known == name) return learner;
  }
  return InvalidArgument(TADA_OPTION("learners") " names a model that does not exist: {}", name)
      .WithHint(
          "There are: tree, bayes, logistic, svm, svm_rbf; for a numeric label: tree, ridge; in Python also mlp, "
          "boosting.");
}

Result<Predictions> LearnOutside(const OutsideLearner& outside, Learner learner, Encoding encoding,
                                 const CellTable& train, const CellTable& test, uint64_t seed) {
  const FeatureMaker maker(train, encoding != Encoding::kMultiHot);
  return outside(learner, maker.Make(train), train, maker.Make(test), test, seed);
}

Predictions LearnAndPredict(Learner learner, Encoding encoding, const CellTable& train, const CellTable& test,
                            const Workers& workers) {
  if (learner == Learner::kTree || learner == Learner::kBayes) {
    const bool hot = encoding == Encoding::kMultiHot;
    const CellTable learned = hot ? MultiHotCells(train) : train;
    const CellTable asked = hot ? MultiHotCells(test) : test;
    const CellTreeOptions grown{.workers = &workers};
    if (!train.targets.empty()) return PredictNumbers(CellTree(learned, grown), asked, workers);
    if (learner == Learner::kTree) return PredictCells(CellTree(learned, grown), asked, workers);
    return PredictCells(CellBayes(learned), asked, workers);
  }
  const FeatureMaker maker(train, encoding != Encoding::kMultiHot);
  const SparseRows x = maker.Make(train), asked = maker.Make(test);
  if (learner == Learner::kRidge) return PredictRidge(x, train, asked, test, workers);
  const Hearing hear(workers);
  if (learner == Learner::kSvmRbf) return PredictRbf(x, train, asked, test);
  return PredictLinear(learner == Learner::kLogistic, x, train, asked, test);
}

}  // namespace tada
