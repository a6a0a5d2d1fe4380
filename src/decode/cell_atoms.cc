#include "decode/cell_atoms.h"

#include <algorithm>

#include "decode/atom_builder.h"

namespace tada {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

AtomBuilder::AtomBuilder(std::span<const std::string_view> cells, Reading reading, std::span<const std::string> missing)
    : cells_(cells), missing_(missing) {
  made_.reading = reading;
  for (const std::string_view text : cells_) {
    if (text.find(';') != std::string_view::npos) with_semicolon_.insert(text);
  }
  // Sets write "missing" as nothing, single cells as the input spelled it: the latter is the spelling to keep.
  for (const std::string_view text : cells_) {
    if (IsMissing(text)) {
      made_.has_missing = true;
      if (missing_text_.empty()) missing_text_ = text;
    } else {
      for (const std::string& element : Elements(ParseCell(text, reading))) {
        made_.has_missing = made_.has_missing || IsMissing(element);
      }
    }
  }
  if (!made_.has_missing) return;
  made_.numbers.push_back(-kInfinity);
  made_.texts.push_back(missing_text_);
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

CellAtoms ReadCells(std::span<const std::string_view> cells, Reading reading, std::span<const std::string> missing) {
  return reading == Reading::kNames ? ReadNameCells(cells, missing) : ReadNumberCells(cells, reading, missing);
}

}  // namespace tada
