#include "base/option.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/option_mark.h"

namespace tada {
namespace {

template <class T>
std::optional<T> ParseNumber(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

/// A flag with choices may have one of them for a value, with a number or without: json, json:3.
bool IsWordOfFlag(const OptionSpec& spec, std::string_view text) {
  const std::string_view word = text.substr(0, text.find(':'));
  if (std::find(spec.choices.begin(), spec.choices.end(), word) == spec.choices.end()) return false;
  return word == text || ParseNumber<uint16_t>(text.substr(word.size() + 1)).has_value();
}

/// A whole number with choices may be one of them instead.
std::string WholeNumberWords(const OptionSpec& spec) {
  return spec.choices.empty() ? "a whole number"
                              : fmt::format("a whole number, or {}", fmt::join(spec.choices, " or "));
}

std::string FlagWords(const OptionSpec& spec) {
  if (spec.choices.empty()) return "true or false";
  return fmt::format("no value, or {}", fmt::join(spec.choices, " or "));
}

}  // namespace

const std::vector<std::string>& OptionValues::List(std::string_view name) const {
  static const std::vector<std::string> kNone;
  const auto found = values_.find(name);
  return found == values_.end() ? kNone : found->second;
}

std::string OptionValues::Text(std::string_view name) const {
  const auto& values = List(name);
  return values.empty() ? std::string() : values.back();
}

int64_t OptionValues::Integer(std::string_view name, int64_t otherwise) const {
  return Has(name) ? ParseNumber<int64_t>(Text(name)).value_or(otherwise) : otherwise;
}

double OptionValues::Real(std::string_view name, double otherwise) const {
  return Has(name) ? ParseNumber<double>(Text(name)).value_or(otherwise) : otherwise;
}

void OptionValues::Override(const OptionValues& stronger) {
  for (const auto& [name, values] : stronger.values_) values_[name] = values;
}

Status ValidateOption(const OptionSpec& spec, std::string_view text) {
  const auto number_error = [&](std::string_view what) -> Error {
    return InvalidArgument(TADA_OPTION("{}") " takes {}, not '{}'", spec.name, what, text);
  };
  std::optional<double> number;
  switch (spec.type) {
    case OptionType::kInteger: {
      if (std::find(spec.choices.begin(), spec.choices.end(), text) != spec.choices.end()) return Ok();
      const auto integer = ParseNumber<int64_t>(text);
      if (!integer) return number_error(WholeNumberWords(spec));
      number = static_cast<double>(*integer);
      break;
    }
    case OptionType::kReal:
      number = ParseNumber<double>(text);
      if (!number || !std::isfinite(*number)) return number_error("a number");
      break;
    case OptionType::kChoice:
      if (std::find(spec.choices.begin(), spec.choices.end(), text) == spec.choices.end()) {
        return InvalidArgument(TADA_OPTION("{}") " takes one of {}, not '{}'", spec.name, fmt::join(spec.choices, ", "),
                               text);
      }
      break;
    case OptionType::kFlag:
      if (text != "true" && text != "false" && !IsWordOfFlag(spec, text)) return number_error(FlagWords(spec));
      break;
    case OptionType::kText:
    case OptionType::kList:
      break;
  }
  if (number && spec.minimum && *number < *spec.minimum) {
    return InvalidArgument(TADA_OPTION("{}") " must be at least {}, not {}", spec.name, *spec.minimum, text);
  }
  if (number && spec.maximum && *number > *spec.maximum) {
    return InvalidArgument(TADA_OPTION("{}") " must be at most {}, not {}", spec.name, *spec.maximum, text);
  }
  return Ok();
}

Status ValidateValues(const OptionSpecs& specs, const OptionValues& values) {
  for (const auto& [name, given] : values.all()) {
    const OptionSpec* spec = FindOption(specs, name);
    if (spec == nullptr) {
      std::vector<std::string> known;
      for (const OptionSpec& candidate : specs) known.emplace_back(candidate.name);
      const auto nearest = SuggestName(name, known);
      return InvalidArgument("Unknown option: {}", name)
          .WithHint(nearest ? fmt::format("Did you mean {}?", *nearest) : "'tada anonymize --help' lists them.");
    }
    if (spec->type != OptionType::kList && given.size() != 1) {
      return InvalidArgument(TADA_OPTION("{}") " takes one value, not {}", name, given.size());
    }
    for (const std::string& text : given) TADA_CHECK_OK(ValidateOption(*spec, text));
  }
  return Ok();
}

OptionSpecs Join(std::initializer_list<OptionSpecs> groups) {
  OptionSpecs all;
  for (const OptionSpecs& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

OptionSpecs Only(const OptionSpecs& group, std::initializer_list<std::string_view> names) {
  OptionSpecs chosen;
  for (const std::string_view name : names) TADA_ASSERT(FindOption(group, name) != nullptr);
  for (const OptionSpec& spec : group) {
    if (std::ranges::find(names, spec.name) != names.end()) chosen.push_back(spec);
  }
  return chosen;
}

OptionSpecs Without(const OptionSpecs& group, std::initializer_list<std::string_view> names) {
  OptionSpecs rest;
  for (const std::string_view name : names) TADA_ASSERT(FindOption(group, name) != nullptr);
  for (const OptionSpec& spec : group) {
    if (std::ranges::find(names, spec.name) == names.end()) rest.push_back(spec);
  }
  return rest;
}

OptionSpecs NotListed(OptionSpecs group) {
  for (OptionSpec& spec : group) spec.listed = false;
  return group;
}

OptionSpec TextOption(std::string_view name, std::string_view value_name, std::string_view section,
                      std::string_view help) {
  return {.name = name, .type = OptionType::kText, .value_name = value_name, .section = section, .help = help};
}

OptionSpec WithHelp(OptionSpec spec, std::string_view help) {
  spec.help = help;
  return spec;
}

const OptionSpec* FindOption(const OptionSpecs& specs, std::string_view name) {
  const auto found = std::ranges::find(specs, name, &OptionSpec::name);
  return found == specs.end() ? nullptr : &*found;
}

std::optional<std::string> NearestName(std::string_view word, const std::vector<std::string>& known) {
  const std::string* best = nullptr;
  size_t best_distance = word.size() / 2 + 1;  // farther than half its length is another word
  for (const std::string& name : known) {
    const size_t distance = EditDistance(word, name);
    if (distance < best_distance) {
      best = &name;
      best_distance = distance;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::optional<std::string> SuggestName(std::string_view word, const std::vector<std::string>& known) {
  for (const std::string& name : known) {
    if (word.size() >= 2 && name.starts_with(word)) return name;
  }
  return NearestName(word, known);
}

Result<std::vector<std::string>> SplitList(std::string_view text) {
  std::vector<std::string> items;
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  size_t at = 0;
  for (;;) {
    while (at < text.size() && blank(text[at])) ++at;
    std::string item;
    if (at < text.size() && text[at] == '"') {
      for (++at;; ++at) {
        if (at == text.size()) return InvalidArgument("A quote is not closed: {}", text);
        if (text[at] != '"') {
          item += text[at];
        } else if (at + 1 < text.size() && text[at + 1] == '"') {
          item += text[++at];
        } else {
          break;
        }
      }
      for (++at; at < text.size() && blank(text[at]);) ++at;
      if (at < text.size() && text[at] != ',')
        return InvalidArgument("A comma must follow the closing quote: {}", text);
    } else {
      const size_t end = std::min(text.find(',', at), text.size());
      item = text.substr(at, end - at);
      while (!item.empty() && blank(item.back())) item.pop_back();
      if (item == "''") item.clear();
      at = end;
    }
    items.push_back(std::move(item));
    if (at >= text.size()) return items;
    ++at;
  }
}

std::string JoinList(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    if (&item != &items.front()) text += ',';
    const bool plain =
        !item.empty() && item.find_first_of(",\"'\t") == std::string::npos && item.front() != ' ' && item.back() != ' ';
    if (plain) {
      text += item;
      continue;
    }
    text += '"';
    for (const char c : item) text += c == '"' ? "\"\"" : std::string(1, c);
    text += '"';
  }
  return text;
}

}  // namespace tada
