#pragma once

// What reading names and reading numbers share; cell_atoms.h is the door.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/reading.h"
#include "decode/cell_atoms.h"

namespace tada {

class AtomBuilder {
 public:
  AtomBuilder(std::span<const std::string_view> cells, Reading reading, std::span<const std::string> missing);

 protected:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  using Choice = CellAtoms::Choice;

  bool IsMissing(std::string_view text) const { return IsMissingText(text, missing_); }
  /// A cell that is a value; `atom` kNone: it is none of the atoms.
  Choice Value(std::string_view text, uint32_t atom);
  /// The atoms of a list, kNone among them left out; no atom: unread.
  Choice List(std::string_view text, std::vector<uint32_t> atoms);
  /// A mask: any atom.
  Choice Everything(std::string_view text);
  Choice Unread(std::string_view text);
  Choice Fixed(std::string text, uint32_t begin = 0, uint32_t end = 0);
  std::vector<uint32_t> Matching(std::string_view pattern) const;

  std::span<const std::string_view> cells_;
  std::span<const std::string> missing_;
  CellAtoms made_;

 private:
  std::string missing_text_;
};

CellAtoms ReadNameCells(std::span<const std::string_view> cells, std::span<const std::string> missing);
CellAtoms ReadNumberCells(std::span<const std::string_view> cells, Reading reading,
                          std::span<const std::string> missing);

}  // namespace tada
