#include "files/arrow/coded_strings.h"

#include <arrow/buffer_builder.h>
#include <arrow/builder.h>
#include <arrow/type.h>

#include <algorithm>
#include <map>

namespace tada {
namespace {

using ArrayPtr = std::shared_ptr<arrow::Array>;

constexpr int64_t kDictionaryBytes = 1 << 20;  // of a page at most, as Parquet's writer has it

const std::shared_ptr<arrow::DataType>& Coded() {
  static const auto type = arrow::dictionary(arrow::int32(), arrow::utf8());
  return type;
}

// The dictionary of the values that are used, and each value as a number in it.
arrow::Result<ArrayPtr> CodeValues(const arrow::StringArray& values, const std::vector<bool>& used) {
  std::map<std::string_view, int32_t> entries;
  for (int64_t i = 0; i < values.length(); ++i) {
    if (used[static_cast<size_t>(i)] && values.IsValid(i)) entries.emplace(values.GetView(i), 0);
  }
  arrow::StringBuilder dictionary;
  for (auto& [text, number] : entries) {
    number = static_cast<int32_t>(dictionary.length());
    ARROW_RETURN_NOT_OK(dictionary.Append(text));
  }
  arrow::Int32Builder numbers;
  ARROW_RETURN_NOT_OK(numbers.Reserve(values.length()));
  for (int64_t i = 0; i < values.length(); ++i) {
    if (used[static_cast<size_t>(i)] && values.IsValid(i)) {
      numbers.UnsafeAppend(entries.at(values.GetView(i)));
    } else {
      numbers.UnsafeAppendNull();
    }
  }
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr texts, dictionary.Finish());
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr indices, numbers.Finish());
  return arrow::DictionaryArray::FromArrays(Coded(), indices, texts);
}

// Elements are strings that are there, as MakeDistinctCells makes them.
bool IsSets(const arrow::Array& cells) {
  if (cells.type_id() != arrow::Type::LIST) return false;
  const auto& lists = static_cast<const arrow::ListArray&>(cells);
  return lists.values()->type_id() == arrow::Type::STRING && lists.values()->null_count() == 0;
}

}  // namespace

std::shared_ptr<arrow::DataType> CodedType(const arrow::Array& cells) {
  const auto bytes = [](const arrow::Array& strings) {
    return static_cast<const arrow::StringArray&>(strings).total_values_length() + 4 * strings.length();
  };
  if (cells.type_id() == arrow::Type::STRING && bytes(cells) < kDictionaryBytes) return Coded();
  // Elements that several lists share are one entry.
  if (IsSets(cells)) return arrow::list(Coded());
  return cells.type();
}

arrow::Result<ArrayPtr> CodeCells(const arrow::Array& cells, const std::vector<bool>& used) {
  if (cells.type_id() == arrow::Type::STRING) return CodeValues(static_cast<const arrow::StringArray&>(cells), used);
  const auto& lists = static_cast<const arrow::ListArray&>(cells);
  std::vector<bool> used_values(static_cast<size_t>(lists.values()->length()), false);
  for (int64_t i = 0; i < lists.length(); ++i) {
    if (!used[static_cast<size_t>(i)]) continue;
    for (int64_t j = lists.value_offset(i); j < lists.value_offset(i + 1); ++j)
      used_values[static_cast<size_t>(j)] = true;
  }
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr values,
                        CodeValues(static_cast<const arrow::StringArray&>(*lists.values()), used_values));
  return std::make_shared<arrow::ListArray>(arrow::list(Coded()), lists.length(), lists.value_offsets(), values,
                                            lists.null_bitmap(), lists.null_count());
}

arrow::Result<ArrayPtr> TakeLists(const arrow::ListArray& cells, std::span<const uint32_t> rows) {
  const auto& elements = static_cast<const arrow::DictionaryArray&>(*cells.values());
  const int32_t* entries = static_cast<const arrow::Int32Array&>(*elements.indices()).raw_values();
  const int32_t* begins = cells.raw_value_offsets();
  arrow::TypedBufferBuilder<int32_t> offsets, taken;
  arrow::TypedBufferBuilder<bool> valid;
  int64_t length = 0;
  for (const uint32_t row : rows) length += begins[row + 1] - begins[row];
  const auto count = static_cast<int64_t>(rows.size());
  ARROW_RETURN_NOT_OK(offsets.Reserve(count + 1));
  ARROW_RETURN_NOT_OK(taken.Reserve(length));
  ARROW_RETURN_NOT_OK(valid.Reserve(count));
  for (const uint32_t row : rows) {
    offsets.UnsafeAppend(static_cast<int32_t>(taken.length()));
    valid.UnsafeAppend(cells.IsValid(row));
    for (int32_t i = begins[row]; i < begins[row + 1]; ++i) taken.UnsafeAppend(entries[i]);
  }
  offsets.UnsafeAppend(static_cast<int32_t>(taken.length()));
  const int64_t nulls = valid.false_count();
  ARROW_ASSIGN_OR_RAISE(const auto bits, valid.Finish());
  ARROW_ASSIGN_OR_RAISE(const auto ends, offsets.Finish());
  ARROW_ASSIGN_OR_RAISE(const auto indices, taken.Finish());
  const auto values = std::make_shared<arrow::DictionaryArray>(
      Coded(), std::make_shared<arrow::Int32Array>(length, indices), elements.dictionary());
  return std::make_shared<arrow::ListArray>(cells.type(), count, ends, values, nulls > 0 ? bits : nullptr, nulls);
}

}  // namespace tada
