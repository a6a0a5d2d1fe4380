#include "files/postgres/copy_binary.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "table/number.h"

namespace tada {
namespace {

constexpr int64_t kDaysTo2000 = 10957;  // from 1970-01-01; PostgreSQL counts from 2000-01-01
constexpr uint32_t kTextOid = 25;

// In the order of bytes of the network.
template <class Number>
void Put(Number value, std::string& out) {
  const auto bits = static_cast<uint64_t>(value);
  for (size_t byte = sizeof(Number); byte-- > 0;) out += static_cast<char>(bits >> (8 * byte) & 0xFF);
}

void PutSized(std::string_view bytes, std::string& out) {
  Put(static_cast<uint32_t>(bytes.size()), out);
  out += bytes;
}

// What a type of integers or days holds, and how wide it is.
struct Whole {
  int64_t least, most;
  bool days = false;
  bool wide = false;
};

std::optional<Whole> WholeOf(std::string_view type) {
  constexpr int64_t kLeast = std::numeric_limits<int32_t>::min(), kMost = std::numeric_limits<int32_t>::max();
  if (type == "integer" || type == "int4range") return Whole{kLeast, kMost};
  // The lowest and the highest day stand for no end.
  if (type == "date" || type == "daterange") return Whole{kLeast + 1, kMost - 1, true};
  if (type == "bigint" || type == "int8range")
    return Whole{std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), false, true};
  return std::nullopt;
}

std::optional<int64_t> ReadWhole(std::string_view text, const Whole& whole) {
  int64_t value = 0;
  if (whole.days) {
    const auto days = text.size() == 10 ? ParseDate(text) : std::nullopt;
    if (!days || text.starts_with("0000")) return std::nullopt;
    value = static_cast<int64_t>(*days) - kDaysTo2000;
  } else {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  }
  if (value < whole.least || value > whole.most) return std::nullopt;
  return value;
}

void PutWhole(int64_t value, const Whole& whole, std::string& out) {
  if (whole.wide) {
    Put(value, out);
  } else {
    Put(static_cast<int32_t>(value), out);
  }
}

// `[20,30]` as `[20,31)`, which is how PostgreSQL keeps it, and `(,)`.
std::optional<std::string> RangeBytes(std::string_view text, const Whole& whole) {
  constexpr char kFromLow = 0x02, kNoEnds = 0x08 | 0x10;
  if (text == "(,)") return std::string(1, kNoEnds);
  if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  const size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto low = ReadWhole(text.substr(0, comma), whole), high = ReadWhole(text.substr(comma + 1), whole);
  if (!low || !high || *low > *high || *high == whole.most) return std::nullopt;
  std::string bytes(1, kFromLow);
  for (const int64_t bound : {*low, *high + 1}) {
    Put(uint32_t{whole.wide ? 8u : 4u}, bytes);
    PutWhole(bound, whole, bytes);
  }
  return bytes;
}

// The next element of an array's text, with its bytes in `element`; nothing where it is not written as we write it.
enum class Element { kText, kNull };
std::optional<Element> TakeElement(std::string_view& text, std::string& element) {
  element.clear();
  if (!text.starts_with('"')) {
    const size_t end = std::min(text.find(','), text.size());
    element = text.substr(0, end);
    text.remove_prefix(end);
    if (element.empty() || element.find_first_of("\"\\{} \t\n\r\v\f") != std::string::npos) return std::nullopt;
    if (element.size() != 4 || (element[0] | 0x20) != 'n') return Element::kText;
    if (element == "NULL") return Element::kNull;
    return std::nullopt;
  }
  text.remove_prefix(1);
  for (; !text.empty() && text[0] != '"'; text.remove_prefix(1)) {
    if (text[0] == '\\') text.remove_prefix(1);
    if (text.empty()) return std::nullopt;
    element += text[0];
  }
  if (text.empty()) return std::nullopt;
  text.remove_prefix(1);
  return Element::kText;
}

std::optional<std::string> ArrayBytes(std::string_view text) {
  if (!text.starts_with('{') || !text.ends_with('}') || text.size() < 3) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::string elements, element;
  uint32_t count = 0;
  bool nulls = false;
  for (bool more = true; more; ++count) {
    const auto kind = TakeElement(text, element);
    if (!kind) return std::nullopt;
    if (*kind == Element::kNull) {
      nulls = true;
      Put(int32_t{-1}, elements);
    } else {
      PutSized(element, elements);
    }
    more = !text.empty();
    if (more && text[0] != ',') return std::nullopt;
    if (more) text.remove_prefix(1);
  }
  std::string bytes;
  for (const uint32_t word : {1u, nulls ? 1u : 0u, kTextOid, count, 1u}) Put(word, bytes);
  return bytes + elements;
}

bool IsText(std::string_view type) { return type == "text" || type == "character varying" || type == "character"; }

std::optional<std::string> FieldBytes(std::string_view type, const std::string& text) {
  if (IsText(type)) return text;
  if (type == "text[]") return ArrayBytes(text);
  const Whole whole = WholeOf(type).value();
  if (type.ends_with("range")) return RangeBytes(text, whole);
  const auto value = ReadWhole(text, whole);
  if (!value) return std::nullopt;
  std::string bytes;
  PutWhole(*value, whole, bytes);
  return bytes;
}

}  // namespace

std::string_view CopySignature() {
  static constexpr std::string_view kSignature("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
  return kSignature;
}

std::string_view CopyEnd() { return "\377\377"; }

std::string CopyRowBegin(size_t fields) {
  std::string begin;
  Put(static_cast<uint16_t>(fields), begin);
  return begin;
}

std::optional<std::string> CopyField(std::string_view type, const std::optional<std::string>& text) {
  type = type.substr(0, type.find('('));
  if (!IsText(type) && type != "text[]" && !WholeOf(type)) return std::nullopt;
  std::string field;
  if (!text) {
    Put(int32_t{-1}, field);
    return field;
  }
  const auto bytes = FieldBytes(type, *text);
  if (!bytes) return std::nullopt;
  PutSized(*bytes, field);
  return field;
}

}  // namespace tada
