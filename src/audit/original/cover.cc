#include "audit/original/cover.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "audit/classes/reading.h"
#include "audit/original/own_writing.h"
#include "table/number.h"

namespace tada {
namespace {

std::string_view TrimBlanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Exact order of two numbers or dates.
int CompareValues(std::string_view a, std::string_view b, bool dates) {
  if (!dates) return CompareNumbers(a, b);
  const std::string key_a = DateKey(a), key_b = DateKey(b);
  return key_a < key_b ? -1 : key_a > key_b ? 1 : 0;
}

double NumberOf(std::string_view text, bool dates) { return dates ? *ParseDate(text) : *ParseNumber(text); }

}  // namespace

CellCover::CellCover(const Column& released, const Column& original, std::vector<std::string> missing,
                     const LabelCodes* labels)
    : released_(&released), original_(&original), missing_(std::move(missing)) {
  if (!original.is_numeric()) SortByText();
  if (!original.writing().is_plain()) ReadWriting();
  reading_ = DecideReading();
  SortValues();
  spans_.resize(released.num_codes());
  unchecked_.resize(released.num_codes());
  masks_.resize(released.num_codes());
  for (Code cell = 0; cell < released.num_codes() && !unreadable_; ++cell) ReadOneCell(cell, labels);
}

// Who read the table has sorted it by its own understanding of the values; this one must come to the same order.
void CellCover::ReadWriting() {
  const bool dates = original_->is_date();
  for (Code code = 0; code < original_->num_codes(); ++code) {
    const std::string_view text = original_->text(code);
    plain_.push_back(original_->is_missing(code) ? std::string(text) : OwnPlainValue(text, original_->writing()));
    if (original_->is_missing(code)) continue;
    const bool value = IsValue(plain_.back(), dates ? Reading::kDates : Reading::kNumbers);
    const bool ordered = code == original_->num_missing() || unreadable_ || !value ||
                         CompareValues(plain_[code - 1], plain_[code], dates) <= 0;
    unreadable_ = unreadable_ || !value || !ordered;
  }
}

void CellCover::SortByText() {
  by_text_.resize(original_->num_codes());
  std::iota(by_text_.begin(), by_text_.end(), Code{0});
  const auto before = [&](Code a, Code b) { return original_->text(a) < original_->text(b); };
  if (!std::is_sorted(by_text_.begin(), by_text_.end(), before)) std::sort(by_text_.begin(), by_text_.end(), before);
}

std::optional<Code> CellCover::FindText(std::string_view text) const {
  const auto found = std::lower_bound(by_text_.begin(), by_text_.end(), text, [&](Code code, std::string_view wanted) {
    return original_->text(code) < wanted;
  });
  if (found == by_text_.end() || original_->text(*found) != text) return std::nullopt;
  return *found;
}

// A numeric original is read as numbers. Names are too if most cells that are no original value look like numbers or
// intervals, and some original value is one: a zip code kept as a name whose release has `[47600-47699]`. Where none is,
// `0-3` for the months from January to March is a label like others.
Reading CellCover::DecideReading() const {
  if (original_->is_numeric()) return original_->is_date() ? Reading::kDates : Reading::kNumbers;
  std::vector<std::string_view> others;
  for (Code cell = released_->num_missing(); cell < released_->num_codes(); ++cell) {
    if (!FindText(released_->text(cell))) others.push_back(released_->text(cell));
  }
  const Reading reading = MostRead(others);
  return HoldsAny(*original_, reading) ? reading : Reading::kNames;
}

void CellCover::SortValues() {
  const Code missing = original_->num_missing(), end = original_->num_codes();
  numbers_begin_ = numbers_end_ = missing;
  if (original_->is_numeric()) {
    numbers_end_ = end;
    for (Code code = missing; code < end && !unreadable_; ++code) {
      numbers_.push_back(plain_.empty() ? original_->number(code) : NumberOf(plain_[code], original_->is_date()));
    }
    return;
  }
  if (reading_ == Reading::kNames) return;
  const bool dates = reading_ == Reading::kDates;
  std::vector<double> number_of(end);
  values_.resize(end);
  std::iota(values_.begin(), values_.end(), 0u);
  const auto names = std::stable_partition(values_.begin() + missing, values_.end(),
                                           [&](uint32_t code) { return IsValue(original_->text(code), reading_); });
  numbers_end_ = static_cast<uint32_t>(names - values_.begin());
  for (uint32_t i = numbers_begin_; i < numbers_end_; ++i)
    number_of[values_[i]] = NumberOf(original_->text(values_[i]), dates);
  std::stable_sort(values_.begin() + missing, names, [&](uint32_t a, uint32_t b) {
    if (number_of[a] != number_of[b]) return number_of[a] < number_of[b];
    return CompareValues(original_->text(a), original_->text(b), dates) < 0;
  });
  positions_.resize(end);
  for (uint32_t i = 0; i < end; ++i) positions_[values_[i]] = i;
  for (uint32_t i = numbers_begin_; i < numbers_end_; ++i) numbers_.push_back(number_of[values_[i]]);
}

int CellCover::Compare(uint32_t position, double number, std::string_view bound) const {
  const double own = numbers_[position - numbers_begin_];
  if (own != number) return own < number ? -1 : 1;
  return CompareValues(OriginalText(value_at(position)), bound, reading_ == Reading::kDates);
}

uint32_t CellCover::Bound(std::string_view bound, bool after) const {
  const double number = NumberOf(bound, reading_ == Reading::kDates);
  uint32_t begin = numbers_begin_, end = numbers_end_;
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    const int order = Compare(middle, number, bound);
    if (order < 0 || (after && order == 0)) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

CellCover::Range CellCover::IntervalRange(const ParsedCell& parsed) const {
  Range range{numbers_begin_, numbers_end_};
  if (!parsed.low.empty()) range.begin = Bound(parsed.low, parsed.low_open);
  if (!parsed.high.empty()) range.end = Bound(parsed.high, !parsed.high_open);
  return range;
}

std::optional<CellCover::Range> CellCover::FindValue(std::string_view text) const {
  if (const auto code = FindText(text)) {
    if (original_->is_missing(*code)) return Range{0, original_->num_missing()};
    return Range{position(*code), position(*code) + 1};
  }
  for (Code code = 0; code < original_->num_missing(); ++code) {
    if (original_->text(code) == text) return Range{0, original_->num_missing()};
  }
  if (IsMissingText(text, missing_)) return Range{0, original_->num_missing()};
  const std::string_view trimmed = TrimBlanks(text);
  if (!IsValue(trimmed, reading_)) return std::nullopt;
  return Range{Bound(trimmed, false), Bound(trimmed, true)};
}

std::vector<std::string> CellCover::Elements(const ParsedCell& parsed) const {
  return ElementsOfSet(parsed.elements, [&](std::string_view text) { return FindValue(text).has_value(); });
}

void CellCover::AddPatternMatches(std::string_view pattern, std::vector<uint32_t>& list) const {
  if (by_text_.empty()) {
    for (Code code = original_->num_missing(); code < original_->num_codes(); ++code) {
      if (MatchesPattern(pattern, original_->text(code))) list.push_back(position(code));
    }
    return;
  }
  const std::string_view prefix = pattern.substr(0, pattern.find('*'));
  auto at = std::lower_bound(by_text_.begin(), by_text_.end(), prefix,
                             [&](Code code, std::string_view wanted) { return original_->text(code) < wanted; });
  for (; at != by_text_.end() && original_->text(*at).starts_with(prefix); ++at) {
    if (!original_->is_missing(*at) && MatchesPattern(pattern, original_->text(*at))) list.push_back(position(*at));
  }
}

void CellCover::SetList(Code cell, std::vector<uint32_t> list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  Span& span = spans_[cell];
  if (list.empty()) return;  // covers nothing
  span.begin = list.front();
  span.end = list.back() + 1;
  if (span.end - span.begin == list.size()) return;
  span.list_begin = static_cast<uint32_t>(lists_.size());
  lists_.insert(lists_.end(), list.begin(), list.end());
  span.list_end = static_cast<uint32_t>(lists_.size());
  if (span.end - span.begin > 64) return;
  for (const uint32_t position : list) span.mask |= uint64_t{1} << (position - span.begin);
}

bool CellCover::InList(const Span& span, uint32_t position) const {
  return std::binary_search(lists_.begin() + span.list_begin, lists_.begin() + span.list_end, position);
}

void CellCover::ReadOneCell(Code cell, const LabelCodes* labels) {
  const std::string_view shown = released_->text(cell);
  const bool plain = original_->writing().is_plain();
  const std::string own = plain ? std::string() : OwnPlainCell(shown, original_->writing());
  const std::string_view text = plain ? shown : std::string_view(own);
  const ParsedCell parsed = ParseCell(text, reading_);
  Span& span = spans_[cell];
  std::vector<uint32_t> list;
  const auto add = [&](Range range) {
    for (uint32_t i = range.begin; i < range.end; ++i) list.push_back(i);
  };
  if (released_->is_missing(cell) || TrimBlanks(shown).empty()) {  // "missing", never a label
    add({0, original_->num_missing()});
    if (const auto code = FindText(text)) list.push_back(position(*code));
    return SetList(cell, std::move(list));
  }
  switch (parsed.form) {
    case ParsedCell::Form::kMask:
      masks_[cell] = true;
      span = {0, num_positions()};
      return;
    case ParsedCell::Form::kValue:
      if (const auto label = labels == nullptr ? LabelCodes::const_iterator() : labels->find(std::string(shown));
          labels != nullptr && label != labels->end()) {
        for (const Code code : label->second) list.push_back(position(code));
        if (const auto range = FindValue(text)) add(*range);  // a label may be a value too
        return SetList(cell, std::move(list));
      }
      if (const auto range = FindValue(text)) {
        span = {range->begin, range->end};
      } else {
        unchecked_[cell] = true;
        span = {0, num_positions()};
      }
      return;
    case ParsedCell::Form::kInterval: {
      const Range range = IntervalRange(parsed);
      const auto same = FindText(text);
      if (!same) {
        if (range.begin < range.end) span = {range.begin, range.end};
        return;
      }
      add(range);
      break;
    }
    case ParsedCell::Form::kSet:
      for (const std::string& element : Elements(parsed)) {
        if (element.empty()) add({0, original_->num_missing()});
        if (const auto range = FindValue(element)) add(*range);
      }
      break;
    case ParsedCell::Form::kPattern:
      AddPatternMatches(TrimBlanks(text), list);
      break;
  }
  if (const auto same = FindText(text)) list.push_back(position(*same));  // a name may look like a set, and is itself
  SetList(cell, std::move(list));
}

SharedValues ShareValues(const Column& released, const Column& original) {
  SharedValues shared;
  shared.of_released.assign(released.num_codes(), 0);
  shared.of_original.assign(original.num_codes(), 0);
  shared.count = 1;  // 0 is "missing"
  Code a = released.num_missing(), b = original.num_missing();
  const bool plain = released.writing().is_plain() && original.writing().is_plain();  // else texts are compared
  if (plain && released.is_numeric() && original.is_numeric() && released.is_date() == original.is_date()) {
    while (a < released.num_codes() || b < original.num_codes()) {  // both are sorted: merge them
      int order = a == released.num_codes() ? 1 : b == original.num_codes() ? -1 : 0;
      if (order == 0) order = CompareValues(released.text(a), original.text(b), original.is_date());
      const Code first_a = a, first_b = b;
      if (order <= 0) {
        while (a < released.num_codes() && released.same_value(a, first_a)) shared.of_released[a++] = shared.count;
      }
      if (order >= 0) {
        while (b < original.num_codes() && original.same_value(b, first_b)) shared.of_original[b++] = shared.count;
      }
      ++shared.count;
    }
    return shared;
  }
  std::unordered_map<std::string_view, uint32_t> numbers;
  for (; a < released.num_codes(); ++a)
    shared.of_released[a] = numbers.emplace(released.text(a), numbers.size() + 1).first->second;
  for (; b < original.num_codes(); ++b)
    shared.of_original[b] = numbers.emplace(original.text(b), numbers.size() + 1).first->second;
  shared.count = static_cast<uint32_t>(numbers.size()) + 1;
  return shared;
}

}  // namespace tada
