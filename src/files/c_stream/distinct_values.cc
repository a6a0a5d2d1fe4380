#include "files/c_stream/distinct_values.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "table/number.h"

namespace tada {
namespace {

template <class T>
T* MakeBuffer(ArrowArray* array, int64_t number, size_t count) {
  ArrowBuffer* buffer = ArrowArrayBuffer(array, number);
  CheckArrow(ArrowBufferResize(buffer, static_cast<int64_t>(count * sizeof(T)), 0));
  return reinterpret_cast<T*>(buffer->data);
}

template <class Offset>
void GatherTexts(const DistinctValues& values, std::span<const uint32_t> indices, ArrowArray* out) {
  Offset* offsets = MakeBuffer<Offset>(out, 1, indices.size() + 1);
  Offset end = 0;
  offsets[0] = 0;
  for (size_t i = 0; i < indices.size(); ++i) {
    end += static_cast<Offset>(values.texts[indices[i]].size());
    offsets[i + 1] = end;
  }
  char* bytes = MakeBuffer<char>(out, 2, static_cast<size_t>(end));
  for (const uint32_t index : indices) {
    const std::string_view text = values.texts[index];
    if (!text.empty()) std::memcpy(bytes, text.data(), text.size());
    bytes += text.size();
  }
}

template <class T>
void GatherFixed(const DistinctValues& values, std::span<const uint32_t> indices, ArrowArray* out) {
  T* into = MakeBuffer<T>(out, 1, indices.size());
  for (size_t i = 0; i < indices.size(); ++i)
    std::memcpy(into + i, values.bytes.data() + indices[i] * sizeof(T), sizeof(T));
}

void GatherBits(const DistinctValues& values, std::span<const uint32_t> indices, ArrowArray* out) {
  auto* bits = MakeBuffer<uint8_t>(out, 1, (indices.size() + 7) / 8);
  std::memset(bits, 0, (indices.size() + 7) / 8);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (values.bytes[indices[i]] != 0) bits[i / 8] |= static_cast<uint8_t>(1u << (i % 8));
  }
}

// Reads every text that is not null as a T, and gives nothing unless all of them print back the same.
template <class T, class Parse, class Print>
std::optional<std::vector<uint8_t>> ParseAll(const std::vector<std::string_view>& texts, const std::vector<bool>& null,
                                             Parse&& parse, Print&& print) {
  std::vector<uint8_t> bytes(texts.size() * sizeof(T));
  bool any = false;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (null[i]) continue;
    const std::optional<T> value = parse(texts[i]);
    if (!value || print(*value) != texts[i]) return std::nullopt;
    std::memcpy(bytes.data() + i * sizeof(T), &*value, sizeof(T));
    any = true;
  }
  if (!any) return std::nullopt;
  return bytes;
}

template <class T>
std::optional<T> FromChars(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <class T>
std::string ToChars(T value) {
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

DistinctValues Fixed(ArrowType type, size_t width, std::vector<uint8_t> bytes, std::vector<bool> null) {
  DistinctValues values;
  ArrowSchemaInit(values.type.get());
  CheckArrow(ArrowSchemaSetType(values.type.get(), type));
  values.width = width;
  values.bytes = std::move(bytes);
  values.null = std::move(null);
  return values;
}

std::optional<DistinctValues> InferType(const std::vector<std::string_view>& texts, const std::vector<bool>& null) {
  if (auto bytes = ParseAll<int64_t>(texts, null, FromChars<int64_t>, ToChars<int64_t>)) {
    return Fixed(NANOARROW_TYPE_INT64, 8, *std::move(bytes), null);
  }
  const auto real = [](std::string_view text) -> std::optional<double> {
    const auto value = FromChars<double>(text);
    return value && std::isnan(*value) ? std::nullopt : value;
  };
  if (auto bytes = ParseAll<double>(texts, null, real, ToChars<double>)) {
    return Fixed(NANOARROW_TYPE_DOUBLE, 8, *std::move(bytes), null);
  }
  const auto day = [](std::string_view text) -> std::optional<int32_t> {
    const auto days = ParseDate(text);
    if (!days) return std::nullopt;
    return static_cast<int32_t>(std::floor(*days));
  };
  const auto written = [](int32_t days) { return DateText(days); };
  if (auto bytes = ParseAll<int32_t>(texts, null, day, written)) {
    return Fixed(NANOARROW_TYPE_DATE32, 4, *std::move(bytes), null);
  }
  return std::nullopt;
}

}  // namespace

DistinctValues StringValues(std::vector<std::string_view> texts, std::vector<bool> null, size_t longest_batch) {
  size_t longest = 0;
  for (const std::string_view text : texts) longest = std::max(longest, text.size());
  DistinctValues values;
  const bool large = longest * longest_batch > std::numeric_limits<int32_t>::max();
  ArrowSchemaInit(values.type.get());
  CheckArrow(ArrowSchemaSetType(values.type.get(), large ? NANOARROW_TYPE_LARGE_STRING : NANOARROW_TYPE_STRING));
  values.texts = std::move(texts);
  values.null = std::move(null);
  return values;
}

DistinctValues ValuesOfColumn(const Column& column, const StoredValues& stored, bool untyped, bool bounds) {
  const bool strings = !stored.leaf || stored.leaf->width == 0;
  std::vector<bool> null(column.num_codes());
  std::vector<std::string_view> texts;
  for (Code code = 0; code < column.num_codes(); ++code) {
    texts.push_back(column.text(code));
    null[code] = column.is_missing(code) && (bounds || untyped || !strings || texts.back().empty());
  }
  if (!strings) {
    DistinctValues values;
    CheckArrow(ArrowSchemaDeepCopy(stored.type.get(), values.type.get()));
    values.width = stored.leaf->width;
    values.is_bool = stored.leaf->type == NANOARROW_TYPE_BOOL;
    values.bytes = stored.bytes;
    values.null = std::move(null);
    return values;
  }
  if (untyped) {
    if (auto inferred = InferType(texts, null)) return *std::move(inferred);
    for (Code code = 0; code < column.num_codes(); ++code) {
      null[code] = column.is_missing(code) && (bounds || texts[code].empty());
    }
  }
  DistinctValues values = StringValues(std::move(texts), std::move(null), kBatchRows);
  if (stored.leaf && stored.leaf->type == NANOARROW_TYPE_LARGE_STRING) {
    values.type.reset();
    ArrowSchemaInit(values.type.get());
    CheckArrow(ArrowSchemaSetType(values.type.get(), NANOARROW_TYPE_LARGE_STRING));
  }
  return values;
}

void GatherValidity(const std::vector<bool>& null, std::span<const uint32_t> indices, ArrowArray* out) {
  int64_t nulls = 0;
  if (!null.empty()) {
    for (const uint32_t index : indices) nulls += null[index] ? 1 : 0;
  }
  out->null_count = nulls;
  if (nulls == 0) return;
  ArrowBitmap* bitmap = ArrowArrayValidityBitmap(out);
  CheckArrow(ArrowBitmapReserve(bitmap, static_cast<int64_t>(indices.size())));
  for (const uint32_t index : indices) ArrowBitmapAppendUnsafe(bitmap, null[index] ? 0 : 1, 1);
}

void GatherValues(const DistinctValues& values, std::span<const uint32_t> indices, ArrowArray* out) {
  CheckArrow(ArrowArrayInitFromSchema(out, values.type.get(), nullptr));
  GatherValidity(values.null, indices, out);
  if (values.width == 0) {
    std::string_view(values.type->format) == "U" ? GatherTexts<int64_t>(values, indices, out)
                                                 : GatherTexts<int32_t>(values, indices, out);
  } else if (values.is_bool) {
    GatherBits(values, indices, out);
  } else {
    struct Bytes16 {
      uint64_t words[2];
    };
    struct Bytes32 {
      uint64_t words[4];
    };
    switch (values.width) {
      case 1:
        GatherFixed<uint8_t>(values, indices, out);
        break;
      case 2:
        GatherFixed<uint16_t>(values, indices, out);
        break;
      case 4:
        GatherFixed<uint32_t>(values, indices, out);
        break;
      case 8:
        GatherFixed<uint64_t>(values, indices, out);
        break;
      case 16:
        GatherFixed<Bytes16>(values, indices, out);
        break;
      default:
        TADA_ASSERT(values.width == 32);
        GatherFixed<Bytes32>(values, indices, out);
    }
  }
  out->length = static_cast<int64_t>(indices.size());
  CheckArrow(ArrowArrayFinishBuilding(out, NANOARROW_VALIDATION_LEVEL_MINIMAL, nullptr));
}

}  // namespace tada
