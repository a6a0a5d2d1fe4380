#include "files/c_stream/stream_column.h"

#include <cstring>

#include "files/cell_numbers.h"
#include "files/utf8.h"

namespace tada {
namespace {

// Numbers the values of a leaf by an interner: a ColumnBuilder or a TextPool. Calls on_new(view, row, number) for every
// number that is returned; the callee knows which are new.
template <class Interner>
class LeafNumberer {
 public:
  LeafNumberer(const LeafType& leaf, Interner& interner) : leaf_(leaf), interner_(interner) {}

  template <class OnNew>
  Status Number(const ArrowArrayView& view, int64_t first, std::span<uint32_t> numbers, OnNew&& on_new) {
    if (leaf_.is_dictionary) return NumberDictionary(view, first, numbers, on_new);
    if (leaf_.is_string() || leaf_.width > 8 || leaf_.width == 0 || leaf_.type == NANOARROW_TYPE_BOOL) {
      for (size_t i = 0; i < numbers.size(); ++i) {
        TADA_CHECK_OK(One(view, first + static_cast<int64_t>(i), numbers[i], on_new));
      }
      return Ok();
    }
    return NumberFixed(view, first, numbers, on_new);
  }

 private:
  template <class OnNew>
  Status One(const ArrowArrayView& view, int64_t row, uint32_t& number, OnNew& on_new) {
    std::string_view text;
    switch (LeafText(leaf_, view, row, scratch_, text)) {
      case TextState::kText:
        number = interner_.Intern(text);
        if (on_new(view, row, number) && leaf_.is_string() && !IsUtf8(text)) {
          return DataError("a text is not UTF-8").WithHint("Convert the column to UTF-8.");
        }
        return Ok();
      case TextState::kNull:
        number = interner_.InternNull();
        on_new(view, -1, number);
        return Ok();
      case TextState::kNotText:
        break;
    }
    return DataError("a date before year 0 or after year 9999")
        .WithHint("Correct the date, or convert the column to strings.");
  }

  // Values that were just seen are not written out again: a small memory of bits and numbers, by hash.
  template <class OnNew>
  Status NumberFixed(const ArrowArrayView& view, int64_t first, std::span<uint32_t> numbers, OnNew& on_new) {
    struct Seen {
      uint64_t bits;
      uint32_t number_plus_one;
    };
    std::vector<Seen> seen(1 << 13, Seen{0, 0});
    for (size_t i = 0; i < numbers.size(); ++i) {
      const int64_t row = first + static_cast<int64_t>(i);
      if (ArrowArrayViewIsNull(&view, row)) {
        TADA_CHECK_OK(One(view, row, numbers[i], on_new));
        continue;
      }
      uint64_t bits = 0;
      std::memcpy(&bits, LeafBytes(leaf_, view, row), leaf_.width);
      Seen& memory = seen[(bits * 0x9E3779B97F4A7C15ull) >> (64 - 13)];
      if (memory.number_plus_one == 0 || memory.bits != bits) {
        uint32_t number = 0;
        TADA_CHECK_OK(One(view, row, number, on_new));
        memory = {bits, number + 1};
      }
      numbers[i] = memory.number_plus_one - 1;
    }
    return Ok();
  }

  // An entry of a dictionary is numbered once, and only if a row shows it: what stands in a dictionary alone is no value.
  template <class OnNew>
  Status NumberDictionary(const ArrowArrayView& view, int64_t first, std::span<uint32_t> numbers, OnNew& on_new) {
    const ArrowArrayView& entries = *view.dictionary;
    std::vector<int64_t> number_of(static_cast<size_t>(entries.length), -1);
    for (size_t i = 0; i < numbers.size(); ++i) {
      const int64_t row = first + static_cast<int64_t>(i);
      if (ArrowArrayViewIsNull(&view, row)) {
        numbers[i] = interner_.InternNull();
        on_new(view, -1, numbers[i]);
        continue;
      }
      const int64_t entry = ArrowArrayViewGetIntUnsafe(&view, row);
      if (entry < 0 || entry >= entries.length) return DataError("an index is outside its dictionary");
      int64_t& known = number_of[static_cast<size_t>(entry)];
      if (known < 0) {
        uint32_t number = 0;
        TADA_CHECK_OK(One(entries, entry, number, on_new));
        known = number;
      }
      numbers[i] = static_cast<uint32_t>(known);
    }
    return Ok();
  }

  LeafType leaf_;
  Interner& interner_;
  std::string scratch_;
};

class LeafColumn final : public StreamColumn {
 public:
  LeafColumn(const ArrowSchema& schema, const LeafType& leaf, const ColumnOptions& options)
      : StreamColumn(schema, options), leaf_(leaf), numberer_(leaf, builder_) {
    builder_.SetType(leaf.value_type);
    const ArrowSchema* values = leaf.is_dictionary ? schema.dictionary : &schema;
    TADA_ASSERT(ArrowSchemaDeepCopy(values, type_.get()) == NANOARROW_OK);
  }

  StoredValues Stored(const Column& column) override {
    StoredValues stored;
    stored.leaf = leaf_;
    stored.type = std::move(type_);
    stored.bytes.resize(column.num_codes() * leaf_.width);
    for (size_t number = 0; leaf_.width > 0 && number < first_row_.size(); ++number) {
      const Code code = column.codes()[first_row_[number]];
      std::memcpy(stored.bytes.data() + code * leaf_.width, bytes_.data() + number * leaf_.width, leaf_.width);
    }
    return stored;
  }

 private:
  Status Number(const ArrowArrayView& view, int64_t first, std::span<uint32_t> numbers) override {
    const size_t rows_before = builder_.num_rows() - numbers.size();
    const uint32_t known = static_cast<uint32_t>(count_);
    TADA_CHECK_OK(
        numberer_.Number(view, first, numbers, [&](const ArrowArrayView& values, int64_t row, uint32_t number) {
          if (number < count_) return false;
          ++count_;
          if (leaf_.width > 0) Keep(values, row);
          return true;
        }));
    if (leaf_.width == 0 || known == count_) return Ok();
    first_row_.resize(count_);
    for (size_t i = numbers.size(); i-- > 0;) {
      if (numbers[i] >= known) first_row_[numbers[i]] = rows_before + i;
    }
    return Ok();
  }
  void Keep(const ArrowArrayView& values, int64_t row) {
    const size_t at = bytes_.size();
    bytes_.resize(at + leaf_.width);
    if (row < 0) return;
    if (leaf_.type == NANOARROW_TYPE_BOOL) {
      bytes_[at] = ArrowArrayViewGetIntUnsafe(&values, row) != 0 ? 1 : 0;
    } else {
      std::memcpy(bytes_.data() + at, LeafBytes(leaf_, values, row), leaf_.width);
    }
  }

  LeafType leaf_;
  LeafNumberer<ColumnBuilder> numberer_;
  nanoarrow::UniqueSchema type_;
  uint32_t count_ = 0;             // texts so far
  std::vector<uint8_t> bytes_;     // of each, in order of appearance
  std::vector<size_t> first_row_;  // of each
};

// struct<lo,hi>: a null is `*`.
class IntervalColumn final : public StreamColumn {
 public:
  IntervalColumn(const ArrowSchema& schema, const ColumnOptions& options)
      : StreamColumn(schema, options),
        lows_(*LeafTypeOf(*schema.children[0]), cells_.bounds()),
        highs_(*LeafTypeOf(*schema.children[1]), cells_.bounds()) {}
  StoredValues Stored(const Column&) override { return {}; }
  std::optional<Kind> typed_cells() const override { return Kind::kNumeric; }

 private:
  Status Number(const ArrowArrayView& view, int64_t first, std::span<uint32_t> numbers) override {
    std::vector<uint32_t> lows(numbers.size()), highs(numbers.size());
    const auto no_matter = [](const ArrowArrayView&, int64_t, uint32_t) { return false; };
    const int64_t inner = first + view.offset;  // children do not know the offset of their struct
    TADA_CHECK_OK(lows_.Number(*view.children[0], inner, lows, no_matter));
    TADA_CHECK_OK(highs_.Number(*view.children[1], inner, highs, no_matter));
    for (size_t i = 0; i < numbers.size(); ++i) {
      const bool mask = ArrowArrayViewIsNull(&view, first + static_cast<int64_t>(i));
      numbers[i] = mask ? cells_.Mask() : cells_.Number(lows[i], highs[i]);
    }
    return Ok();
  }

  IntervalNumbers cells_{builder_};
  LeafNumberer<TextPool> lows_, highs_;
};

// list<string>: a null is `*`.
class SetColumn final : public StreamColumn {
 public:
  SetColumn(const ArrowSchema& schema, const ColumnOptions& options)
      : StreamColumn(schema, options), elements_(*LeafTypeOf(*schema.children[0]), cells_.elements()) {}
  StoredValues Stored(const Column&) override { return {}; }
  std::optional<Kind> typed_cells() const override { return Kind::kCategorical; }

 private:
  Status Number(const ArrowArrayView& view, int64_t first, std::span<uint32_t> numbers) override {
    if (numbers.empty()) return Ok();
    const int64_t begin = ArrowArrayViewListChildOffset(&view, first + view.offset);
    const int64_t end =
        ArrowArrayViewListChildOffset(&view, first + view.offset + static_cast<int64_t>(numbers.size()));
    std::vector<uint32_t> elements(static_cast<size_t>(end - begin));
    TADA_CHECK_OK(elements_.Number(*view.children[0], begin, elements,
                                   [](const ArrowArrayView&, int64_t, uint32_t) { return false; }));
    for (size_t i = 0; i < numbers.size(); ++i) {
      const int64_t row = first + static_cast<int64_t>(i);
      if (ArrowArrayViewIsNull(&view, row)) {
        numbers[i] = cells_.Mask();
        continue;
      }
      const auto from = static_cast<size_t>(ArrowArrayViewListChildOffset(&view, row + view.offset) - begin);
      const auto to = static_cast<size_t>(ArrowArrayViewListChildOffset(&view, row + view.offset + 1) - begin);
      numbers[i] = cells_.Number(std::span(elements).subspan(from, to - from));
    }
    return Ok();
  }

  SetNumbers cells_{builder_};
  LeafNumberer<TextPool> elements_;
};

bool IsInterval(const ArrowSchema& schema) {
  return std::string_view(schema.format) == "+s" && schema.n_children == 2 &&
         std::string_view(schema.children[0]->name) == "lo" && std::string_view(schema.children[1]->name) == "hi" &&
         LeafTypeOf(*schema.children[0]) && LeafTypeOf(*schema.children[1]);
}

bool IsSet(const ArrowSchema& schema) {
  const std::string_view format(schema.format);
  if (format != "+l" && format != "+L") return false;
  const auto element = LeafTypeOf(*schema.children[0]);
  return element && element->is_string();
}

}  // namespace

Result<std::unique_ptr<StreamColumn>> StreamColumn::Make(const ArrowSchema& schema, const ColumnOptions& options,
                                                         const std::string& stream) {
  std::unique_ptr<StreamColumn> column;
  if (const auto leaf = LeafTypeOf(schema)) {
    column = std::make_unique<LeafColumn>(schema, *leaf, options);
  } else if (IsInterval(schema)) {
    column = std::make_unique<IntervalColumn>(schema, options);
  } else if (IsSet(schema)) {
    column = std::make_unique<SetColumn>(schema, options);
  } else {
    return DataError("{}, column {}: values of this type have no text: {}", stream, schema.name, TypeName(schema))
        .WithHint("Convert the column to numbers, dates or strings, or leave it out.");
  }
  column->stream_ = stream;
  return column;
}

Status StreamColumn::Feed(const ArrowArrayView& view, int64_t first, size_t count) {
  Status fed = Number(view, first, builder_.Extend(count));
  if (fed.ok()) return Ok();
  Error error = std::move(fed).error();
  error.message = fmt::format("{}, column {}: {}", stream_, name_, error.message);
  return error;
}

}  // namespace tada
