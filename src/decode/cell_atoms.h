#pragma once

// The cells of a released column as choices among atoms.
//   atom     a value that a cell may stand for. Of names: every one that the cells name. Of numbers and dates: every value and
//            every end of an interval that occurs; if these are more than 400, their 400 quantiles. "Missing" is an atom
//            too, if it occurs.
//   choice   what a cell may stand for: a run of atoms (an interval, a mask) or a list of them (a set, a pattern). A cell
//            that is a value has its own text, and its atom as a run of one.
//   text     what is written for a cell in the end. The atoms' texts come first, under the atoms' numbers.
// An end that is left out, as 20 in `(20,30]`, is no value of the cell: among whole numbers the next one stands for it, else
// the middle of the interval does. An interval without any atom inside is its middle; one of numbers from 2^53 on, which
// doubles cannot tell apart, an end of it. A cell that cannot be read stays as it is.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decode/moment_text.h"
#include "table/parsed_cell.h"

namespace tada {

struct CellAtoms {
  static constexpr uint32_t kDrawn = std::numeric_limits<uint32_t>::max();

  struct Choice {
    uint32_t text = kDrawn;       ///< the only text of this cell; kDrawn: that of one of its atoms
    uint32_t begin = 0, end = 0;  ///< its atoms; of a list, where they stand in `lists`
    bool is_list = false;

    uint32_t size() const { return end - begin; }
  };

  Reading reading = Reading::kNames;
  bool has_missing = false;        ///< atom 0 is "missing"
  std::vector<double> numbers;     ///< by atom: a number, or a date's days since 1970-01-01; -infinity for all others
  std::vector<std::string> texts;  ///< of the atoms, then others
  std::vector<Choice> choices;     ///< by cell
  std::vector<uint32_t> lists;     ///< atoms, ascending in each list
  std::vector<Code> unread;        ///< cells that could not be read
  MomentStyle moments;             ///< how dates are written
  bool beyond_doubles = false;     ///< some interval of numbers from 2^53 on is one of its ends
  std::optional<Code> foreign;     ///< the first cell that is a value by our notation and a widened one by another

  uint32_t num_atoms() const { return static_cast<uint32_t>(numbers.size()); }
  /// The i-th atom of a choice.
  uint32_t atom(const Choice& choice, uint32_t i) const {
    return choice.is_list ? lists[choice.begin + i] : choice.begin + i;
  }
};

/// What counts as a widened cell: masks, sets in braces and intervals in brackets only, as tada writes them; or all that other
/// tools write too, such as `20-30` and `476**`. What a set in braces names is a value, whatever it looks like.
enum class Notation { kOurs, kAny };

/// Reads the different cells of a column. `missing`: texts that mean "missing", beside nothing at all.
CellAtoms ReadCells(std::span<const std::string_view> cells, Reading reading, std::span<const std::string> missing,
                    Notation notation = Notation::kAny);

}  // namespace tada
