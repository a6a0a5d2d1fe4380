#include "compose/cell_box.h"

#include <algorithm>
#include <limits>
#include <map>

#include "audit/classes/reading.h"
#include "table/mask_text.h"
#include "writing/find_writing.h"

namespace tada {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr CellBoxes::Box kEverything = {-kInfinity, kInfinity, 0, 0};

constexpr double kLongestRange = 10'000;  // of an interval inside a set, whose places are listed

// Brackets and signs make an interval for certain; `11-20` may be a name among names.
bool HasBrackets(std::string_view text) { return text.find_first_of("[(]<>") != std::string_view::npos; }

}  // namespace

CellBoxes::CellBoxes(std::span<const Column* const> given, std::span<const std::string> missing, const Writing& writing)
    : missing_(missing.begin(), missing.end()) {
  const std::vector<Cells> columns = PlainCells(given, writing);
  for (const Cells& column : columns) {
    if (column.column == nullptr) continue;
    AddValues(column);
    DecideKind(column);
  }
  const bool has_values =
      cells_of_[static_cast<size_t>(Reading::kNumbers)] > 0 || cells_of_[static_cast<size_t>(Reading::kDates)] > 0;
  counts_ |= has_values && !date_levels_.empty();  // months beside days, decades beside years
  line_.Lay();
  boxes_.resize(columns.size());
  for (size_t release = 0; release < columns.size(); ++release) {
    if (columns[release].column == nullptr) continue;
    for (Code cell = 0; cell < columns[release].num_codes(); ++cell) {
      const std::string_view text = columns[release].text(cell);
      const std::optional<Box> box = Read(text);
      if (!box && num_undecided_++ == 0) undecided_ = text;
      boxes_[release].push_back(box.value_or(kEverything));
    }
  }
  if (!counts_) FindLoneNames(columns);
}

// Cells that can be read in several ways are taken to be anything.
std::vector<CellBoxes::Cells> CellBoxes::PlainCells(std::span<const Column* const> columns,
                                                    const Writing& given) const {
  std::vector<Cells> all;
  std::vector<std::string_view> texts;
  for (const Column* column : columns) {
    all.push_back({column, {}});
    for (Code cell = 0; column != nullptr && cell < column->num_codes(); ++cell) {
      if (!IsMissing(column->text(cell))) texts.push_back(column->text(cell));
    }
  }
  std::vector<Writing> writings{given};
  if (given.is_plain()) {
    const bool plain = !HasQuotedBounds(texts) && MostRead(texts) != Reading::kNames;
    writings = plain ? std::vector<Writing>() : FindCellWritings(texts);
  }
  for (Cells& cells : all) {
    if (cells.column == nullptr || writings.empty()) continue;
    for (Code cell = 0; cell < cells.column->num_codes(); ++cell) {
      const std::string_view text = cells.column->text(cell);
      const bool anything = writings.size() > 1 && !IsMissing(text);
      cells.plain.push_back(anything ? "*" : PlainCell(text, writings.front()));
    }
  }
  return all;
}

bool CellBoxes::IsMissing(std::string_view text) const { return IsMissingText(text, missing_); }

std::optional<CellBoxes::Interval> CellBoxes::ReadInterval(std::string_view text) {
  if (text.find_first_of("0123456789") == std::string_view::npos) return std::nullopt;
  if (ValueLine::ReadingOf(text) != Reading::kNames) return std::nullopt;
  for (const Reading reading : {Reading::kNumbers, Reading::kDates}) {
    ParsedCell cell = ParseCell(text, reading);
    if (cell.form != ParsedCell::Form::kInterval) continue;
    const bool reversed = !cell.low.empty() && !cell.high.empty() && ValueLine::IsBefore(cell.high, cell.low);
    if (reversed && !HasBrackets(text)) return std::nullopt;  // `2024-02`, `555-123`
    return Interval{reading, std::move(cell)};
  }
  return std::nullopt;
}

std::vector<std::string> CellBoxes::Elements(std::string_view text) const {
  if (IsMissing(text)) return {std::string(text)};
  ParsedCell cell = ParseCell(text, Reading::kNames);
  if (cell.form == ParsedCell::Form::kMask) return {};
  if (cell.form != ParsedCell::Form::kSet) return {std::string(text)};
  if (cell.elements.size() == 1 && cell.elements[0].find(';') != std::string::npos) {
    for (std::string& part : SplitAtSemicolons(cell.elements[0])) cell.elements.push_back(std::move(part));
  }
  return std::move(cell.elements);
}

void CellBoxes::AddValues(const Cells& column) {
  const auto add_bounds = [&](std::string_view text) {
    const auto interval = ReadInterval(text);
    if (!interval) return;
    for (const std::string_view bound : {interval->bounds.low, interval->bounds.high}) {
      if (!bound.empty()) line_.Add(bound);
    }
  };
  std::set<size_t> lengths;
  for (Code cell = 0; cell < column.num_codes(); ++cell) {
    add_bounds(column.text(cell));
    for (const std::string& element : Elements(column.text(cell))) {
      if (IsMissing(element)) continue;
      add_bounds(element);
      line_.Add(element);
      lengths.insert(element.size());
    }
  }
  if (!lengths.empty()) lengths_.push_back(std::move(lengths));
}

// Every release has a say by itself: one that writes numbers shows what the names of another are, however many these are.
void CellBoxes::DecideKind(const Cells& column) {
  uint64_t all = 0, counted = 0;
  for (Code cell = 0; cell < column.num_codes(); ++cell) {
    const std::string_view text = column.text(cell);
    if (IsMissing(text) || IsMaskText(text)) continue;
    ++all;
    bool has_name = false;
    std::array<uint64_t, 3> found{};
    if (const auto interval = ReadInterval(text)) {
      has_intervals_ = true;
      counts_ |= HasBrackets(text);
      found[static_cast<size_t>(interval->reading)] = 1;
    } else {
      for (const std::string& element : Elements(text)) {
        if (IsMissing(element)) continue;
        has_intervals_ |= ReadInterval(element).has_value();
        const Reading reading = ValueLine::ReadingOf(element);
        has_name |= reading == Reading::kNames;
        found[static_cast<size_t>(reading)] = 1;
        if (const DateLevel level = DateLevelOf(element); level != DateLevel::kNone) date_levels_.insert(level);
      }
    }
    for (size_t reading = 0; reading < found.size(); ++reading) cells_of_[reading] += found[reading];
    counted += has_name ? 0 : 1;
  }
  counts_ |= counted * 2 > all;
}

bool CellBoxes::IsRarer(Reading reading) const {
  const uint64_t numbers = cells_of_[static_cast<size_t>(Reading::kNumbers)];
  const uint64_t dates = cells_of_[static_cast<size_t>(Reading::kDates)];
  if (!counts_ || numbers == 0 || dates == 0 || reading == Reading::kNames) return false;
  return reading == Reading::kDates ? dates < numbers : numbers <= dates;
}

// Dates that all stand at one level are told apart by their names.
bool CellBoxes::IsLabel(std::string_view name) const {
  return IsGroupLabel(name) || (date_levels_.size() > 1 && DateLevelOf(name) != DateLevel::kNone);
}

// Names that a release has by themselves and another release has neither so nor in a set.
void CellBoxes::FindLoneNames(std::span<const Cells> columns) {
  struct Seen {
    uint64_t releases = 0, last = 0;  // how many have it, and the last of them, counted from 1
    bool by_itself = false;
  };
  std::map<std::string, Seen> names;
  uint64_t releases = 0;
  for (const Cells& column : columns) {
    if (column.column == nullptr) continue;
    ++releases;
    for (Code cell = 0; cell < column.num_codes(); ++cell) {
      for (const std::string& element : Elements(column.text(cell))) {
        if (IsMissing(element) || element.find('*') != std::string::npos || IsLabel(element)) continue;
        Seen& seen = names[element];
        seen.releases += seen.last == releases ? 0 : 1;
        seen.last = releases;
        seen.by_itself |= element == column.text(cell);
      }
    }
  }
  for (const auto& [name, seen] : names) {
    if (seen.by_itself && seen.releases < releases && num_lone_names_++ == 0) lone_name_ = name;
  }
}

std::optional<CellBoxes::Box> CellBoxes::BoxOfInterval(const Interval& interval) const {
  const ParsedCell& cell = interval.bounds;
  if (IsRarer(interval.reading)) return std::nullopt;
  Box box{ValueLine::kMissing + 1, kInfinity, 0, 0};
  if (!cell.low.empty()) box.low = line_.PlaceOf(cell.low) + (cell.low_open ? 1 : 0);
  if (!cell.high.empty()) box.high = line_.PlaceOf(cell.high) - (cell.high_open ? 1 : 0);
  if (box.low > box.high) return std::nullopt;  // holds nothing as it is written
  return box;
}

// A pattern can be compared with texts as long as itself, as the values were; not with what stands for such texts.
bool CellBoxes::IsDecidedPattern(std::string_view pattern) const {
  if (has_intervals_ || !date_levels_.empty() || IsMaskText(pattern)) return false;
  return std::all_of(lengths_.begin(), lengths_.end(),
                     [&](const auto& lengths) { return lengths.contains(pattern.size()); });
}

bool CellBoxes::AddPlaces(std::string_view value, std::vector<double>& places) const {
  if (IsMissing(value)) {
    places.push_back(ValueLine::kMissing);
    return true;
  }
  if (const auto interval = ReadInterval(value)) {
    const std::optional<Box> box = BoxOfInterval(*interval);
    if (!box || box->high - box->low > kLongestRange) return false;
    for (double place = box->low; place <= box->high; ++place) places.push_back(place);
    return true;
  }
  if (value.find('*') != std::string_view::npos) {
    if (!IsDecidedPattern(value)) return false;
    const std::vector<double> meets = line_.PlacesOfPattern(value);
    places.insert(places.end(), meets.begin(), meets.end());
    return true;
  }
  const Reading reading = ValueLine::ReadingOf(value);
  if (reading == Reading::kNames ? counts_ || IsLabel(value) : IsRarer(reading)) return false;
  places.push_back(line_.PlaceOf(value));
  return true;
}

std::optional<CellBoxes::Box> CellBoxes::Read(std::string_view text) {
  if (!IsMissing(text)) {
    if (IsMaskText(text)) return kEverything;
    if (const auto interval = ReadInterval(text)) return BoxOfInterval(*interval);
  }
  const std::vector<std::string> elements = Elements(text);
  std::vector<double> places;
  for (const std::string& element : elements) {
    if (!AddPlaces(element, places)) return std::nullopt;
  }
  if (const auto itself = line_.FindName(text)) places.push_back(*itself);  // a name may look like a set
  if (places.empty()) return std::nullopt;
  return FromPlaces(std::move(places));
}

CellBoxes::Box CellBoxes::FromPlaces(std::vector<double> places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  Box box{places.front(), places.back(), 0, 0};
  if (box.high - box.low + 1 == static_cast<double>(places.size())) return box;
  box.list_begin = static_cast<uint32_t>(lists_.size());
  lists_.insert(lists_.end(), places.begin(), places.end());
  box.list_end = static_cast<uint32_t>(lists_.size());
  return box;
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
