#pragma once

// Judges the cells of one released column against the values of the original one.
//   position  where a value stands in the order that cells are judged in: missing first, then numbers in order, then names.
//             For most columns it is the code itself.
//   hull      the positions from the first to behind the last that a cell covers.
// Every different cell is read once and becomes a range or a sorted list of positions, so that a row costs a comparison.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/classes/verdict.h"
#include "table/column.h"
#include "table/parsed_cell.h"

namespace tada {

class CellCover {
 public:
  /// Reads all cells of `released`. Both columns must outlive this; `labels`, if not null, only the call. `missing` are spellings of
  /// "missing" besides those that `original` has: a column that was read keeps one of them.
  CellCover(const Column& released, const Column& original, std::vector<std::string> missing = {},
            const LabelCodes* labels = nullptr);

  uint32_t num_positions() const { return original_->num_codes(); }
  uint32_t position(Code value) const { return positions_.empty() ? value : positions_[value]; }
  Code value_at(uint32_t position) const { return values_.empty() ? position : values_[position]; }

  bool Covers(Code cell, uint32_t position) const {
    const Span& span = spans_[cell];
    if (position < span.begin || position >= span.end) return false;
    if (span.list_begin == span.list_end) return true;
    return span.mask != 0 ? (span.mask >> (position - span.begin) & 1) != 0 : InList(span, position);
  }
  uint32_t hull_begin(Code cell) const { return spans_[cell].begin; }
  uint32_t hull_end(Code cell) const { return spans_[cell].end; }
  /// Whether the cell covers all of its hull.
  bool is_range(Code cell) const { return spans_[cell].list_begin == spans_[cell].list_end; }
  /// Whether the cell is a name that neither an original value nor a label has. It is taken to cover everything, and counted.
  bool is_unchecked(Code cell) const { return unchecked_[cell]; }
  bool is_mask(Code cell) const { return masks_[cell]; }

 private:
  struct Span {
    uint32_t begin = 0, end = 0;            // the hull
    uint32_t list_begin = 0, list_end = 0;  // in lists_; none: the whole hull
    uint64_t mask = 0;                      // the list by bits from `begin` on, if the hull is no longer than that
  };
  struct Range {
    uint32_t begin = 0, end = 0;
  };

  void ReadWriting();
  /// Texts as they are compared: plain.
  std::string_view OriginalText(Code code) const { return plain_.empty() ? original_->text(code) : plain_[code]; }
  Reading DecideReading() const;
  void SortByText();
  void SortValues();
  void ReadOneCell(Code cell, const LabelCodes* labels);
  bool InList(const Span& span, uint32_t position) const;
  std::optional<Code> FindText(std::string_view text) const;
  /// The first number that is not below `bound`; behind `bound` with `after`. Pre: IsValue(bound, reading_).
  uint32_t Bound(std::string_view bound, bool after) const;
  int Compare(uint32_t position, double number, std::string_view bound) const;
  /// Positions that `text`, a value or an element of a set, stands for; nothing if it is no original value and no number.
  std::optional<Range> FindValue(std::string_view text) const;
  Range IntervalRange(const ParsedCell& parsed) const;
  std::vector<std::string> Elements(const ParsedCell& parsed) const;
  void AddPatternMatches(std::string_view pattern, std::vector<uint32_t>& list) const;
  void SetList(Code cell, std::vector<uint32_t> list);

  const Column* released_;
  const Column* original_;
  std::vector<std::string> missing_;
  std::vector<std::string> plain_;  // by code of an original whose values are in a writing of their own
  bool unreadable_ = false;         // by the audit's own code, though the table was read: nothing then covers anything
  Reading reading_ = Reading::kNames;
  uint32_t numbers_begin_ = 0, numbers_end_ = 0;  // positions that hold numbers (or dates)
  std::vector<double> numbers_;                   // of those positions
  std::vector<uint32_t> positions_, values_;      // empty: positions are codes
  std::vector<Code> by_text_;                     // codes of a column of names, sorted by text
  std::vector<Span> spans_;                       // by released code
  std::vector<uint32_t> lists_;
  std::vector<bool> unchecked_, masks_;
};

/// Values of two columns that must be equal, numbered together: equal texts, equal numbers and "missing" share a number.
struct SharedValues {
  std::vector<uint32_t> of_released, of_original;  ///< by code
  uint32_t count = 0;
};
SharedValues ShareValues(const Column& released, const Column& original);

}  // namespace tada
