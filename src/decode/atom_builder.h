#pragma once

// What reading names and reading numbers share; cell_atoms.h is the door.

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "audit/classes/reading.h"
#include "decode/cell_atoms.h"

namespace tada {

class AtomBuilder {
 public:
  AtomBuilder(std::span<const std::string_view> cells, Reading reading, std::span<const std::string> missing,
              Notation notation);

 protected:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  using Choice = CellAtoms::Choice;

  bool IsMissing(std::string_view text) const { return IsMissingText(text, missing_); }
  /// Reads a cell by the notation of the column. What another one would read is a value.
  ParsedCell Parse(std::string_view text) const;
  bool IsForeign(std::string_view text) const;
  /// Whether a set in braces has this element.
  bool IsNamed(std::string_view text) const { return named_.contains(text); }
  /// The elements of a set; none of other cells.
  std::vector<std::string> Elements(ParsedCell cell) const {
    return ElementsOfSet(std::move(cell.elements), [&](std::string_view text) {
      return text.find(';') == std::string_view::npos || with_semicolon_.contains(text);
    });
  }
  /// A cell that is a value; `atom` kNone: it is none of the atoms.
  Choice Value(std::string_view text, uint32_t atom);
  /// The atoms of a list, kNone among them left out; no atom: unread.
  Choice List(std::string_view text, std::vector<uint32_t> atoms);
  /// The same of a set; of one element it is that value.
  Choice Set(std::string_view text, std::vector<uint32_t> atoms);
  /// A mask: any atom.
  Choice Everything(std::string_view text);
  /// A cell that cannot be read: the one that comes next in made_.choices.
  Choice Unread(std::string_view text);
  Choice Fixed(std::string text, uint32_t begin = 0, uint32_t end = 0);
  std::vector<uint32_t> Matching(std::string_view pattern) const;

  std::span<const std::string_view> cells_;
  std::span<const std::string> missing_;
  CellAtoms made_;

 private:
  std::string missing_text_;
  std::unordered_set<std::string_view> with_semicolon_;  // cells
  std::set<std::string, std::less<>> named_;
  Notation notation_;
};

CellAtoms ReadNameCells(std::span<const std::string_view> cells, std::span<const std::string> missing,
                        Notation notation);
CellAtoms ReadNumberCells(std::span<const std::string_view> cells, Reading reading,
                          std::span<const std::string> missing, Notation notation);

}  // namespace tada
