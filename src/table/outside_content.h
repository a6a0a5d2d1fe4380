#pragma once

// What a file holds beside the cells of its table, where nobody looks and a program reads on: metadata, entries of a dictionary that no
// row has, bytes under a null or between two pages.

#include <string>

namespace tada {

struct OutsideContent {
  std::string where;   ///< "metadata 'pandas'", "unused dictionary entry of job"
  std::string bytes;   ///< what stands there: of a value its text
  bool value = false;  ///< a value by itself, to be compared as a whole; otherwise bytes that may hold some
};

}  // namespace tada
