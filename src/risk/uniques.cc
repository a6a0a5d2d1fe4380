#include "risk/uniques.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tada {
namespace {

constexpr double kDankarSampling = 0.1;

double LogChoose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

// The chance that exactly one of i people of the population is among n drawn without putting back.
double OneDrawn(double i, double n, double population) {
  if (population - i < n - 1) return 0;
  return std::exp(std::log(i) + LogChoose(population - i, n - 1) - LogChoose(population, n));
}

// Where a function with one maximum between two ends has it.
double Maximum(double low, double high, const std::function<double(double)>& f) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a = f(a), at_b = f(b);
  for (int step = 0; step < 100; ++step) {
    if (at_a < at_b) {
      low = a, a = b, at_a = at_b;
      at_b = f(b = low + golden * (high - low));
    } else {
      high = b, b = a, at_b = at_a;
      at_a = f(a = high - golden * (high - low));
    }
  }
  return (low + high) / 2;
}

// Where a function that falls, or rises, through 0 between two ends does so.
double Root(double low, double high, const std::function<double(double)>& f) {
  const bool falls = f(low) > 0;
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    ((f(middle) > 0) == falls ? low : high) = middle;
  }
  return (low + high) / 2;
}

double Digamma(double x) {
  double sum = 0;
  for (; x < 10; ++x) sum -= 1 / x;
  const double y = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x -
         y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y * (5.0 / 660)))));
}

// Pitman's sampling formula: the likelihood of the sizes, without what does not depend on theta and alpha.
struct PitmanFit {
  double n, u;  // members and classes
  const ClassSizes& sizes;

  double LogLikelihood(double theta, double alpha) const {
    double sum = (u - 1) * std::log(alpha) + std::lgamma(theta / alpha + u) - std::lgamma(theta / alpha + 1) -
                 std::lgamma(theta + n) + std::lgamma(theta + 1);
    for (const auto& [size, classes] : sizes) {
      sum += static_cast<double>(classes) * (std::lgamma(static_cast<double>(size) - alpha) - std::lgamma(1 - alpha));
    }
    return sum;
  }
  // The theta that fits best with an alpha: the likelihood rises before and falls behind it. Sought as theta + alpha, above 0.
  double Theta(double alpha) const {
    const auto slope = [&](double log_theta) {
      const double theta = std::exp(log_theta) - alpha;
      return (Digamma(theta / alpha + u) - Digamma(theta / alpha + 1)) / alpha - Digamma(theta + n) +
             Digamma(theta + 1);
    };
    return std::exp(Root(std::log(1e-12), std::log(1e15), slope)) - alpha;
  }
};

// Shlosser's estimate of the number of classes of the population, as mended by Haas and Stokes.
double PopulationClasses(const ClassSizes& sizes, double f) {
  double u = 0, a = 0, b = 0, c = 0, d = 0;
  for (const auto& [size, count] : sizes) {
    const auto i = static_cast<double>(size), classes = static_cast<double>(count);
    const double out = std::pow(1 - f, i);
    u += classes;
    a += i * f * f * std::pow(1 - f * f, i - 1) * classes;
    b += out * (std::pow(1 + f, i) - 1) * classes;
    c += out * classes;
    d += i * f * std::pow(1 - f, i - 1) * classes;
  }
  return b <= 0 || d <= 0 ? u : u + static_cast<double>(ClassesOf(sizes, 1)) * (a / b) * (c / d) * (c / d);
}

// The logarithms of the classes of one and of two that a shifted negative binomial population lets expect, less those that there are.
class SnbFit {
 public:
  SnbFit(const ClassSizes& sizes, double f)
      : f_(f),
        classes_(PopulationClasses(sizes, f)),
        ones_(std::log(static_cast<double>(ClassesOf(sizes, 1)))),
        twos_(std::log(static_cast<double>(ClassesOf(sizes, 2)))) {}

  double classes() const { return classes_; }
  // Without the logarithm of `a` near 0 this is concave in a: it rises to Peak() and falls behind it.
  double Ones(double a, double b) const {
    const double d = Missed(b);
    return std::log(classes_ * f_) + a * std::log(b / (1 - d)) + std::log1p(a * d / (1 - d)) - ones_;
  }
  double Peak(double b) const {
    const double d = Missed(b), x = std::log(b / (1 - d)), y = d / (1 - d);
    return std::max(0.0, -1 / x - 1 / y);
  }
  double Twos(double a, double b) const {
    const double d = Missed(b);
    return std::log(classes_ * a * f_ * f_ * (1 - b) * (2 - (1 - a) * d) / 2) + a * std::log(b) -
           (a + 2) * std::log(1 - d) - twos_;
  }
  // The a that meets Ones() before the peak, or behind it; nothing if none does.
  std::optional<double> A(double b, bool behind) const {
    const double peak = Peak(b);
    const auto at = [&](double a) { return Ones(a, b); };
    if (at(peak) < 0) return std::nullopt;
    if (!behind) return at(0) > 0 || peak <= 0 ? std::nullopt : std::optional(Root(0, peak, at));
    double high = std::max(1.0, peak * 2);
    while (at(high) > 0 && high < 1e12) high *= 2;
    return high >= 1e12 ? std::nullopt : std::optional(Root(peak, high, at));
  }

 private:
  double Missed(double b) const { return (1 - f_) * (1 - b); }

  double f_, classes_, ones_, twos_;
};

// A solution on one branch: b is sought from the small ones on, in steps, and then halved.
std::optional<double> SnbOnBranch(const SnbFit& fit, bool behind) {
  constexpr int kSteps = 600;
  constexpr double kLeast = -16;  // of ln b
  std::optional<double> before;
  for (int step = 1; step < kSteps; ++step) {
    const double log_b = kLeast * (1 - static_cast<double>(step) / kSteps);
    const auto value = [&](double at) -> std::optional<double> {
      const auto a = fit.A(std::exp(at), behind);
      return a && *a > 0 ? std::optional(fit.Twos(*a, std::exp(at))) : std::nullopt;
    };
    const auto now = value(log_b);
    if (now && before && (*now > 0) != (*before > 0)) {
      const double found =
          Root(log_b + kLeast / kSteps, log_b, [&](double at) { return value(at).value_or(*before > 0 ? 1 : -1); });
      const auto a = fit.A(std::exp(found), behind);
      if (a) return fit.classes() * std::exp(*a * found);
    }
    before = now;
  }
  return std::nullopt;
}

}  // namespace

double ZayatzUniques(const ClassSizes& sizes, double population) {
  const auto n = static_cast<double>(Members(sizes)), ones = static_cast<double>(ClassesOf(sizes, 1));
  if (ones == 0) return 0;
  double sum = 0;
  for (const auto& [size, classes] : sizes) {
    sum += static_cast<double>(classes) * OneDrawn(static_cast<double>(size), n, population);
  }
  return ones * (ones * OneDrawn(1, n, population) / sum) * population / n;
}

std::optional<double> PitmanUniques(const ClassSizes& sizes, double population) {
  if (ClassesOf(sizes, 1) == 0) return 0;
  const auto n = static_cast<double>(Members(sizes));
  double u = 0;
  for (const auto& [size, classes] : sizes) u += static_cast<double>(classes);
  if (u == n || u == 1) return std::nullopt;  // the likelihood has no maximum
  const PitmanFit fit{n, u, sizes};
  constexpr double kEnd = 1e-9;
  const double alpha = Maximum(kEnd, 1 - kEnd, [&](double at) { return fit.LogLikelihood(fit.Theta(at), at); });
  if (alpha < 2 * kEnd || alpha > 1 - 2 * kEnd) return std::nullopt;
  const double theta = fit.Theta(alpha);
  return std::exp(std::lgamma(theta + 1) - std::lgamma(theta + alpha) + alpha * std::log(population));
}

std::optional<double> SnbUniques(const ClassSizes& sizes, double population) {
  if (ClassesOf(sizes, 1) == 0) return 0;
  const double f = static_cast<double>(Members(sizes)) / population;
  if (ClassesOf(sizes, 2) == 0 || f >= 1) return std::nullopt;
  const SnbFit fit(sizes, f);
  if (const auto before = SnbOnBranch(fit, false)) return before;
  return SnbOnBranch(fit, true);
}

UniqueEstimates EstimateUniques(const ClassSizes& sizes, double population) {
  UniqueEstimates found{.zayatz = ZayatzUniques(sizes, population),
                        .pitman = PitmanUniques(sizes, population),
                        .snb = SnbUniques(sizes, population),
                        .chosen = "Zayatz"};
  found.uniques = found.zayatz;
  const double sampling = static_cast<double>(Members(sizes)) / population;
  if (sampling <= kDankarSampling && found.pitman) {
    found.chosen = "Pitman";
    found.uniques = *found.pitman;
  } else if (sampling > kDankarSampling && found.snb && *found.snb < found.zayatz) {
    found.chosen = "SNB";
    found.uniques = *found.snb;
  }
  found.uniques = std::min(found.uniques, population);
  return found;
}

double UniqueMatchChance(const ClassSizes& sizes, double population) {
  const auto ones = static_cast<double>(ClassesOf(sizes, 1)), twos = static_cast<double>(ClassesOf(sizes, 2));
  const double sampling = static_cast<double>(Members(sizes)) / population;
  return ones == 0 ? 0 : ones * sampling / (ones * sampling + 2 * twos * (1 - sampling));
}

}  // namespace tada
