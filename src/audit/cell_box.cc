#include "audit/cell_box.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "audit/reading.h"
#include "table/number.h"

namespace tada {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMissing = -kInfinity;  // below every number; of names, missing is the one with the lowest rank
constexpr double kLowest = std::numeric_limits<double>::lowest();

constexpr CellBoxes::Box kEverything = {-kInfinity, kInfinity, 0, 0};

}  // namespace

CellBoxes::CellBoxes(std::span<const Column* const> columns, std::span<const std::string> missing)
    : missing_(missing.begin(), missing.end()) {
  std::vector<std::string_view> cells;
  for (const Column* column : columns) {
    for (Code cell = 0; column != nullptr && cell < column->num_codes(); ++cell) cells.push_back(column->text(cell));
  }
  reading_ = DecideReading(cells, missing_);
  if (reading_ == Reading::kNames) CollectNames(columns);
  boxes_.resize(columns.size());
  for (size_t release = 0; release < columns.size(); ++release) {
    if (columns[release] == nullptr) continue;
    for (Code cell = 0; cell < columns[release]->num_codes(); ++cell) {
      boxes_[release].push_back(Read(columns[release]->text(cell)));
    }
  }
}

bool CellBoxes::IsMissing(std::string_view text) const { return IsMissingText(text, missing_); }

// Every value, element of a set and pattern. A pattern is a name too, so that `476**` meets `47***`.
void CellBoxes::CollectNames(std::span<const Column* const> columns) {
  names_.emplace_back();  // missing
  for (const Column* column : columns) {
    for (Code cell = 0; column != nullptr && cell < column->num_codes(); ++cell) {
      const ParsedCell parsed = ParseCell(column->text(cell), Reading::kNames);
      if (parsed.form == ParsedCell::Form::kSet) {
        names_.insert(names_.end(), parsed.elements.begin(), parsed.elements.end());
      } else if (parsed.form != ParsedCell::Form::kMask && !IsMissing(column->text(cell))) {
        names_.emplace_back(column->text(cell));
      }
    }
  }
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

double CellBoxes::Number(std::string_view text) const {
  return (reading_ == Reading::kDates ? ParseDate(text) : ParseNumber(text)).value();
}

CellBoxes::Box CellBoxes::ReadInterval(const ParsedCell& cell) {
  Box box{kLowest, kInfinity, 0, 0};
  if (!cell.low.empty()) box.low = Number(cell.low);
  if (!cell.high.empty()) box.high = Number(cell.high);
  if (cell.low_open && !cell.low.empty()) box.low = std::nextafter(box.low, kInfinity);
  if (cell.high_open && !cell.high.empty()) box.high = std::nextafter(box.high, -kInfinity);
  return box;
}

void CellBoxes::AddPlaces(std::string_view element, std::vector<double>& places) const {
  if (reading_ != Reading::kNames) {
    if (IsMissing(element)) {
      places.push_back(kMissing);
    } else if (IsValue(element, reading_)) {
      places.push_back(Number(element));
    }
    return;
  }
  const std::string_view name = IsMissing(element) ? std::string_view() : element;
  const auto found = std::lower_bound(names_.begin(), names_.end(), name);
  if (found != names_.end() && *found == name) places.push_back(static_cast<double>(found - names_.begin()));
}

CellBoxes::Box CellBoxes::FromPlaces(std::vector<double> places) {
  if (places.empty()) return kEverything;
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  Box box{places.front(), places.back(), 0, 0};
  const bool gapless = places.size() == 1 ||
                       (reading_ == Reading::kNames && box.high - box.low + 1 == static_cast<double>(places.size()));
  if (gapless) return box;
  box.list_begin = static_cast<uint32_t>(lists_.size());
  lists_.insert(lists_.end(), places.begin(), places.end());
  box.list_end = static_cast<uint32_t>(lists_.size());
  return box;
}

CellBoxes::Box CellBoxes::Read(std::string_view text) {
  const ParsedCell cell = ParseCell(text, reading_);
  std::vector<double> places;
  switch (cell.form) {
    case ParsedCell::Form::kMask:
      return kEverything;
    case ParsedCell::Form::kInterval:
      return ReadInterval(cell);
    case ParsedCell::Form::kSet:
      for (const std::string& element : cell.elements) AddPlaces(element, places);
      if (places.size() < cell.elements.size()) places.clear();
      break;
    case ParsedCell::Form::kPattern:
      for (size_t i = 0; i < names_.size(); ++i) {
        if (MatchesPattern(text, names_[i])) places.push_back(static_cast<double>(i));
      }
      break;
    case ParsedCell::Form::kValue:
      AddPlaces(text, places);
      break;
  }
  if (places.empty()) ++num_unread_;
  return FromPlaces(std::move(places));
}

bool CellBoxes::ShareAPlace(const Box& a, const Box& b) const {
  const bool a_list = a.list_begin != a.list_end, b_list = b.list_begin != b.list_end;
  if (!a_list && !b_list) return true;
  if (a_list != b_list) {
    const Box& list = a_list ? a : b;
    const Box& hull = a_list ? b : a;
    const auto begin = lists_.begin() + list.list_begin, end = lists_.begin() + list.list_end;
    const auto first = std::lower_bound(begin, end, hull.low);
    return first != end && *first <= hull.high;
  }
  uint32_t i = a.list_begin, j = b.list_begin;
  while (i < a.list_end && j < b.list_end) {
    if (lists_[i] == lists_[j]) return true;
    lists_[i] < lists_[j] ? ++i : ++j;
  }
  return false;
}

}  // namespace tada
