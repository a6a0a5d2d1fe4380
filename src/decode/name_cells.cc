// Cells of a column of names: values, sets, patterns and masks.

#include <algorithm>

#include "decode/atom_builder.h"

namespace tada {
namespace {

class NameCells : AtomBuilder {
 public:
  NameCells(std::span<const std::string_view> cells, std::span<const std::string> missing, Notation notation)
      : AtomBuilder(cells, Reading::kNames, missing, notation) {}

  CellAtoms Read() && {
    CollectNames();
    for (const std::string_view text : cells_) made_.choices.push_back(Read(text));
    return std::move(made_);
  }

 private:
  // Whether a cell looks like an interval of something that cannot be counted with, as `[01.02.2020,05.02.2020]`.
  bool IsUnread(std::string_view text) const {
    const size_t comma = text.find_first_of(",;");
    if (comma == std::string_view::npos || IsNamed(text)) return false;
    if (std::string_view("[](").find(text.front()) == std::string_view::npos) return false;
    if (std::string_view("[])").find(text.back()) == std::string_view::npos) return false;
    const auto has_digit = [](std::string_view bound) {
      return bound.find_first_of("0123456789") != std::string_view::npos;
    };
    return has_digit(text.substr(0, comma)) && has_digit(text.substr(comma));
  }

  void CollectNames() {
    std::vector<std::string> names;
    for (const std::string_view text : cells_) {
      if (IsMissing(text)) continue;
      ParsedCell cell = Parse(text);
      if (cell.form == ParsedCell::Form::kValue && !IsUnread(text)) names.emplace_back(text);
      for (std::string& element : Elements(std::move(cell))) {
        if (!IsMissing(element)) names.push_back(std::move(element));
      }
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    made_.texts.insert(made_.texts.end(), std::move_iterator(names.begin()), std::move_iterator(names.end()));
    made_.numbers.resize(made_.texts.size(), -std::numeric_limits<double>::infinity());
  }

  // Which atom a name is; kNone if it is none.
  uint32_t Find(std::string_view name) const {
    if (IsMissing(name)) return 0;
    const auto begin = made_.texts.begin() + (made_.has_missing ? 1 : 0);
    const auto end = made_.texts.begin() + made_.num_atoms();
    const auto found = std::lower_bound(begin, end, name);
    return found != end && *found == name ? static_cast<uint32_t>(found - made_.texts.begin()) : kNone;
  }

  Choice Read(std::string_view text) {
    if (IsMissing(text)) return Value(text, 0);
    if (IsUnread(text)) return Unread(text);
    ParsedCell cell = Parse(text);
    std::vector<uint32_t> atoms;
    switch (cell.form) {
      case ParsedCell::Form::kMask:
        return Everything(text);
      case ParsedCell::Form::kPattern:
        return List(text, Matching(text));
      case ParsedCell::Form::kSet:
        for (const std::string& element : Elements(std::move(cell))) atoms.push_back(Find(element));
        return Set(text, std::move(atoms));
      case ParsedCell::Form::kValue:
      case ParsedCell::Form::kInterval:
        break;
    }
    return Value(text, Find(text));
  }
};

}  // namespace

CellAtoms ReadNameCells(std::span<const std::string_view> cells, std::span<const std::string> missing,
                        Notation notation) {
  return NameCells(cells, missing, notation).Read();
}

}  // namespace tada
