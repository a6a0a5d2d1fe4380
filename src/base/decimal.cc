#include "base/decimal.h"

#include <fmt/format.h>

namespace tada {

uint64_t Decimal::scale() const {
  uint64_t scale = 1;
  for (uint32_t i = 0; i < places; ++i) scale *= 10;
  return scale;
}

std::optional<Decimal> ParseDecimal(std::string_view text) {
  const size_t point = text.find('.');
  std::string_view whole = text.substr(0, point);
  std::string_view fraction = point == std::string_view::npos ? "" : text.substr(point + 1);
  if (whole.empty() && fraction.empty()) return std::nullopt;
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  while (!whole.empty() && whole.front() == '0') whole.remove_prefix(1);
  if (fraction.size() > Decimal::kMostPlaces || whole.size() > Decimal::kMostPlaces) return std::nullopt;
  Decimal decimal{.places = static_cast<uint32_t>(fraction.size())};
  for (const std::string_view part : {whole, fraction}) {
    for (const char digit : part) {
      if (digit < '0' || digit > '9') return std::nullopt;
      decimal.digits = decimal.digits * 10 + static_cast<uint64_t>(digit - '0');
    }
  }
  return decimal;
}

std::string DecimalText(uint64_t units, uint32_t places) {
  const uint64_t scale = Decimal{.places = places}.scale();
  std::string text = fmt::format("{}.{:0{}}", units / scale, units % scale, places);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace tada
