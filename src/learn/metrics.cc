#include "learn/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

namespace tada {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// By label: rows that have it, are predicted to, and both.
struct LabelCounts {
  std::vector<double> truth, predicted, both;
};

LabelCounts CountLabels(std::span<const uint32_t> truth, std::span<const uint32_t> predicted, uint32_t num_labels) {
  LabelCounts counts{std::vector<double>(num_labels), std::vector<double>(num_labels), std::vector<double>(num_labels)};
  for (size_t i = 0; i < truth.size(); ++i) {
    ++counts.truth[truth[i]];
    ++counts.predicted[predicted[i]];
    if (truth[i] == predicted[i]) ++counts.both[truth[i]];
  }
  return counts;
}

// The chance that one of the rows of `label` has a higher probability of it than one of the others. Scores that are no numbers have
// no order, and so no such chance.
double AucOf(uint32_t label, std::span<const uint32_t> truth, std::span<const double> probabilities,
             uint32_t num_labels) {
  std::vector<std::pair<double, bool>> scored;
  for (size_t i = 0; i < truth.size(); ++i) {
    const double score = probabilities[i * num_labels + label];
    if (std::isnan(score)) return kNaN;
    scored.emplace_back(score, truth[i] == label);
  }
  std::sort(scored.begin(), scored.end());
  double above = 0, others = 0, members = 0;
  for (size_t begin = 0; begin < scored.size();) {
    size_t end = begin;
    double here = 0, here_others = 0;
    for (; end < scored.size() && scored[end].first == scored[begin].first; ++end) {
      (scored[end].second ? here : here_others) += 1;
    }
    above += here * (others + here_others / 2);
    others += here_others;
    members += here;
    begin = end;
  }
  return members > 0 && others > 0 ? above / (members * others) : kNaN;
}

// How often each pair of clusters meets, and the sizes.
struct Contingency {
  std::map<std::pair<uint32_t, uint32_t>, double> pairs;
  std::map<uint32_t, double> a, b;
  double rows = 0;
};

Contingency Cross(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  Contingency table;
  for (size_t i = 0; i < a.size(); ++i) {
    ++table.pairs[{a[i], b[i]}];
    ++table.a[a[i]];
    ++table.b[b[i]];
  }
  table.rows = static_cast<double>(a.size());
  return table;
}

double SquaredError(std::span<const double> truth, std::span<const double> predicted) {
  double sum = 0;
  for (size_t i = 0; i < truth.size(); ++i) sum += (truth[i] - predicted[i]) * (truth[i] - predicted[i]);
  return sum;
}

}  // namespace

double Accuracy(std::span<const uint32_t> truth, std::span<const uint32_t> predicted) {
  double right = 0;
  for (size_t i = 0; i < truth.size(); ++i) right += truth[i] == predicted[i] ? 1 : 0;
  return truth.empty() ? kNaN : right / static_cast<double>(truth.size());
}

double F1Macro(std::span<const uint32_t> truth, std::span<const uint32_t> predicted, uint32_t num_labels) {
  const LabelCounts counts = CountLabels(truth, predicted, num_labels);
  double sum = 0, present = 0;
  for (uint32_t label = 0; label < num_labels; ++label) {
    const double either = counts.truth[label] + counts.predicted[label];
    if (either == 0) continue;
    sum += 2 * counts.both[label] / either;
    present += 1;
  }
  return present > 0 ? sum / present : kNaN;
}

double BalancedAccuracy(std::span<const uint32_t> truth, std::span<const uint32_t> predicted, uint32_t num_labels) {
  const LabelCounts counts = CountLabels(truth, predicted, num_labels);
  double sum = 0, present = 0;
  for (uint32_t label = 0; label < num_labels; ++label) {
    if (counts.truth[label] == 0) continue;
    sum += counts.both[label] / counts.truth[label];
    present += 1;
  }
  return present > 0 ? sum / present : kNaN;
}

double LogLoss(std::span<const uint32_t> truth, std::span<const double> probabilities, uint32_t num_labels) {
  constexpr double kLeast = std::numeric_limits<double>::epsilon();
  double sum = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    sum -= std::log(std::clamp(probabilities[i * num_labels + truth[i]], kLeast, 1 - kLeast));
  }
  return truth.empty() ? kNaN : sum / static_cast<double>(truth.size());
}

double Auc(std::span<const uint32_t> truth, std::span<const double> probabilities, uint32_t num_labels) {
  if (num_labels == 2) return AucOf(1, truth, probabilities, 2);
  double sum = 0, judged = 0;
  for (uint32_t label = 0; label < num_labels; ++label) {
    const double one = AucOf(label, truth, probabilities, num_labels);
    if (std::isnan(one)) continue;
    sum += one;
    judged += 1;
  }
  return judged > 0 ? sum / judged : kNaN;
}

double R2(std::span<const double> truth, std::span<const double> predicted) {
  if (truth.empty()) return kNaN;
  const double mean = std::accumulate(truth.begin(), truth.end(), 0.0) / static_cast<double>(truth.size());
  double deviation = 0;
  for (const double value : truth) deviation += (value - mean) * (value - mean);
  const double error = SquaredError(truth, predicted);
  if (deviation == 0) return error == 0 ? 1 : 0;
  return 1 - error / deviation;
}

double Rmse(std::span<const double> truth, std::span<const double> predicted) {
  return truth.empty() ? kNaN : std::sqrt(SquaredError(truth, predicted) / static_cast<double>(truth.size()));
}

double AdjustedRand(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  const Contingency table = Cross(a, b);
  const auto pairs = [](double n) { return n * (n - 1) / 2; };
  double together = 0, in_a = 0, in_b = 0;
  for (const auto& [clusters, count] : table.pairs) together += pairs(count);
  for (const auto& [cluster, count] : table.a) in_a += pairs(count);
  for (const auto& [cluster, count] : table.b) in_b += pairs(count);
  const double all = pairs(table.rows);
  const double expected = all > 0 ? in_a * in_b / all : 0, most = (in_a + in_b) / 2;
  return most == expected ? 1 : (together - expected) / (most - expected);
}

double NormalizedMutualInformation(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  const Contingency table = Cross(a, b);
  const auto entropy = [&](const std::map<uint32_t, double>& sizes) {
    double sum = 0;
    for (const auto& [cluster, count] : sizes) sum -= count / table.rows * std::log(count / table.rows);
    return sum;
  };
  double mutual = 0;
  for (const auto& [clusters, count] : table.pairs) {
    mutual +=
        count / table.rows * std::log(count * table.rows / (table.a.at(clusters.first) * table.b.at(clusters.second)));
  }
  const double mean = (entropy(table.a) + entropy(table.b)) / 2;
  return mean <= 0 ? 1 : std::max(0.0, mutual / mean);
}

}  // namespace tada
