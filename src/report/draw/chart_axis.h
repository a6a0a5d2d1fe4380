#pragma once

// Axes of charts: which numbers to write along them, and how.
//   tick    a round number (1, 2, 2.5 or 5 times a power of ten) that gets a line and a text.
//   scale   maps values to pixels, linearly or by their logarithm.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tada {

/// Round numbers that span [low, high], about `wanted` of them; the first is at most `low`, the last at least `high`.
std::vector<double> Ticks(double low, double high, int wanted);

/// Powers of ten, with 2 and 5 times them where there are few, that span [low, high]. Pre: 0 < low <= high.
std::vector<double> LogTicks(double low, double high);

/// A number as a reader wants it: "1,234", "0.05", "1.2M"; at most four significant digits.
std::string ShortNumber(double value);

/// "12,345,678".
std::string WithCommas(unsigned long long value);

/// "1 row", "12,345 rows"; `plural` where an s does not do.
std::string Counted(uint64_t count, std::string_view word, std::string_view plural = "");

/// "12.3%", with as many decimals as it takes to see something.
std::string Percent(double share);

class Scale {
 public:
  Scale(double low, double high, double from, double to, bool logarithmic = false);
  double operator()(double value) const;

 private:
  double low_, high_, from_, to_;
  bool logarithmic_;
};

}  // namespace tada
