#pragma once

// Which types Parquet stores as Arrow has them, so that values of dictionary pages are taken as they are, both ways.

#include <arrow/type.h>
#include <parquet/types.h>

namespace tada {

bool StoredAsIs(const arrow::DataType& type, parquet::Type::type physical);

}  // namespace tada
