#include "learn/features/entropy.h"

#include <vector>

namespace tada {

const double* XLog2XTable() {
  static const std::vector<double> kTable = [] {
    std::vector<double> table(kXLog2XEntries);
    for (size_t i = 2; i < table.size(); ++i) table[i] = static_cast<double>(i) * Log2(static_cast<double>(i));
    return table;
  }();
  return kTable.data();
}

}  // namespace tada
