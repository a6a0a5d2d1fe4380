#include "base/note_section.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace tada {

FactMap&& FactMap::Add(const char* name, Fact fact) && {
  facts_.emplace_back(name, std::move(fact));
  return std::move(*this);
}

FactMap::operator Fact() && { return std::move(facts_); }

const Fact* Fact::Find(const std::string& name) const {
  const Map* map = std::get_if<Map>(&value_);
  if (map == nullptr) return nullptr;
  for (const auto& [key, fact] : *map) {
    if (key == name) return &fact;
  }
  return nullptr;
}

double RoundToDigits(double value, int digits) {
  return std::isfinite(value) ? std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr) : value;
}

double RoundToDecimals(double value, int decimals) {
  return std::isfinite(value) ? std::strtod(fmt::format("{:.{}f}", value, decimals).c_str(), nullptr) : value;
}

}  // namespace tada
