#include "files/arrow/column_feeder.h"

#include <algorithm>

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
    if (entries_ != entries.data()) {
      entries_ = entries.data();
      number_of_.assign(static_cast<size_t>(entries.length()), -1);
    }
    for (size_t row = 0; row < numbers.size(); ++row) {
      if (rows.IsNull(static_cast<int64_t>(row))) {
        numbers[row] = interner_.InternNull();
        continue;
      }
      const auto entry = static_cast<size_t>(rows.GetValueIndex(static_cast<int64_t>(row)));
      if (number_of_[entry] < 0) {
        uint32_t number = 0;
        if (!NumberOne(entries, entry, number)) return false;
        number_of_[entry] = number;
      }
      numbers[row] = static_cast<uint32_t>(number_of_[entry]);
    }
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

  LeafNumberer<ColumnBuilder> numberer_;
};

// struct<lo,hi>: a null is `*`.
class IntervalFeeder final : public ColumnFeeder {
 public:
  using ColumnFeeder::ColumnFeeder;

 private:
  bool Number(const arrow::Array& array, std::span<uint32_t> numbers) override {
    const auto& cells = static_cast<const arrow::StructArray&>(array);
    std::vector<uint32_t> lows(numbers.size()), highs(numbers.size());
    if (!lows_.Number(*cells.field(0), lows) || !highs_.Number(*cells.field(1), highs)) return false;
    for (size_t row = 0; row < numbers.size(); ++row) {
      if (cells.IsNull(static_cast<int64_t>(row))) {
        numbers[row] = cells_.Mask();
      } else if (row > 0 && lows[row] == lows[row - 1] && highs[row] == highs[row - 1] &&
                 !cells.IsNull(static_cast<int64_t>(row - 1))) {
        numbers[row] = numbers[row - 1];  // rows of a class stand together
      } else {
        numbers[row] = cells_.Number(lows[row], highs[row]);
      }
    }
    return true;
  }

  IntervalNumbers cells_{builder_};
  LeafNumberer<TextPool> lows_{cells_.bounds()}, highs_{cells_.bounds()};
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
  template <class Lists>
  bool NumberLists(const Lists& lists, std::span<uint32_t> numbers) {
    if (numbers.empty()) return true;
    const auto first = static_cast<int64_t>(lists.value_offset(0));
    const auto last = static_cast<int64_t>(lists.value_offset(lists.length()));
    std::vector<uint32_t> elements(static_cast<size_t>(last - first));
    if (!elements_.Number(*lists.values()->Slice(first, last - first), elements)) return false;
    std::span<const uint32_t> before;  // the elements of the list before, if it is none of the nulls
    for (size_t row = 0; row < numbers.size(); ++row) {
      const auto at = static_cast<int64_t>(row);
      if (lists.IsNull(at)) {
        numbers[row] = cells_.Mask();
        before = {};
        continue;
      }
      const auto own = std::span<const uint32_t>(elements).subspan(static_cast<size_t>(lists.value_offset(at) - first),
                                                                   static_cast<size_t>(lists.value_length(at)));
      // Rows of a class stand together.
      numbers[row] = !before.empty() && std::ranges::equal(own, before) ? numbers[row - 1] : cells_.Number(own);
      before = own;
    }
    return true;
  }

  SetNumbers cells_{builder_};
  LeafNumberer<TextPool> elements_{cells_.elements()};
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
  if (!Number(array, builder_.Extend(static_cast<size_t>(array.length())))) {
    return DataError("{}, column {}: a date before year 0 or after year 9999", file_, column_)
        .WithHint("Correct the date, or convert the column to strings.");
  }
  return Ok();
}

}  // namespace tada
