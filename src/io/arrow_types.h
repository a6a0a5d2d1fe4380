#pragma once

// Arrow's types and the texts their values have in a table.
//   leaf      a type whose values are single texts: integers, floats, decimals, dates, time stamps, bools, strings, and
//             dictionaries of these.
//   interval  struct<lo,hi> of leaves, and
//   set       list of strings: the typed cells of a release (contract.md 3).

#include <arrow/array.h>
#include <arrow/type.h>

#include <memory>
#include <optional>
#include <string>

#include "table/column.h"

namespace tada {

/// How a column of a leaf type stores values; nothing if the type is no leaf.
std::optional<ValueType> LeafType(const arrow::DataType& type);
bool IsIntervalType(const arrow::DataType& type);
bool IsSetType(const arrow::DataType& type);

/// A type as a string of bytes for Column::type_detail, and back; null if there is none in it.
std::string TypeDetail(const std::shared_ptr<arrow::DataType>& type);
std::shared_ptr<arrow::DataType> TypeFromDetail(const std::string& detail);

enum class TextState {
  kText,
  kNull,     ///< also a float that is not a number: no value
  kNotText,  ///< a date before year 0 or after year 9999, which has no ISO form
};

/// Writes the text of a value: integers in decimal, floats as short as they read back the same, decimals exactly, dates
/// and time stamps as ISO 8601 (`2024-02-29`, `2024-02-29T12:30:00.25`, `Z` behind if the type has a time zone).
/// Pre: LeafType(type), and no dictionary. `text` is a view of `scratch` or of the array.
TextState ValueText(const arrow::Array& array, int64_t row, std::string& scratch, std::string_view& text);

}  // namespace tada
