#include "learn/entropy.h"

#include <cmath>
#include <vector>

namespace tada {

double XLog2X(uint64_t x) {
  static const std::vector<double> kTable = [] {
    std::vector<double> table(1 << 14);
    for (size_t i = 2; i < table.size(); ++i) table[i] = static_cast<double>(i) * std::log2(static_cast<double>(i));
    return table;
  }();
  return x < kTable.size() ? kTable[x] : static_cast<double>(x) * std::log2(static_cast<double>(x));
}

}  // namespace tada
