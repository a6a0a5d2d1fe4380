// Columns as lists of columns write them: `age`, `zip:categorical`, `dob:date`, `dob:date:%d/%m/%Y`, `price:numeric:comma`, and for
// labels `y:2` or `y:categorical:2`.

#include "plan/plan.h"
#include "table/number.h"

namespace tada {
namespace {

std::optional<Kind> KindOf(std::string_view word) {
  for (const Kind kind : {Kind::kNumeric, Kind::kCategorical, Kind::kOrdinal}) {
    if (word == KindName(kind)) return kind;
  }
  return std::nullopt;
}

std::optional<double> WeightOf(std::string_view word) {
  const auto number = ParseNumber(word);
  if (!number || *number <= 0) return std::nullopt;
  return number;
}

/// What stands behind the last colon, if something stands before it; "" otherwise.
std::string_view LastPart(std::string_view text) {
  const size_t colon = text.rfind(':');
  return colon == std::string_view::npos || colon == 0 ? std::string_view() : text.substr(colon + 1);
}

/// The suffix that says how numbers or dates are written, with the colon before it: `:date:%d/%m/%Y %H:%M`, `:numeric:comma`.
std::string_view FormatSuffix(std::string_view text) {
  for (const std::string_view suffix : {":numeric:comma", ":numeric:point"}) {
    if (text.ends_with(suffix) && text.size() > suffix.size()) return text.substr(text.size() - suffix.size());
  }
  const size_t date = text.rfind(":date:%");
  return date == std::string_view::npos || date == 0 ? std::string_view() : text.substr(date);
}

/// Whether a name, colons at its end aside, would be taken for a name and a suffix.
bool EndsLikeASuffix(std::string_view name, bool is_label) {
  while (name.ends_with(':')) name.remove_suffix(1);
  const std::string_view part = LastPart(name);
  if (part == "date" || !FormatSuffix(name).empty()) return true;
  return KindOf(part).has_value() || (is_label && WeightOf(part).has_value());
}

}  // namespace

PlannedColumn ParsePlannedColumn(std::string_view text, bool is_label) {
  PlannedColumn column;
  bool has_weight = false;
  if (const std::string_view suffix = FormatSuffix(text); !suffix.empty() && !text.ends_with(':')) {
    column.kind = Kind::kNumeric;
    column.dates = suffix.starts_with(":date:");
    column.format = suffix.substr(suffix.find(':', 1) + 1);
    text.remove_suffix(suffix.size());
  }
  for (;;) {
    if (text.ends_with(':') && EndsLikeASuffix(text, is_label)) {
      text.remove_suffix(1);
      break;
    }
    const std::string_view part = LastPart(text);
    if (const auto kind = KindOf(part); kind && !column.kind) {
      column.kind = kind;
    } else if (part == "date" && !column.kind) {
      column.kind = Kind::kNumeric;
      column.dates = true;
    } else if (const auto weight = WeightOf(part); weight && is_label && !has_weight) {
      column.weight = *weight;
      has_weight = true;
    } else {
      break;
    }
    text.remove_suffix(part.size() + 1);
  }
  column.name = text;
  return column;
}

std::string PlannedColumnText(const PlannedColumn& column, bool is_label) {
  std::string text = column.name;
  if (EndsLikeASuffix(text, is_label)) text += ':';
  if (column.kind) text += fmt::format(":{}", column.dates ? "date" : KindName(*column.kind));
  if (!column.format.empty()) text += ':' + column.format;
  if (is_label && column.weight != 1.0) text += fmt::format(":{}", column.weight);
  return text;
}

}  // namespace tada
