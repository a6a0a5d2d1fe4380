#include "risk/class_sizes.h"

namespace tada {

uint64_t Members(const ClassSizes& sizes) {
  uint64_t members = 0;
  for (const auto& [size, classes] : sizes) members += size * classes;
  return members;
}

uint64_t ClassesOf(const ClassSizes& sizes, uint64_t size) {
  for (const auto& [of, classes] : sizes) {
    if (of == size) return classes;
  }
  return 0;
}

}  // namespace tada
