#include "report/draw/chart_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.h"

namespace tada {
namespace {

// "1.50" to "1.5", "2.00" to "2".
std::string TrimZeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

double RoundStep(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (rough <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

std::vector<double> Ticks(double low, double high, int wanted) {
  if (!std::isfinite(low) || !std::isfinite(high)) return {0.0, 1.0};
  if (high <= low) high = low + std::max(1.0, std::abs(low) * 0.1);
  const double step = RoundStep((high - low) / std::max(1, wanted - 1));
  const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
  std::vector<double> ticks;
  for (double i = first; i <= last && ticks.size() < 100; ++i) ticks.push_back(i * step);
  return ticks;
}

std::vector<double> LogTicks(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  const bool dense = last - first <= 2;
  std::vector<double> ticks;
  for (int power = first; power <= std::max(last, first + 1); ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor != 1.0 && (!dense || power == std::max(last, first + 1))) continue;
      ticks.push_back(factor * std::pow(10.0, power));
    }
  }
  while (ticks.size() > 2 && ticks[1] <= low * (1 + 1e-9)) ticks.erase(ticks.begin());
  while (ticks.size() > 2 && ticks[ticks.size() - 2] >= high * (1 - 1e-9)) ticks.pop_back();
  return ticks;
}

std::string WithCommas(unsigned long long value) {
  std::string text = std::to_string(value);
  for (size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string ShortNumber(double value) {
  if (!std::isfinite(value)) return "n/a";
  const double size = std::abs(value);
  if (size >= 1e15) return fmt::format("{:.3g}", value);
  if (size >= 1e9) return TrimZeros(fmt::format("{:.2f}", value / 1e9)) + "G";
  if (size >= 1e6) return TrimZeros(fmt::format("{:.2f}", value / 1e6)) + "M";
  if (size >= 1000) {
    return (value < 0 ? "-" : "") + WithCommas(static_cast<unsigned long long>(std::llround(size)));
  }
  if (size >= 100) return TrimZeros(fmt::format("{:.1f}", value));
  if (size >= 1 || size == 0) return TrimZeros(fmt::format("{:.2f}", value));
  if (size >= 1e-4) return TrimZeros(fmt::format("{:.4f}", value));
  return fmt::format("{:.2g}", value);
}

std::string Counted(uint64_t count, std::string_view word, std::string_view plural) {
  return WithCommas(count) + ' ' + PluralWord(count, word, plural);
}

std::string Percent(double share) {
  const double percent = share * 100;
  if (percent != 0 && std::abs(percent) < 0.01) return "<0.01%";
  if (percent != 0 && std::abs(percent) < 1) return TrimZeros(fmt::format("{:.2f}", percent)) + "%";
  return TrimZeros(fmt::format("{:.1f}", percent)) + "%";
}

Scale::Scale(double low, double high, double from, double to, bool logarithmic)
    : low_(logarithmic ? std::log10(low) : low),
      high_(logarithmic ? std::log10(high) : high),
      from_(from),
      to_(to),
      logarithmic_(logarithmic) {}

double Scale::operator()(double value) const {
  const double place = logarithmic_ ? std::log10(value) : value;
  return high_ > low_ ? from_ + (place - low_) / (high_ - low_) * (to_ - from_) : (from_ + to_) / 2;
}

}  // namespace tada
