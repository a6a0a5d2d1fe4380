#pragma once

// One released column, ready to be decoded: its cells as choices among atoms, and how likely each atom is inside each cell.

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "decode/cell_atoms.h"
#include "table/column.h"

namespace tada {

class ColumnDecoder {
 public:
  /// `learn_from`: the column of another release that the shares of the atoms are estimated from; null: `column` itself.
  /// `kind` says whether cells are numbers or names where they leave it open; `writing` how values are written, where it is not
  /// to be found by looking at them.
  ColumnDecoder(const Column& column, const Column* learn_from, std::optional<Kind> kind,
                std::span<const std::string> missing, Notation notation, const Writing& writing = {});

  /// Whether a cell is no value: it stands for several, or for one that it does not name.
  bool widened(Code cell) const {
    const CellAtoms::Choice& choice = cells_.choices[cell];
    return changed_[cell] && (choice.text == CellAtoms::kDrawn || choice.size() != 1);
  }
  /// Whether some cell is to be written otherwise than it stands.
  bool any_changed() const { return std::find(changed_.begin(), changed_.end(), true) != changed_.end(); }
  /// The cells of the column that could not be read, by code.
  const std::vector<Code>& unread() const { return cells_.unread; }
  /// Whether there is no value that widened cells could stand for.
  bool knows_no_value() const { return cells_.num_atoms() == (cells_.has_missing ? 1u : 0u); }
  const CellAtoms& cells() const { return cells_; }
  /// How values are written, and the writings that are possible where cells do not say which it is.
  const Writing& writing() const { return writing_; }
  const std::vector<Writing>& undecided() const { return undecided_; }
  /// The share of each atom in the column.
  const std::vector<double>& marginal() const { return marginal_; }

  /// What to write for a cell, an index into cells().texts: its own text, or that of an atom inside it, drawn in proportion
  /// to the marginal by `unit`, a number in [0, 1).
  uint32_t Draw(Code cell, double unit) const;
  /// How likely each atom of a cell is, in the order of cells().atom(); a cell with no atom has none.
  std::vector<double> Probabilities(Code cell) const;
  /// The mean number inside a cell, "missing" left out; nothing for a cell without a number.
  std::optional<double> ExpectedNumber(Code cell) const;

 private:
  Reading FindReading(const std::vector<std::string_view>& texts, std::optional<Kind> kind,
                      std::span<const std::string> missing);
  void ReadWritten(const std::vector<std::string_view>& texts, Reading reading, std::span<const std::string> missing,
                   Notation notation);
  void SumUp();

  CellAtoms cells_;
  Writing writing_;
  std::vector<Writing> undecided_;
  std::vector<double> marginal_;
  std::vector<double> sums_, list_sums_;  // of the marginal up to each atom, and to each entry of a list
  std::vector<bool> changed_;             // by code
};

}  // namespace tada
