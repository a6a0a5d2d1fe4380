// Columns as lists of columns write them: `age`, `zip:categorical`, and for labels `y:2` or `y:categorical:2`.

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

/// Whether a name, colons at its end aside, would be taken for a name and a suffix.
bool EndsLikeASuffix(std::string_view name, bool is_label) {
  while (name.ends_with(':')) name.remove_suffix(1);
  const std::string_view part = LastPart(name);
  return KindOf(part).has_value() || (is_label && WeightOf(part).has_value());
}

}  // namespace

PlannedColumn ParsePlannedColumn(std::string_view text, bool is_label) {
  PlannedColumn column;
  bool has_weight = false;
  for (;;) {
    if (text.ends_with(':') && EndsLikeASuffix(text, is_label)) {
      text.remove_suffix(1);
      break;
    }
    const std::string_view part = LastPart(text);
    if (const auto kind = KindOf(part); kind && !column.kind) {
      column.kind = kind;
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
  if (column.kind) text += fmt::format(":{}", KindName(*column.kind));
  if (is_label && column.weight != 1.0) text += fmt::format(":{}", column.weight);
  return text;
}

}  // namespace tada
