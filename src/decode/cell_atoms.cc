#include "decode/cell_atoms.h"

#include <algorithm>

#include "decode/atom_builder.h"

namespace tada {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool HasBrackets(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first != std::string_view::npos && std::string_view("[](){").find(text[first]) != std::string_view::npos;
}

}  // namespace

AtomBuilder::AtomBuilder(std::span<const std::string_view> cells, Reading reading, std::span<const std::string> missing,
                         Notation notation)
    : cells_(cells), missing_(missing), notation_(notation) {
  made_.reading = reading;
  for (const std::string_view text : cells_) {
    if (text.find(';') != std::string_view::npos) with_semicolon_.insert(text);
  }
  for (const std::string_view text : cells_) {
    if (!HasBrackets(text)) continue;
    for (std::string& element : Elements(ParseCell(text, reading))) named_.insert(std::move(element));
  }
  for (size_t i = 0; i < cells_.size() && !made_.foreign; ++i) {
    if (IsForeign(cells_[i])) made_.foreign = static_cast<Code>(i);
  }
  // Sets write "missing" as nothing, single cells as the input spelled it: the latter is the spelling to keep.
  for (const std::string_view text : cells_) {
    if (IsMissing(text)) {
      made_.has_missing = true;
      if (missing_text_.empty()) missing_text_ = text;
    } else {
      for (const std::string& element : Elements(Parse(text))) {
        made_.has_missing = made_.has_missing || IsMissing(element);
      }
    }
  }
  if (!made_.has_missing) return;
  made_.numbers.push_back(-kInfinity);
  made_.texts.push_back(missing_text_);
}

bool AtomBuilder::IsForeign(std::string_view text) const {
  if (notation_ == Notation::kAny || HasBrackets(text) || IsNamed(text) || IsMissing(text)) return false;
  const ParsedCell::Form form = ParseCell(text, made_.reading).form;
  return form != ParsedCell::Form::kValue && form != ParsedCell::Form::kMask;
}

ParsedCell AtomBuilder::Parse(std::string_view text) const {
  ParsedCell cell = ParseCell(text, made_.reading);
  const bool is_value = cell.form != ParsedCell::Form::kMask && IsNamed(text);
  return is_value || IsForeign(text) ? ParsedCell() : cell;
}

CellAtoms::Choice AtomBuilder::Fixed(std::string text, uint32_t begin, uint32_t end) {
  made_.texts.push_back(std::move(text));
  return {static_cast<uint32_t>(made_.texts.size() - 1), begin, end, false};
}

CellAtoms::Choice AtomBuilder::Value(std::string_view text, uint32_t atom) {
  if (atom == kNone) return Fixed(std::string(text));
  if (made_.texts[atom] == text) return {atom, atom, atom + 1, false};
  return Fixed(std::string(text), atom, atom + 1);  // another spelling of it
}

CellAtoms::Choice AtomBuilder::List(std::string_view text, std::vector<uint32_t> atoms) {
  std::erase(atoms, kNone);
  if (atoms.empty()) return Unread(text);
  std::sort(atoms.begin(), atoms.end());
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  const auto begin = static_cast<uint32_t>(made_.lists.size());
  made_.lists.insert(made_.lists.end(), atoms.begin(), atoms.end());
  return {CellAtoms::kDrawn, begin, static_cast<uint32_t>(made_.lists.size()), true};
}

CellAtoms::Choice AtomBuilder::Set(std::string_view text, std::vector<uint32_t> atoms) {
  const bool single = atoms.size() == 1 && atoms[0] != kNone;
  return single ? Choice{atoms[0], atoms[0], atoms[0] + 1, false} : List(text, std::move(atoms));
}

CellAtoms::Choice AtomBuilder::Everything(std::string_view text) {
  if (made_.num_atoms() == 0) return Unread(text);  // nothing but masks in this column
  return {CellAtoms::kDrawn, 0, made_.num_atoms(), false};
}

CellAtoms::Choice AtomBuilder::Unread(std::string_view text) {
  made_.unread.push_back(static_cast<Code>(made_.choices.size()));
  return Fixed(std::string(text));
}

std::vector<uint32_t> AtomBuilder::Matching(std::string_view pattern) const {
  std::vector<uint32_t> atoms;
  for (uint32_t atom = made_.has_missing ? 1 : 0; atom < made_.num_atoms(); ++atom) {
    if (MatchesPattern(pattern, made_.texts[atom])) atoms.push_back(atom);
  }
  return atoms;
}

CellAtoms ReadCells(std::span<const std::string_view> cells, Reading reading, std::span<const std::string> missing,
                    Notation notation) {
  return reading == Reading::kNames ? ReadNameCells(cells, missing, notation)
                                    : ReadNumberCells(cells, reading, missing, notation);
}

}  // namespace tada
