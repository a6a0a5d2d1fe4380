#pragma once

// Builds a column from texts in row order: collects the different texts first, then sorts them and renumbers the rows.
// Memory while building: what the finished column takes (rows are kept in the smallest integer that holds the numbers so
// far, and renumbered in place), and every different text once more.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/column.h"
#include "table/text_key.h"

namespace tada {

struct ColumnOptions {
  /// How values are widened; without it: numeric when every value is a number or every value is a date, plain or all in one writing
  /// (writing/find_writing.h), else categorical.
  std::optional<Kind> kind;
  /// Of a numeric kind: whether the values are dates, not numbers, and how they are written if that is known.
  bool dates = false;
  Writing writing;
  /// Texts that mean "missing".
  std::vector<std::string> missing = {"", "?"};
  /// Keeps only one spelling of "missing" (the first in byte order): for quasi-identifiers, where two would tell rows apart.
  bool merge_missing = false;
  /// Values in this order come first, the others after them in their usual order. For categorical and ordinal columns.
  std::vector<std::string> order;
  /// Orders values by first appearance instead of by byte value; reproduces the papers' axis order.
  bool order_of_appearance = false;
  /// Errors may quote values; otherwise they only say where they stand.
  bool show_values = false;
};

class ColumnBuilder {
 public:
  ColumnBuilder(std::string name, ColumnOptions options);

  /// The number of a text, the same for the same text, counted from 0 in order of first appearance.
  uint32_t Intern(std::string_view text) { return Find(TextWord(text), text); }
  /// The same for many texts, which are pieces of `bytes`. Where there are many different ones, memory is asked for
  /// before it is needed.
  void InternAll(std::string_view bytes, std::span<const TextKey> texts, std::span<uint32_t> numbers);
  /// As Intern, for a null of a typed file: a missing value written as nothing.
  uint32_t InternNull();
  /// Adds a row with the text of that number.
  void Append(uint32_t number) { Extend(1)[0] = number; }
  void Reserve(size_t rows) { rows_.Reserve(rows); }
  /// Room for `count` further rows, to be filled by the caller with numbers before the next row is added.
  std::span<uint32_t> Extend(size_t count);
  void AppendText(std::string_view text) { Append(Intern(text)); }
  /// How the file stores the values.
  void SetType(ValueType type, std::string detail = "");
  size_t num_rows() const { return rows_.size() + added_.size(); }

  /// Sorts, numbers and gives the column away; the builder is then empty.
  Result<Column> Finish();

 private:
  struct Slot {
    uint64_t word;
    uint32_t size;  // its lowest bits
    uint32_t number_plus_one;
  };
  std::string_view Text(uint32_t number) const {
    return std::string_view(arena_).substr(offsets_[number], offsets_[number + 1] - offsets_[number]);
  }
  /// Where a text is looked for first.
  size_t Place(uint64_t word, uint32_t size) const {
    return Fold(word ^ 0x9E3779B97F4A7C15ull, 0xD6E8FEB86659FD93ull ^ size) & (slots_.size() - 1);
  }
  uint32_t Find(uint64_t word, std::string_view text);
  uint32_t Add(size_t place, uint64_t word, std::string_view text);
  void Prefetch(std::span<const TextKey> texts) const;
  void Grow();
  /// Moves the rows that were added last to the others.
  void Pack();
  bool IsMissing(std::string_view text) const;
  /// What a column turns out to be.
  struct Decision {
    Kind kind = Kind::kCategorical;
    bool dates = false;
    Writing writing;
    std::vector<double> numbers;     // of a numeric column, by value
    std::vector<std::string> plain;  // by text's number, if the writing is not plain
    std::shared_ptr<const ColumnDoubt> doubt;
  };
  /// Decides over the texts that are not missing; an error if the kind is forced and wrong.
  Result<Decision> Decide(const std::vector<uint32_t>& values) const;
  /// The same by how values are written, where they are not plain.
  Result<Decision> DecideByWriting(const std::vector<uint32_t>& values, uint32_t not_plain) const;
  /// The numbers of all values in a writing; the first value that is none, if there is one.
  std::optional<uint32_t> ReadAll(const std::vector<uint32_t>& values, Decision& decision) const;
  Error NotNumeric(uint32_t value) const;
  /// A column that is numbers or dates but for a few words (column_doubt.cc).
  std::shared_ptr<const ColumnDoubt> FindWords(const std::vector<uint32_t>& values) const;
  /// A value as it is compared.
  std::string_view PlainText(const Decision& decision, uint32_t number) const {
    return decision.plain.empty() ? Text(number) : std::string_view(decision.plain[number]);
  }
  /// Sorts `values` and, with them, the numbers.
  void SortNumeric(std::vector<uint32_t>& values, Decision& decision) const;
  void SortNames(std::vector<uint32_t>& values) const;
  void SortByBytes(std::vector<uint32_t>& values) const;

  std::string name_;
  ColumnOptions options_;
  ValueType type_ = ValueType::kText;
  std::string type_detail_;
  bool has_null_ = false;
  std::string arena_;
  std::vector<uint64_t> offsets_{0};
  std::vector<Slot> slots_;
  Codes rows_;                   // the text of each row, by its number
  std::vector<uint32_t> added_;  // rows behind these, as they were added
};

}  // namespace tada
