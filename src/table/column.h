#pragma once

// A column: a dictionary of its values, sorted, and one code per row.
//   text      a value as it was written; it comes back byte for byte.
//   code      the rank of a value, so that code order is value order and min, max and median work on integers.
//   missing   one or more spellings of "no value"; they have the lowest codes, below every value.
//   kind      how values are widened: numeric to intervals, categorical and ordinal to sets.
// Two spellings of one number (`7`, `007`) are two codes next to each other; same_value() tells that they are equal.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "table/codes.h"
#include "writing/writing.h"

namespace tada {

enum class Kind {
  kNumeric,      ///< numbers or dates: ordered, released as intervals
  kCategorical,  ///< names: released as sets
  kOrdinal,      ///< names with an order: split along it, released as sets
};

/// How the file stored the values, so that a typed format gets them back as they were.
enum class ValueType { kText, kInteger, kReal, kDecimal, kDate, kTimestamp, kBoolean };

std::string_view KindName(Kind kind);

class RowLines;

/// What is to be said of a column of names that looks like something else.
struct ColumnDoubt {
  std::vector<Writing>
      undecided;           ///< its values are dates or numbers in all of these writings, and do not say in which
  std::string mostly;      ///< "numbers" or "dates": what at least 95% of its rows hold; "" if undecided
  uint64_t word_rows = 0;  ///< rows that hold neither these nor "missing"
  std::vector<uint64_t> first_rows;  ///< the first of them, counted from 0
  std::vector<std::string> words;    ///< what stands there
};

class Column {
 public:
  const std::string& name() const { return name_; }
  Kind kind() const { return kind_; }
  bool is_numeric() const { return kind_ == Kind::kNumeric; }
  /// Whether a numeric column holds dates or time stamps.
  bool is_date() const { return is_date_; }
  /// How the numbers or dates of a numeric column are written; plain as a rule.
  const Writing& writing() const { return writing_; }
  /// Null unless there is something to say.
  const ColumnDoubt* doubt() const { return doubt_.get(); }
  /// Where the rows stand in the file (table/column_doubt.h); null if it has no lines, or if these are not all of its rows.
  const RowLines* lines() const { return lines_.get(); }
  void set_lines(std::shared_ptr<const RowLines> lines) { lines_ = std::move(lines); }
  ValueType type() const { return type_; }
  /// What the stored type cannot say by itself, e.g. "decimal128(10, 2)"; only files/ reads it.
  const std::string& type_detail() const { return type_detail_; }

  size_t num_rows() const { return codes_.size(); }
  /// Number of codes, spellings of "missing" included.
  Code num_codes() const { return static_cast<Code>(offsets_.size() - 1); }
  /// Codes below this one mean "missing".
  Code num_missing() const { return num_missing_; }
  bool is_missing(Code code) const { return code < num_missing_; }
  const Codes& codes() const { return codes_; }

  std::string_view text(Code code) const {
    return std::string_view(arena_).substr(offsets_[code], offsets_[code + 1] - offsets_[code]);
  }
  /// A value as it would be written plainly: what numbers and dates are compared by.
  std::string plain(Code code) const {
    return writing_.is_plain() || is_missing(code) ? std::string(text(code)) : writing_.Plain(text(code)).value();
  }
  /// The number a numeric column's value stands for (a date: days since 1970-01-01); NaN for missing.
  double number(Code code) const { return numbers_[code]; }
  /// Whether two codes are the same value, spelled alike or not: equal numbers, or both missing.
  bool same_value(Code a, Code b) const { return value_ids_.empty() ? a == b : value_ids_[a] == value_ids_[b]; }
  /// The value a code stands for, counted from 0 without gaps; spellings of one value share it.
  Code value_id(Code code) const { return value_ids_.empty() ? code : value_ids_[code]; }
  /// Number of different values; "missing", if it occurs, is one.
  Code num_values() const { return value_ids_.empty() ? num_codes() : num_values_; }

  /// The column with the rows of those numbers, in that order, and the same dictionary (table/select_rows.h).
  Column Select(std::span<const RowId> rows) const;

 private:
  friend class ColumnBuilder;
  Column WithoutRows() const;

  std::string name_;
  Kind kind_ = Kind::kCategorical;
  bool is_date_ = false;
  Writing writing_;
  std::shared_ptr<const ColumnDoubt> doubt_;
  std::shared_ptr<const RowLines> lines_;
  ValueType type_ = ValueType::kText;
  std::string type_detail_;
  Code num_missing_ = 0;
  std::string arena_;              // all texts, in code order
  std::vector<uint64_t> offsets_;  // where each begins, and the end
  std::vector<double> numbers_;    // of a numeric column
  std::vector<Code> value_ids_;    // empty when every code is a value of its own
  Code num_values_ = 0;
  Codes codes_;
};

}  // namespace tada
