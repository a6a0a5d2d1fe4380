#pragma once

// The bounds of a column's domain, as somebody writes them: `0..120`, `1900-01-01..2029-12-31`. Both belong to it.

#include <string>

namespace tada {

struct DomainBounds {
  std::string low, high;
  friend bool operator==(const DomainBounds&, const DomainBounds&) = default;
};

}  // namespace tada
