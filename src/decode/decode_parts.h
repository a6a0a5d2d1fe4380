#pragma once

// The two ways to decode a column; decode.h is the door.

#include "decode/decode.h"
#include "table/column_builder.h"

namespace tada {

Result<Column> DrawColumn(const Column& column, const ColumnDecoder& decoder, const DecodeOptions& options,
                          uint32_t copies, const Workers& workers);

/// Adds the column of means of a column of numbers, or those of the probabilities of a column of names.
Status ExpectColumns(const Column& column, const ColumnDecoder& decoder, const DecodeOptions& options,
                     const Workers& workers, std::vector<Column>& columns);

}  // namespace tada
