#include "files/c_stream/arrow_leaf.h"

namespace tada {
namespace {

TextState LeafDecimalText(const LeafType& leaf, const ArrowArrayView& view, int64_t row, std::string& scratch,
                          std::string_view& text) {
  ArrowDecimal decimal;
  ArrowDecimalInit(&decimal, static_cast<int32_t>(leaf.width * 8), leaf.precision, leaf.scale);
  ArrowArrayViewGetDecimalUnsafe(&view, row, &decimal);
  nanoarrow::UniqueBuffer digits;
  TADA_ASSERT(ArrowDecimalAppendDigitsToBuffer(&decimal, digits.get()) == NANOARROW_OK);
  scratch.assign(reinterpret_cast<const char*>(digits->data), static_cast<size_t>(digits->size_bytes));
  return DecimalText(leaf.scale, scratch, text);
}

// Bytes of a value of the type, and how it is stored; nothing for types that are no leaves.
std::optional<std::pair<size_t, ValueType>> WidthOf(ArrowType type) {
  using enum ValueType;
  using Entry = std::pair<size_t, ValueType>;
  switch (type) {
    case NANOARROW_TYPE_INT8:
    case NANOARROW_TYPE_UINT8:
      return Entry{1, kInteger};
    case NANOARROW_TYPE_INT16:
    case NANOARROW_TYPE_UINT16:
      return Entry{2, kInteger};
    case NANOARROW_TYPE_INT32:
    case NANOARROW_TYPE_UINT32:
      return Entry{4, kInteger};
    case NANOARROW_TYPE_INT64:
    case NANOARROW_TYPE_UINT64:
      return Entry{8, kInteger};
    case NANOARROW_TYPE_HALF_FLOAT:
      return Entry{2, kReal};
    case NANOARROW_TYPE_FLOAT:
      return Entry{4, kReal};
    case NANOARROW_TYPE_DOUBLE:
      return Entry{8, kReal};
    case NANOARROW_TYPE_DECIMAL32:
      return Entry{4, kDecimal};
    case NANOARROW_TYPE_DECIMAL64:
      return Entry{8, kDecimal};
    case NANOARROW_TYPE_DECIMAL128:
      return Entry{16, kDecimal};
    case NANOARROW_TYPE_DECIMAL256:
      return Entry{32, kDecimal};
    case NANOARROW_TYPE_DATE32:
      return Entry{4, kDate};
    case NANOARROW_TYPE_DATE64:
      return Entry{8, kDate};
    case NANOARROW_TYPE_TIMESTAMP:
      return Entry{8, kTimestamp};
    case NANOARROW_TYPE_BOOL:
      return Entry{1, kBoolean};
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_LARGE_STRING:
    case NANOARROW_TYPE_STRING_VIEW:
    case NANOARROW_TYPE_NA:
      return Entry{0, kText};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<LeafType> LeafTypeOf(const ArrowSchema& schema) {
  ArrowSchemaView view;
  if (ArrowSchemaViewInit(&view, &schema, nullptr) != NANOARROW_OK) return std::nullopt;
  if (view.type == NANOARROW_TYPE_DICTIONARY) {
    auto leaf = LeafTypeOf(*schema.dictionary);
    if (!leaf || leaf->is_dictionary) return std::nullopt;
    leaf->is_dictionary = true;
    leaf->is_ordered = (schema.flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0;
    return leaf;
  }
  const auto width = WidthOf(view.type);
  if (!width) return std::nullopt;
  LeafType leaf;
  leaf.type = view.type;
  if (view.type == NANOARROW_TYPE_TIMESTAMP) {
    leaf.unit = view.time_unit;
    leaf.has_zone = view.timezone != nullptr && view.timezone[0] != '\0';
  }
  if (width->second == ValueType::kDecimal) {
    leaf.precision = view.decimal_precision;
    leaf.scale = view.decimal_scale;
  }
  leaf.width = width->first;
  leaf.value_type = width->second;
  return leaf;
}

TextState LeafText(const LeafType& leaf, const ArrowArrayView& view, int64_t row, std::string& scratch,
                   std::string_view& text) {
  if (leaf.type == NANOARROW_TYPE_NA || ArrowArrayViewIsNull(&view, row)) return TextState::kNull;
  if (leaf.is_string()) {
    const ArrowStringView found = ArrowArrayViewGetStringUnsafe(&view, row);
    text = std::string_view(found.data, static_cast<size_t>(found.size_bytes));
    return TextState::kText;
  }
  switch (leaf.type) {
    case NANOARROW_TYPE_BOOL:
      text = ArrowArrayViewGetIntUnsafe(&view, row) != 0 ? "true" : "false";
      return TextState::kText;
    case NANOARROW_TYPE_UINT64:
      return NumberText(ArrowArrayViewGetUIntUnsafe(&view, row), scratch, text);
    case NANOARROW_TYPE_DOUBLE:
      return NumberText(ArrowArrayViewGetDoubleUnsafe(&view, row), scratch, text);
    case NANOARROW_TYPE_FLOAT:
    case NANOARROW_TYPE_HALF_FLOAT:
      return NumberText(static_cast<float>(ArrowArrayViewGetDoubleUnsafe(&view, row)), scratch, text);
    case NANOARROW_TYPE_DECIMAL32:
    case NANOARROW_TYPE_DECIMAL64:
    case NANOARROW_TYPE_DECIMAL128:
    case NANOARROW_TYPE_DECIMAL256:
      return LeafDecimalText(leaf, view, row, scratch, text);
    case NANOARROW_TYPE_DATE32:
      return DateText(ArrowArrayViewGetIntUnsafe(&view, row), scratch, text);
    case NANOARROW_TYPE_DATE64:
      return DateOfMillisecondsText(ArrowArrayViewGetIntUnsafe(&view, row), scratch, text);
    case NANOARROW_TYPE_TIMESTAMP:
      return TimestampText(ArrowArrayViewGetIntUnsafe(&view, row), 3 * static_cast<int>(leaf.unit), leaf.has_zone,
                           scratch, text);
    default:
      return NumberText(ArrowArrayViewGetIntUnsafe(&view, row), scratch, text);
  }
}

const uint8_t* LeafBytes(const LeafType& leaf, const ArrowArrayView& view, int64_t row) {
  return view.buffer_views[1].data.as_uint8 + static_cast<size_t>(view.offset + row) * leaf.width;
}

std::string TypeName(const ArrowSchema& schema) {
  char text[256];
  ArrowSchemaToString(&schema, text, sizeof text, 1);
  return text;
}

}  // namespace tada
