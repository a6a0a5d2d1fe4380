#include "recode/cut_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/option_mark.h"
#include "table/number.h"
#include "table/value_text.h"

namespace tada {
namespace {

constexpr double kLargest = 9007199254740992.0;  // 2^53: up to here doubles are exact
constexpr int kMostDecimals = 9;

// Digits behind the point that a number needs; nothing if it has an exponent.
std::optional<int> DecimalsOf(std::string_view text) {
  if (text.find_first_of("eE") != std::string_view::npos) return std::nullopt;
  const size_t point = text.find('.');
  if (point == std::string_view::npos) return 0;
  const size_t last = text.find_last_not_of('0');
  return static_cast<int>(last - point);
}

int64_t FloorTo(int64_t value, int64_t step) {
  const int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

// The roundest whole number above `low` and up to `high`.
int64_t RoundNumber(int64_t low, int64_t high) {
  for (int64_t step = 1'000'000'000'000'000; step > 1; step /= 10) {
    const int64_t last = FloorTo(high, step);
    if (last <= low) continue;
    const int64_t first = FloorTo(low, step) + step;
    const int64_t middle = FloorTo(low + (high - low) / 2 + step / 2, step);
    return std::clamp(middle, first, last);
  }
  return low + (high - low + 1) / 2;
}

// A number of the grid with so many digits behind the point, without zeros at its end.
std::string GridText(int64_t number, int decimals) {
  std::string digits = std::to_string(std::abs(number));
  if (decimals > 0) {
    if (digits.size() <= static_cast<size_t>(decimals)) digits.insert(0, decimals + 1 - digits.size(), '0');
    digits.insert(digits.size() - decimals, ".");
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return (number < 0 ? "-" : "") + digits;
}

int64_t PowerOfTenUpTo(double limit) {
  int64_t step = 1;
  while (static_cast<double>(step) * 10 <= limit) step *= 10;
  return step;
}

// Where the digits of a date's time end; the zone follows.
size_t EndOfTime(std::string_view text) {
  if (text.size() < 16) return text.size();
  if (text.size() < 19 || text[16] != ':') return 16;
  if (text.size() == 19 || text[19] != '.') return 19;
  return std::min(text.find_first_not_of("0123456789", 20), text.size());
}

// `2024-02-29T12:30:45Z` cut off behind the year (0), month (1), day (2), hour (3), minute (4), second (5): `2024-01-01T00:00:00Z`.
std::string CutOff(std::string_view text, int unit) {
  constexpr std::array<size_t, 6> kEnds{4, 7, 10, 13, 16, 19};
  std::string cut(text);
  for (size_t i = kEnds[static_cast<size_t>(unit)]; i < EndOfTime(text); ++i) {
    if (cut[i] >= '0' && cut[i] <= '9') cut[i] = '0';
  }
  if (unit < 1) cut[6] = '1';  // the first of January
  if (unit < 2) cut[9] = '1';
  return cut;
}

int64_t DayOf(std::string_view text) { return static_cast<int64_t>(std::floor(*ParseDate(text))); }

// The first day of the year, month or day behind the one that a day is in.
int64_t DayBehind(int64_t day, int unit) {
  if (unit == 2) return day + 1;
  const int64_t first = DayOf(CutOff(DateText(day), unit));
  const int64_t later = first + (unit == 0 ? 370 : 40);
  return DayOf(CutOff(DateText(later), unit));
}

bool Precedes(const Column& column, std::string_view a, std::string_view b) {
  return column.is_date() ? DateKey(a) < DateKey(b) : CompareNumbers(a, b) < 0;
}

}  // namespace

Status CheckDomain(const Column& column, const DomainBounds& domain) {
  if (!column.is_numeric()) {
    return InvalidArgument(TADA_OPTION("domain") " is for a column of numbers or dates: {} is {}", column.name(),
                           KindName(column.kind()));
  }
  for (const std::string& bound : {domain.low, domain.high}) {
    const bool good = column.is_date() ? IsDate(bound) : ParseNumber(bound).has_value();
    if (!good) {
      return InvalidArgument(TADA_OPTION("domain={}") ": '{}' is not a {}", column.name(), bound,
                             column.is_date() ? "date" : "number")
          .WithHint(fmt::format("For example: " TADA_OPTION("domain={}={}"), column.name(),
                                column.is_date() ? "1900-01-01..2029-12-31" : "0..120"));
    }
  }
  if (Precedes(column, domain.high, domain.low)) {
    return InvalidArgument(TADA_OPTION("domain={}") ": the lower bound is above the upper one", column.name());
  }
  if (column.num_codes() == column.num_missing()) return Ok();
  if (Precedes(column, column.text(column.num_missing()), domain.low) ||
      Precedes(column, domain.high, column.text(column.num_codes() - 1))) {
    return InvalidArgument(TADA_OPTION("domain={}") ": the table has values outside of it", column.name())
        .WithHint("Widen it: everybody's value has to lie inside.");
  }
  return Ok();
}

CutTexts::CutTexts(const Column& column, const DomainBounds* domain) : column_(column) {
  FindGrid();
  domain_ = domain != nullptr ? Texts{domain->high, domain->low} : RoundDomain();
}

// Whether all values lie on a grid, and which.
void CutTexts::FindGrid() {
  on_grid_ = true;
  for (Code code = column_.num_missing(); code < column_.num_codes(); ++code) {
    if (column_.is_date()) {
      on_grid_ = on_grid_ && column_.text(code).size() == 10;
      continue;
    }
    const std::optional<int> decimals = DecimalsOf(column_.text(code));
    on_grid_ = on_grid_ && decimals && *decimals <= kMostDecimals;
    decimals_ = std::max(decimals_, decimals.value_or(0));
  }
  if (column_.is_date()) return;
  scale_ = std::pow(10.0, decimals_);
  const double largest =
      std::max(std::abs(column_.number(column_.num_missing())), std::abs(column_.number(column_.num_codes() - 1)));
  on_grid_ = on_grid_ && largest * scale_ < kLargest / 16;
}

int64_t CutTexts::OnGridOf(Code code) const { return std::llround(column_.number(code) * scale_); }

std::string CutTexts::Lower(const Cut& cut) {
  if (cut.open()) return domain_.lower;
  const auto [known, is_new] = known_.try_emplace(cut);
  if (is_new) known->second = Find(cut);
  return known->second.lower;
}

std::string CutTexts::Upper(const Cut& cut) {
  if (cut.open()) return domain_.upper;
  Lower(cut);
  return known_.find(cut)->second.upper;
}

CutTexts::Texts CutTexts::Find(const Cut& cut) const {
  if (column_.same_value(cut.below, cut.above)) {  // two spellings of one number
    return {std::string(column_.text(cut.below)), std::string(column_.text(cut.above))};
  }
  if (column_.is_date()) return BetweenDates(cut);
  return on_grid_ ? OnGrid(cut) : BetweenReals(cut);
}

CutTexts::Texts CutTexts::OnGrid(const Cut& cut) const {
  const int64_t at = RoundNumber(OnGridOf(cut.below), OnGridOf(cut.above));
  return {GridText(at - 1, decimals_), GridText(at, decimals_)};
}

// The number with the fewest digits strictly between two; the upper one where there is none with as many digits as they have.
CutTexts::Texts CutTexts::BetweenReals(const Cut& cut) const {
  const std::string_view below = column_.text(cut.below), above = column_.text(cut.above);
  const double low = column_.number(cut.below), high = column_.number(cut.above), middle = low / 2 + high / 2;
  const int most = column_.type() == ValueType::kDecimal || column_.type() == ValueType::kInteger ? decimals_ : 400;
  const double distance = high - low;
  const int first = std::isfinite(distance) && distance > 0 ? static_cast<int>(std::floor(std::log10(distance))) : 308;
  for (int exponent = first; exponent > first - 4 && -exponent <= most; --exponent) {
    const double step = std::pow(10.0, exponent);
    const double at = std::round(middle / step) * step;
    if (!std::isfinite(at)) continue;
    const bool plain = std::abs(at) < 1e15 && exponent > -16;
    std::string text = plain ? fmt::format("{:.{}f}", at, std::max(0, -exponent)) : fmt::format("{}", at);
    if (text.find_first_not_of("-0.") == std::string::npos) text.assign(1, '0');
    if (CompareNumbers(below, text) < 0 && CompareNumbers(text, above) < 0) return {text, text};
  }
  return {std::string(above), std::string(above)};
}

CutTexts::Texts CutTexts::BetweenDates(const Cut& cut) const {
  const std::string below = DateKey(column_.text(cut.below));
  const std::string_view above = column_.text(cut.above);
  std::string at(above);
  const int finest = above.size() < 19 ? 2 : 5;
  for (int unit = 0; unit <= finest; ++unit) {
    const std::string text = CutOff(above, unit);
    if (!IsDate(text) || DateKey(text) <= below) continue;
    at = text;
    break;
  }
  return {on_grid_ ? DateText(DayOf(at) - 1) : at, at};
}

CutTexts::Texts CutTexts::RoundDomain() const {
  const Code first = column_.num_missing(), last = column_.num_codes() - 1;
  const std::string low(column_.text(first)), high(column_.text(last));
  if (column_.same_value(first, last)) return {high, low};
  if (column_.is_date()) return RoundDates(first, last);
  if (on_grid_) {
    const int64_t bottom = OnGridOf(first), top = OnGridOf(last);
    const int64_t step = PowerOfTenUpTo(static_cast<double>(top - bottom) / 2);
    return {GridText(FloorTo(top, step) + step - 1, decimals_), GridText(FloorTo(bottom, step), decimals_)};
  }
  const double span = column_.number(last) - column_.number(first);
  if (!std::isfinite(span) || span <= 0) return {high, low};
  const double step = std::pow(10.0, std::floor(std::log10(span / 2)));
  const auto text = [&](double at) { return fmt::format("{}", at == 0 ? 0 : at); };
  const std::string upper = text((std::floor(column_.number(last) / step) + 1) * step);
  const std::string lower = text(std::floor(column_.number(first) / step) * step);
  const bool around =
      ParseNumber(upper) && ParseNumber(lower) && CompareNumbers(lower, low) <= 0 && CompareNumbers(high, upper) <= 0;
  return around ? Texts{upper, lower} : Texts{high, low};
}

CutTexts::Texts CutTexts::RoundDates(Code first, Code last) const {
  const double span = column_.number(last) - column_.number(first);
  const int unit = span >= 2 * 366 ? 0 : span >= 2 * 31 ? 1 : 2;
  const std::string_view high = column_.text(last);
  const std::string lower = CutOff(column_.text(first), unit);
  const int64_t behind = DayBehind(DayOf(high.substr(0, 10)), unit);
  if (on_grid_) return {DateText(behind - 1), lower};
  const std::string upper = DateText(behind) + CutOff(high, 2).substr(10);  // midnight, as the column writes it
  const bool around =
      IsDate(upper) && DateKey(upper) >= DateKey(high) && DateKey(lower) <= DateKey(column_.text(first));
  return around ? Texts{upper, lower} : Texts{std::string(high), std::string(column_.text(first))};
}

}  // namespace tada
