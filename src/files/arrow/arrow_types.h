#pragma once

// Arrow's types and the texts their values have in a table.
//   leaf      a type whose values are single texts: integers, floats, decimals, dates, time stamps, bools, strings, and
//             dictionaries of these.
//   interval  struct<lo,hi> of leaves, and
//   set       list of strings: the typed cells of a release (docs/formats.md).

#include <arrow/array.h>
#include <arrow/type.h>

#include <memory>
#include <optional>
#include <string>

#include "table/column.h"
#include "table/value_text.h"

namespace tada {

/// How a column of a leaf type stores values; nothing if the type is no leaf.
std::optional<ValueType> LeafType(const arrow::DataType& type);
bool IsIntervalType(const arrow::DataType& type);
bool IsSetType(const arrow::DataType& type);

/// A type as a string of bytes for Column::type_detail, and back; null if there is none in it.
std::string TypeDetail(const std::shared_ptr<arrow::DataType>& type);
std::shared_ptr<arrow::DataType> TypeFromDetail(const std::string& detail);

/// Writes the text of a value (table/value_text.h). Pre: LeafType(type), and no dictionary. `text` is a view of
/// `scratch` or of the array.
TextState ValueText(const arrow::Array& array, int64_t row, std::string& scratch, std::string_view& text);

}  // namespace tada
