#include "files/arrow/arrow_types.h"

#include <arrow/io/memory.h>
#include <arrow/ipc/api.h>
#include <arrow/util/decimal.h>
#include <arrow/util/float16.h>

namespace tada {
namespace {

bool IsString(const arrow::DataType& type) {
  return type.id() == arrow::Type::STRING || type.id() == arrow::Type::LARGE_STRING ||
         type.id() == arrow::Type::STRING_VIEW;
}

}  // namespace

std::optional<ValueType> LeafType(const arrow::DataType& type) {
  if (arrow::is_integer(type.id())) return ValueType::kInteger;
  if (arrow::is_floating(type.id())) return ValueType::kReal;
  if (arrow::is_decimal(type.id())) return ValueType::kDecimal;
  switch (type.id()) {
    case arrow::Type::DATE32:
    case arrow::Type::DATE64:
      return ValueType::kDate;
    case arrow::Type::TIMESTAMP:
      return ValueType::kTimestamp;
    case arrow::Type::BOOL:
      return ValueType::kBoolean;
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
    case arrow::Type::STRING_VIEW:
    case arrow::Type::NA:
      return ValueType::kText;
    case arrow::Type::DICTIONARY: {
      const auto& values = *static_cast<const arrow::DictionaryType&>(type).value_type();
      return values.id() == arrow::Type::DICTIONARY ? std::nullopt : LeafType(values);
    }
    default:
      return std::nullopt;
  }
}

bool IsIntervalType(const arrow::DataType& type) {
  return type.id() == arrow::Type::STRUCT && type.num_fields() == 2 && type.field(0)->name() == "lo" &&
         type.field(1)->name() == "hi" && LeafType(*type.field(0)->type()) && LeafType(*type.field(1)->type());
}

bool IsSetType(const arrow::DataType& type) {
  if (type.id() != arrow::Type::LIST && type.id() != arrow::Type::LARGE_LIST) return false;
  const auto element = type.field(0)->type();
  if (element->id() != arrow::Type::DICTIONARY) return IsString(*element);
  return IsString(*static_cast<const arrow::DictionaryType&>(*element).value_type());
}

std::string TypeDetail(const std::shared_ptr<arrow::DataType>& type) {
  const auto bytes = arrow::ipc::SerializeSchema(*arrow::schema({arrow::field("", type)}));
  TADA_ASSERT(bytes.ok());
  return (*bytes)->ToString();
}

std::shared_ptr<arrow::DataType> TypeFromDetail(const std::string& detail) {
  if (detail.empty()) return nullptr;
  arrow::io::BufferReader reader(arrow::Buffer::FromString(detail));
  arrow::ipc::DictionaryMemo memo;
  const auto schema = arrow::ipc::ReadSchema(&reader, &memo);
  TADA_ASSERT(schema.ok());
  return (*schema)->field(0)->type();
}

TextState ValueText(const arrow::Array& array, int64_t row, std::string& scratch, std::string_view& text) {
  using arrow::Type;
  if (array.IsNull(row)) return TextState::kNull;
  const auto number = [&]<class ArrayType>(const ArrayType&) {
    return NumberText(static_cast<const ArrayType&>(array).Value(row), scratch, text);
  };
  const auto decimal = [&]<class Decimal, class ArrayType>(const ArrayType& values) {
    scratch = Decimal(values.GetValue(row)).ToIntegerString();
    return DecimalText(static_cast<const arrow::DecimalType&>(*array.type()).scale(), scratch, text);
  };
  switch (array.type_id()) {
    case Type::INT8:
      return number(static_cast<const arrow::Int8Array&>(array));
    case Type::INT16:
      return number(static_cast<const arrow::Int16Array&>(array));
    case Type::INT32:
      return number(static_cast<const arrow::Int32Array&>(array));
    case Type::INT64:
      return number(static_cast<const arrow::Int64Array&>(array));
    case Type::UINT8:
      return number(static_cast<const arrow::UInt8Array&>(array));
    case Type::UINT16:
      return number(static_cast<const arrow::UInt16Array&>(array));
    case Type::UINT32:
      return number(static_cast<const arrow::UInt32Array&>(array));
    case Type::UINT64:
      return number(static_cast<const arrow::UInt64Array&>(array));
    case Type::FLOAT:
      return number(static_cast<const arrow::FloatArray&>(array));
    case Type::DOUBLE:
      return number(static_cast<const arrow::DoubleArray&>(array));
    case Type::HALF_FLOAT: {
      const uint16_t bits = static_cast<const arrow::HalfFloatArray&>(array).Value(row);
      return NumberText(arrow::util::Float16::FromBits(bits).ToFloat(), scratch, text);
    }
    case Type::DECIMAL32:
      return decimal.operator()<arrow::Decimal32>(static_cast<const arrow::Decimal32Array&>(array));
    case Type::DECIMAL64:
      return decimal.operator()<arrow::Decimal64>(static_cast<const arrow::Decimal64Array&>(array));
    case Type::DECIMAL128:
      return decimal.operator()<arrow::Decimal128>(static_cast<const arrow::Decimal128Array&>(array));
    case Type::DECIMAL256:
      return decimal.operator()<arrow::Decimal256>(static_cast<const arrow::Decimal256Array&>(array));
    case Type::DATE32:
      return DateText(static_cast<const arrow::Date32Array&>(array).Value(row), scratch, text);
    case Type::DATE64:
      return DateOfMillisecondsText(static_cast<const arrow::Date64Array&>(array).Value(row), scratch, text);
    case Type::TIMESTAMP: {
      const auto& type = static_cast<const arrow::TimestampType&>(*array.type());
      return TimestampText(static_cast<const arrow::TimestampArray&>(array).Value(row),
                           3 * static_cast<int>(type.unit()), !type.timezone().empty(), scratch, text);
    }
    case Type::BOOL:
      text = static_cast<const arrow::BooleanArray&>(array).Value(row) ? "true" : "false";
      return TextState::kText;
    case Type::STRING:
      text = static_cast<const arrow::StringArray&>(array).GetView(row);
      return TextState::kText;
    case Type::LARGE_STRING:
      text = static_cast<const arrow::LargeStringArray&>(array).GetView(row);
      return TextState::kText;
    case Type::STRING_VIEW:
      text = static_cast<const arrow::StringViewArray&>(array).GetView(row);
      return TextState::kText;
    default:
      TADA_ASSERT(false && "a leaf type");
      return TextState::kNull;
  }
}

}  // namespace tada
