#include "files/arrow/pages/parquet_types.h"

namespace tada {

bool StoredAsIs(const arrow::DataType& type, parquet::Type::type physical) {
  switch (type.id()) {
    case arrow::Type::INT32:
    case arrow::Type::DATE32:
      return physical == parquet::Type::INT32;
    case arrow::Type::INT64:
      return physical == parquet::Type::INT64;
    case arrow::Type::FLOAT:
      return physical == parquet::Type::FLOAT;
    case arrow::Type::DOUBLE:
      return physical == parquet::Type::DOUBLE;
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
      return physical == parquet::Type::BYTE_ARRAY;
    default:
      return false;
  }
}

}  // namespace tada
