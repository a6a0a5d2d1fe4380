#pragma once

// Values of Arrow arrays, seen through the Arrow C data interface (nanoarrow; libarrow is not needed), and their texts.
//   leaf      a type whose values are single texts: integers, floats, decimals, dates, time stamps, bools, strings, and
//             dictionaries of these.
//   storage   a leaf's values as bytes of equal width, so that they can be given back as they came; strings have none.

#include <nanoarrow/nanoarrow.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "table/column.h"
#include "table/value_text.h"

namespace tada {

struct LeafType {
  ArrowType type = NANOARROW_TYPE_NA;  ///< of the values; of a dictionary: of its entries
  ArrowTimeUnit unit = NANOARROW_TIME_UNIT_SECOND;
  bool has_zone = false;
  int32_t precision = 0, scale = 0;  ///< of decimals
  size_t width = 0;                  ///< bytes of a value, a bool is one; 0: strings and nulls
  bool is_dictionary = false;
  bool is_ordered = false;  ///< of a dictionary
  ValueType value_type = ValueType::kText;

  bool is_string() const {
    return type == NANOARROW_TYPE_STRING || type == NANOARROW_TYPE_LARGE_STRING || type == NANOARROW_TYPE_STRING_VIEW;
  }
};

/// The leaf type of a schema; nothing if it is none.
std::optional<LeafType> LeafTypeOf(const ArrowSchema& schema);

/// Writes the text (table/value_text.h) of a value that is not in a dictionary. `text` is a view of `scratch` or of the array.
TextState LeafText(const LeafType& leaf, const ArrowArrayView& view, int64_t row, std::string& scratch,
                   std::string_view& text);

/// Where the bytes of a value are. Pre: leaf.width > 0, no bool.
const uint8_t* LeafBytes(const LeafType& leaf, const ArrowArrayView& view, int64_t row);

/// A type as its producer would call it, for messages.
std::string TypeName(const ArrowSchema& schema);

}  // namespace tada
