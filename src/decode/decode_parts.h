#pragma once

// The two ways to decode a column; decode.h is the door.

#include "decode/decode.h"
#include "table/column_builder.h"

namespace tada {

/// `texts`: what a model drew for each row of each copy; empty: the marginal draws.
Result<Column> DrawColumn(const Column& column, const ColumnDecoder& decoder, const DecodeOptions& options,
                          uint32_t copies, std::span<const uint32_t> texts, const Workers& workers);

/// The seed of a column's draws, by its name: other columns play no part.
uint64_t SeedOfColumn(uint64_t seed, std::string_view name);

/// Adds the column of means of a column of numbers, or those of the probabilities of a column of names.
Status ExpectColumns(const Column& column, const ColumnDecoder& decoder, const DecodeOptions& options,
                     const Workers& workers, std::vector<Column>& columns);

}  // namespace tada
