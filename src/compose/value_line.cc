#include "compose/value_line.h"

#include <algorithm>

#include "table/number.h"

namespace tada {

Reading ValueLine::ReadingOf(std::string_view text) {
  if (IsValue(text, Reading::kNumbers)) return Reading::kNumbers;
  return IsValue(text, Reading::kDates) ? Reading::kDates : Reading::kNames;
}

double ValueLine::NumberOf(std::string_view text, Reading reading) {
  if (reading == Reading::kNames) return 0;
  return (reading == Reading::kDates ? ParseDate(text) : ParseNumber(text)).value();
}

int ValueLine::Compare(double a_number, std::string_view a, double b_number, std::string_view b, Reading reading) {
  if (a_number != b_number) return a_number < b_number ? -1 : 1;
  if (reading == Reading::kNumbers) return CompareNumbers(a, b);
  return reading == Reading::kDates ? DateKey(a).compare(DateKey(b)) : a.compare(b);
}

bool ValueLine::IsBefore(std::string_view a, std::string_view b) {
  const Reading reading = ReadingOf(a);
  return Compare(NumberOf(a, reading), a, NumberOf(b, reading), b, reading) < 0;
}

void ValueLine::Add(std::string_view text) {
  if (!added_.emplace(text).second) return;
  const Reading reading = ReadingOf(text);
  values(reading).push_back({NumberOf(text, reading), std::string(text), 0});
}

void ValueLine::Lay() {
  double next = kMissing + 2;
  for (const Reading reading : {Reading::kNumbers, Reading::kDates, Reading::kNames}) {
    Values& all = values(reading);
    const auto order = [&](const Value& a, const Value& b) {
      return Compare(a.number, a.text, b.number, b.text, reading);
    };
    std::sort(all.begin(), all.end(), [&](const Value& a, const Value& b) {
      const int by_value = order(a, b);
      return by_value != 0 ? by_value < 0 : a.text < b.text;
    });
    for (size_t i = 0; i < all.size(); ++i) {
      if (i > 0 && order(all[i - 1], all[i]) != 0) next += reading == Reading::kNames ? 1 : 2;
      all[i].place = next;
    }
    next += 2;
  }
  added_.clear();
}

ValueLine::Values::const_iterator ValueLine::Find(std::string_view text, Reading reading) const {
  const double number = NumberOf(text, reading);
  return std::lower_bound(values(reading).begin(), values(reading).end(), text,
                          [&](const Value& value, std::string_view wanted) {
                            return Compare(value.number, value.text, number, wanted, reading) < 0;
                          });
}

std::optional<double> ValueLine::FindName(std::string_view text) const {
  const auto found = Find(text, Reading::kNames);
  if (found == values(Reading::kNames).end() || found->text != text) return std::nullopt;
  return found->place;
}

std::vector<double> ValueLine::PlacesOfPattern(std::string_view pattern) const {
  std::vector<double> places;
  for (const Values& all : values_) {
    for (const Value& value : all) {
      if (PatternsMeet(pattern, value.text)) places.push_back(value.place);
    }
  }
  return places;
}

}  // namespace tada
