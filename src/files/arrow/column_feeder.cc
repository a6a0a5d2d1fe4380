#include "files/arrow/column_feeder.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "files/arrow/arrow_types.h"
#include "files/cell_numbers.h"

namespace tada {
namespace {

// Numbers the values of leaf arrays by an interner: a ColumnBuilder or a TextPool.
template <class Interner>
class LeafNumberer {
 public:
  explicit LeafNumberer(Interner& interner) : interner_(interner) {}

  bool Number(const arrow::Array& array, std::span<uint32_t> numbers) {
    if (array.type_id() == arrow::Type::DICTIONARY) return NumberDictionary(array, numbers);
    if (array.type_id() == arrow::Type::NA) {
      for (uint32_t& number : numbers) number = interner_.InternNull();
      return true;
    }
    const int width = arrow::is_decimal(array.type_id()) ? 0 : array.type()->byte_width();
    switch (width) {
      case 1:
        return NumberFixed<uint8_t>(array, numbers);
      case 2:
        return NumberFixed<uint16_t>(array, numbers);
      case 4:
        return NumberFixed<uint32_t>(array, numbers);
      case 8:
        return NumberFixed<uint64_t>(array, numbers);
      default:
        break;
    }
    for (size_t row = 0; row < numbers.size(); ++row) {
      if (!NumberOne(array, row, numbers[row])) return false;
    }
    return true;
  }

  /// The same of a leaf's levels, those below `least` left out.
  bool Number(const LeafLevels& leaf, int16_t least, std::span<uint32_t> numbers) {
    SetEntries(*leaf.dictionary);
    size_t entry = 0, number = 0;
    for (const int16_t definition : leaf.definitions) {
      if (definition < least) continue;
      if (definition < leaf.filled) {
        numbers[number++] = interner_.InternNull();
      } else if (!NumberEntry(*leaf.dictionary, static_cast<size_t>(leaf.entries[entry++]), numbers[number++])) {
        return false;
      }
    }
    return true;
  }

 private:
  bool NumberOne(const arrow::Array& array, size_t row, uint32_t& number) {
    std::string_view text;
    switch (ValueText(array, static_cast<int64_t>(row), scratch_, text)) {
      case TextState::kText:
        number = interner_.Intern(text);
        return true;
      case TextState::kNull:
        number = interner_.InternNull();
        return true;
      case TextState::kNotText:
        return false;
    }
    return false;
  }

  // Values that were just seen are not written out again: a small memory of bits and numbers, by hash.
  template <class Bits>
  bool NumberFixed(const arrow::Array& array, std::span<uint32_t> numbers) {
    struct Seen {
      Bits bits;
      uint32_t number_plus_one;
    };
    std::vector<Seen> seen(1 << 13, Seen{0, 0});
    const Bits* values = array.data()->GetValues<Bits>(1);
    for (size_t row = 0; row < numbers.size(); ++row) {
      if (array.IsNull(static_cast<int64_t>(row))) {
        numbers[row] = interner_.InternNull();
        continue;
      }
      const Bits bits = values[row];
      Seen& memory = seen[(static_cast<uint64_t>(bits) * 0x9E3779B97F4A7C15ull) >> (64 - 13)];
      if (memory.number_plus_one == 0 || memory.bits != bits) {
        uint32_t number = 0;
        if (!NumberOne(array, row, number)) return false;
        memory = {bits, number + 1};
      }
      numbers[row] = memory.number_plus_one - 1;
    }
    return true;
  }

  // Each entry of a dictionary is numbered once, and only if a row shows it: what stands in a dictionary alone is no
  // value.
  bool NumberDictionary(const arrow::Array& array, std::span<uint32_t> numbers) {
    const auto& rows = static_cast<const arrow::DictionaryArray&>(array);
    const arrow::Array& entries = *rows.dictionary();
    SetEntries(entries);
    for (size_t row = 0; row < numbers.size(); ++row) {
      if (rows.IsNull(static_cast<int64_t>(row))) {
        numbers[row] = interner_.InternNull();
        continue;
      }
      const auto entry = static_cast<size_t>(rows.GetValueIndex(static_cast<int64_t>(row)));
      if (!NumberEntry(entries, entry, numbers[row])) return false;
    }
    return true;
  }
  void SetEntries(const arrow::Array& entries) {
    if (entries_ == entries.data()) return;
    entries_ = entries.data();
    number_of_.assign(static_cast<size_t>(entries.length()), -1);
  }
  bool NumberEntry(const arrow::Array& entries, size_t entry, uint32_t& number) {
    if (number_of_[entry] < 0) {
      if (!NumberOne(entries, entry, number)) return false;
      number_of_[entry] = number;
    }
    number = static_cast<uint32_t>(number_of_[entry]);
    return true;
  }

  Interner& interner_;
  std::string scratch_;
  std::shared_ptr<arrow::ArrayData> entries_;  // the dictionary that came last
  std::vector<int64_t> number_of_;             // of its entries; below zero: not seen yet
};

class LeafFeeder final : public ColumnFeeder {
 public:
  LeafFeeder(const arrow::Field& field, const ColumnOptions& options, const std::string& file)
      : ColumnFeeder(field, options, file), numberer_(builder_) {
    builder_.SetType(*LeafType(*field.type()), TypeDetail(field.type()));
  }

 private:
  bool Number(const arrow::Array& array, std::span<uint32_t> numbers) override {
    return numberer_.Number(array, numbers);
  }
  bool Number(const CellLevels& cells, std::span<uint32_t> numbers) override {
    return numberer_.Number(cells.leaves[0], 0, numbers);
  }

  LeafNumberer<ColumnBuilder> numberer_;
};

// struct<lo,hi>: a null is `*`.
class IntervalFeeder final : public ColumnFeeder {
 public:
  using ColumnFeeder::ColumnFeeder;

 private:
  bool Number(const arrow::Array& array, std::span<uint32_t> numbers) override {
    const auto& cells = static_cast<const arrow::StructArray&>(array);
    MakeRoom(numbers.size());
    if (!lows_.Number(*cells.field(0), low_) || !highs_.Number(*cells.field(1), high_)) return false;
    NumberRows([&](size_t row) { return cells.IsNull(static_cast<int64_t>(row)); }, numbers);
    return true;
  }
  bool Number(const CellLevels& cells, std::span<uint32_t> numbers) override {
    MakeRoom(numbers.size());
    if (!lows_.Number(cells.leaves[0], 0, low_) || !highs_.Number(cells.leaves[1], 0, high_)) return false;
    NumberRows([&](size_t row) { return cells.leaves[0].definitions[row] < cells.present; }, numbers);
    return true;
  }

  void MakeRoom(size_t rows) {
    low_.resize(rows);
    high_.resize(rows);
  }
  // The numbers of the cells whose bounds are numbered.
  template <class IsMask>
  void NumberRows(const IsMask& is_mask, std::span<uint32_t> numbers) {
    bool in_class = false;  // whether the row before has bounds
    for (size_t row = 0; row < numbers.size(); ++row) {
      if (is_mask(row)) {
        numbers[row] = cells_.Mask();
        in_class = false;
        continue;
      }
      // Rows of a class stand together.
      const bool same = in_class && low_[row] == low_[row - 1] && high_[row] == high_[row - 1];
      numbers[row] = same ? numbers[row - 1] : cells_.Number(low_[row], high_[row]);
      in_class = true;
    }
  }

  IntervalNumbers cells_{builder_};
  LeafNumberer<TextPool> lows_{cells_.bounds()}, highs_{cells_.bounds()};
  std::vector<uint32_t> low_, high_;  // of each row
};

// list<string>: a null is `*`.
class SetFeeder final : public ColumnFeeder {
 public:
  using ColumnFeeder::ColumnFeeder;

 private:
  bool Number(const arrow::Array& array, std::span<uint32_t> numbers) override {
    if (array.type_id() == arrow::Type::LIST) return NumberLists(static_cast<const arrow::ListArray&>(array), numbers);
    return NumberLists(static_cast<const arrow::LargeListArray&>(array), numbers);
  }
  bool Number(const CellLevels& cells, std::span<uint32_t> numbers) override {
    const LeafLevels& leaf = cells.leaves[0];
    elements_of_rows_.resize(leaf.definitions.size());
    if (!elements_.Number(leaf, cells.present, elements_of_rows_)) return false;
    size_t level = 0, element = 0;
    NumberRows(numbers, [&](size_t) -> std::optional<std::span<const uint32_t>> {
      const size_t first = element;
      const bool null = leaf.definitions[level] < cells.present - 1;
      do {
        element += leaf.definitions[level] >= cells.present ? 1 : 0;
        ++level;
      } while (level < leaf.definitions.size() && leaf.repetitions[level] > 0);
      if (null) return std::nullopt;
      return std::span(elements_of_rows_).subspan(first, element - first);
    });
    return true;
  }
  template <class Lists>
  bool NumberLists(const Lists& lists, std::span<uint32_t> numbers) {
    if (numbers.empty()) return true;
    const auto first = static_cast<int64_t>(lists.value_offset(0));
    const auto last = static_cast<int64_t>(lists.value_offset(lists.length()));
    elements_of_rows_.resize(static_cast<size_t>(last - first));
    if (!elements_.Number(*lists.values()->Slice(first, last - first), elements_of_rows_)) return false;
    NumberRows(numbers, [&](size_t row) -> std::optional<std::span<const uint32_t>> {
      const auto at = static_cast<int64_t>(row);
      if (lists.IsNull(at)) return std::nullopt;
      return std::span(elements_of_rows_)
          .subspan(static_cast<size_t>(lists.value_offset(at) - first), static_cast<size_t>(lists.value_length(at)));
    });
    return true;
  }
  // The numbers of lists whose elements are numbered; elements_of(row) is called in order, and has nothing for a null.
  template <class ElementsOf>
  void NumberRows(std::span<uint32_t> numbers, const ElementsOf& elements_of) {
    std::span<const uint32_t> before;  // the elements of the list before, if it is none of the nulls
    for (size_t row = 0; row < numbers.size(); ++row) {
      const std::optional<std::span<const uint32_t>> own = elements_of(row);
      if (!own) {
        numbers[row] = cells_.Mask();
      } else {
        // Rows of a class stand together.
        numbers[row] = !before.empty() && std::ranges::equal(*own, before) ? numbers[row - 1] : cells_.Number(*own);
      }
      before = own.value_or(std::span<const uint32_t>());
    }
  }

  SetNumbers cells_{builder_};
  LeafNumberer<TextPool> elements_{cells_.elements()};
  std::vector<uint32_t> elements_of_rows_;  // one after the other
};

}  // namespace

ColumnFeeder::ColumnFeeder(const arrow::Field& field, const ColumnOptions& options, const std::string& file)
    : column_(field.name()), file_(file), builder_(field.name(), options) {}

Result<std::unique_ptr<ColumnFeeder>> ColumnFeeder::Make(const arrow::Field& field, const ColumnOptions& options,
                                                         const std::string& file) {
  std::unique_ptr<ColumnFeeder> feeder;
  if (LeafType(*field.type())) {
    feeder = std::make_unique<LeafFeeder>(field, options, file);
  } else if (IsIntervalType(*field.type())) {
    feeder = std::make_unique<IntervalFeeder>(field, options, file);
  } else if (IsSetType(*field.type())) {
    feeder = std::make_unique<SetFeeder>(field, options, file);
  } else {
    return DataError("{}, column {}: values of this type have no text: {}", file, field.name(),
                     field.type()->ToString())
        .WithHint("Convert the column to numbers, dates or strings, or leave it out.");
  }
  return feeder;
}

Status ColumnFeeder::Feed(const arrow::Array& array) {
  if (const arrow::Status valid = array.ValidateFull(); !valid.ok()) {
    return DataError("{}, column {}: damaged: {}", file_, column_, valid.message())
        .WithHint("Make the file again, or copy it again.");
  }
  return Fed(Number(array, builder_.Extend(static_cast<size_t>(array.length()))));
}

Status ColumnFeeder::Feed(const CellLevels& cells) { return Fed(Number(cells, builder_.Extend(cells.rows))); }

Status ColumnFeeder::Fed(bool numbered) const {
  if (numbered) return Ok();
  return DataError("{}, column {}: a date before year 0 or after year 9999", file_, column_)
      .WithHint("Correct the date, or convert the column to strings.");
}

}  // namespace tada
