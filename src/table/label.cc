#include "table/label.h"

#include <algorithm>
#include <cmath>

#include "table/number.h"

namespace tada {
namespace {

std::optional<double> NumberOf(std::string_view text, Reading reading) {
  return reading == Reading::kDates ? ParseDate(text) : ParseNumber(text);
}

Reading ReadingOf(const Column& column) {
  if (!column.is_numeric()) return Reading::kNames;
  return column.is_date() ? Reading::kDates : Reading::kNumbers;
}

std::string_view TrimBlanks(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

}  // namespace

std::optional<LabelInterval> ReadInterval(std::string_view label, Reading reading) {
  std::string dotted(label);
  for (const bool commas : {false, true}) {  // decimal commas only where the label is nothing else
    if (commas && (reading != Reading::kNumbers || dotted.find(',') == std::string::npos)) break;
    if (commas) std::replace(dotted.begin(), dotted.end(), ',', '.');
    const ParsedCell cell = ParseCell(dotted, reading);
    if (cell.form == ParsedCell::Form::kInterval)
      return LabelInterval{std::string(cell.low), std::string(cell.high), cell.low_open, cell.high_open};
    if (cell.form != ParsedCell::Form::kValue) break;
  }
  return std::nullopt;
}

Reading ReadingOf(const Column& column, const std::vector<std::string>& labels) {
  if (column.is_numeric()) return ReadingOf(column);
  std::unordered_set<std::string_view> values;
  for (Code code = 0; code < column.num_codes(); ++code) values.insert(column.text(code));
  std::vector<std::string_view> others;
  std::copy_if(labels.begin(), labels.end(), std::back_inserter(others),
               [&](const std::string& label) { return !values.contains(label); });
  const Reading reading = MostRead(others);
  return HoldsAny(column, reading) ? reading : Reading::kNames;
}

LabelCover::LabelCover(const std::string& label, const Column& column, Reading reading)
    : label_(label), column_(column), reading_(reading) {
  const std::string plain = PlainCell(label_, column.writing());
  ParsedCell cell = ParseCell(plain, reading);
  form_ = cell.form;
  interval_ = ReadInterval(plain, reading);
  if (interval_) return;
  name_ = form_ == ParsedCell::Form::kValue && !IsValue(TrimBlanks(plain), reading);
  if (form_ == ParsedCell::Form::kSet) AddElements(std::move(cell.elements));
  if (form_ == ParsedCell::Form::kValue && !name_) AddElements({std::string(TrimBlanks(plain))});
}

void LabelCover::AddElements(std::vector<std::string> elements) {
  const auto is_value = [&](const std::string& element) {
    if (IsValue(element, reading_)) return true;
    for (Code code = 0; code < column_.num_codes(); ++code) {
      if (column_.text(code) == element) return true;
    }
    return false;
  };
  elements_ = ElementsOfSet(std::move(elements), is_value);
  for (const std::string& element : elements_) {
    texts_.insert(element);
    if (const auto number = reading_ == Reading::kNames ? std::nullopt : NumberOf(TrimBlanks(element), reading_))
      numbers_.emplace(*number, TrimBlanks(element));
  }
}

int LabelCover::Compare(std::string_view a, std::string_view b) const {
  return reading_ == Reading::kDates ? DateKey(a).compare(DateKey(b)) : CompareNumbers(a, b);
}

bool LabelCover::InInterval(std::string_view value) const {
  if (!IsValue(value, reading_)) return false;
  const int low = interval_->low.empty() ? 1 : Compare(value, interval_->low);
  const int high = interval_->high.empty() ? -1 : Compare(value, interval_->high);
  return (low > 0 || (low == 0 && !interval_->low_open)) && (high < 0 || (high == 0 && !interval_->high_open));
}

bool LabelCover::IsElement(std::string_view value) const {
  if (texts_.contains(value)) return true;
  const auto number = numbers_.empty() ? std::nullopt : NumberOf(value, reading_);
  if (!number) return false;
  const auto [begin, end] = numbers_.equal_range(*number);
  return std::any_of(begin, end, [&](const auto& element) { return Compare(value, element.second) == 0; });
}

bool LabelCover::Covers(Code code) const {
  const std::string plain = column_.writing().is_plain() ? "" : column_.plain(code);
  const std::string_view value = plain.empty() ? column_.text(code) : std::string_view(plain);
  if (name_ || form_ == ParsedCell::Form::kMask || column_.text(code) == label_) return true;
  if (column_.is_missing(code)) return form_ == ParsedCell::Form::kSet && (texts_.contains("") || IsElement(value));
  if (interval_) return InInterval(value);
  return form_ == ParsedCell::Form::kPattern ? MatchesPattern(TrimBlanks(label_), column_.text(code))
                                             : IsElement(value);
}

std::string_view LabelCover::form() const {
  if (interval_) return "an interval";
  if (form_ == ParsedCell::Form::kSet) return "a set";
  if (form_ == ParsedCell::Form::kPattern) return "a pattern, in which a star stands for one character";
  return reading_ == Reading::kDates ? "a date" : "a number";
}

double SpanShare(double low, double high, double bottom, double top) {
  if (!std::isfinite(top - bottom)) return (high / 2 - low / 2) / (top / 2 - bottom / 2);
  return top > bottom ? (high - low) / (top - bottom) : 0.0;
}

double CountShare(uint64_t values, uint64_t domain) {
  return values < 2 || domain < 2 ? 0.0
                                  : std::min(1.0, static_cast<double>(values - 1) / static_cast<double>(domain - 1));
}

std::array<std::optional<double>, 2> LabelBounds(const Column& column, std::string_view label) {
  const Reading reading = ReadingOf(column);
  const std::optional<LabelInterval> interval =
      reading == Reading::kNames ? std::nullopt : ReadInterval(PlainCell(label, column.writing()), reading);
  if (!interval) return {};
  return {interval->low.empty() ? std::nullopt : NumberOf(interval->low, reading),
          interval->high.empty() ? std::nullopt : NumberOf(interval->high, reading)};
}

double LabelLoss(const Column& column, std::string_view label, uint64_t values, double bottom, double top) {
  const Reading reading = ReadingOf(column);
  const bool counts = reading == Reading::kNames || column.num_missing() == column.num_codes() || bottom > top ||
                      !ReadInterval(PlainCell(label, column.writing()), reading);
  if (counts) return CountShare(values, column.num_values());
  const auto [low, high] = LabelBounds(column, label);
  return std::clamp(SpanShare(low.value_or(bottom), high.value_or(top), bottom, top), 0.0, 1.0);
}

double LabelLoss(const Column& column, std::string_view label, uint64_t values) {
  if (!column.is_numeric() || column.num_missing() == column.num_codes())
    return CountShare(values, column.num_values());
  return LabelLoss(column, label, values, column.number(column.num_missing()), column.number(column.num_codes() - 1));
}

}  // namespace tada
