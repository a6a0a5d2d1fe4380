#include "io/arrow_types.h"

#include <arrow/io/memory.h>
#include <arrow/ipc/api.h>
#include <arrow/util/decimal.h>
#include <arrow/util/float16.h>

#include <charconv>
#include <chrono>
#include <cmath>

namespace tada {
namespace {

template <class Number>
TextState NumberText(Number value, std::string& scratch, std::string_view& text) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isnan(value)) return TextState::kNull;
  }
  scratch.resize(64);
  const auto end = std::to_chars(scratch.data(), scratch.data() + scratch.size(), value).ptr;
  text = std::string_view(scratch.data(), static_cast<size_t>(end - scratch.data()));
  return TextState::kText;
}

template <class Decimal>
TextState DecimalText(const Decimal& value, int32_t scale, std::string& scratch, std::string_view& text) {
  std::string digits = value.ToIntegerString();
  const bool negative = digits.starts_with('-');
  if (negative) digits.erase(0, 1);
  if (scale > 0) {
    if (digits.size() <= static_cast<size_t>(scale))
      digits.insert(0, static_cast<size_t>(scale) + 1 - digits.size(), '0');
    digits.insert(digits.size() - static_cast<size_t>(scale), 1, '.');
  } else if (digits != "0") {
    digits.append(static_cast<size_t>(-scale), '0');
  }
  if (negative) digits.insert(digits.begin(), '-');
  scratch = std::move(digits);
  text = scratch;
  return TextState::kText;
}

bool AppendDate(int64_t days, std::string& out) {
  constexpr int64_t kFirst = -719528, kLast = 2932896;  // 0000-01-01 and 9999-12-31
  if (days < kFirst || days > kLast) return false;
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return true;
}

TextState DateText(int64_t days, std::string& scratch, std::string_view& text) {
  scratch.clear();
  if (!AppendDate(days, scratch)) return TextState::kNotText;
  text = scratch;
  return TextState::kText;
}

// `value` parted by `unit`, rounded down, and what is left, never negative.
std::pair<int64_t, int64_t> FloorDivide(int64_t value, int64_t unit) {
  const int64_t quotient = value / unit - (value % unit < 0 ? 1 : 0);
  return {quotient, value - quotient * unit};
}

TextState TimestampText(int64_t value, const arrow::TimestampType& type, std::string& scratch, std::string_view& text) {
  static constexpr int kFractionDigits[] = {0, 3, 6, 9};
  const int digits = kFractionDigits[static_cast<int>(type.unit())];
  int64_t per_second = 1;
  for (int i = 0; i < digits; ++i) per_second *= 10;
  const auto [seconds, fraction] = FloorDivide(value, per_second);
  const auto [days, of_day] = FloorDivide(seconds, 86400);
  scratch.clear();
  if (!AppendDate(days, scratch)) return TextState::kNotText;
  fmt::format_to(std::back_inserter(scratch), "T{:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60);
  if (fraction != 0) {
    const std::string written = std::to_string(fraction + per_second);  // a 1 before the digits keeps their zeros
    scratch += '.';
    scratch.append(written, 1);
    scratch.erase(scratch.find_last_not_of('0') + 1);
  }
  if (!type.timezone().empty()) scratch += 'Z';
  text = scratch;
  return TextState::kText;
}

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
    return DecimalText(Decimal(values.GetValue(row)), static_cast<const arrow::DecimalType&>(*array.type()).scale(),
                       scratch, text);
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
      return DateText(FloorDivide(static_cast<const arrow::Date64Array&>(array).Value(row), 86'400'000).first, scratch,
                      text);
    case Type::TIMESTAMP:
      return TimestampText(static_cast<const arrow::TimestampArray&>(array).Value(row),
                           static_cast<const arrow::TimestampType&>(*array.type()), scratch, text);
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
