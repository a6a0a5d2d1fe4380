#include "table/column_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "table/number.h"

namespace tada {
namespace {

constexpr size_t kBatch = 32;             // texts whose memory is asked for at the same time
constexpr size_t kCachedSlots = 1 << 12;  // tables up to here are in the cache anyway

template <class Word>
uint64_t Load(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// The bytes of a text of less than nine, in a word; with the length, different texts have different words.
uint64_t ShortWord(std::string_view text) {
  const char* const end = text.data() + text.size();
  if (text.size() >= 4) return Load<uint32_t>(text.data()) | Load<uint32_t>(end - 4) << 32;
  if (text.size() >= 2) return Load<uint16_t>(text.data()) | Load<uint16_t>(end - 2) << 16;
  return text.empty() ? 0 : static_cast<unsigned char>(text[0]);
}

}  // namespace

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kNumeric:
      return "numeric";
    case Kind::kCategorical:
      return "categorical";
    case Kind::kOrdinal:
      return "ordinal";
  }
  return "";
}

ColumnBuilder::ColumnBuilder(std::string name, ColumnOptions options)
    : name_(std::move(name)), options_(std::move(options)), slots_(64) {}

// Eight bytes at a time, multiplied and folded; texts are short.
uint32_t ColumnBuilder::Hash(std::string_view text) {
  uint64_t hash = 0x9E3779B97F4A7C15ull ^ text.size();
  const auto mix = [&](uint64_t word) {
    hash = (hash ^ word) * 0xD6E8FEB86659FD93ull;
    hash ^= hash >> 32;
  };
  if (text.size() <= 8) {
    mix(ShortWord(text));
  } else {
    for (size_t at = 0; at + 8 < text.size(); at += 8) mix(Load<uint64_t>(text.data() + at));
    mix(Load<uint64_t>(text.data() + text.size() - 8));  // the last eight, some of them again
  }
  return static_cast<uint32_t>(hash * 0xD6E8FEB86659FD93ull >> 32);
}

uint32_t ColumnBuilder::Intern(std::string_view text, uint32_t hash) {
  size_t at = hash & (slots_.size() - 1);
  for (; slots_[at].number_plus_one != 0; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].hash == hash && Text(slots_[at].number_plus_one - 1) == text) return slots_[at].number_plus_one - 1;
  }
  const auto number = static_cast<uint32_t>(offsets_.size() - 1);
  arena_ += text;
  offsets_.push_back(arena_.size());
  slots_[at] = {hash, number + 1};
  if (offsets_.size() * 2 > slots_.size()) Grow();
  return number;
}

// A text is found by way of its slot, the offsets that the slot names, and the bytes that these name: each is asked for
// for all texts of a batch before the first of them is looked at, so that the waits overlap.
void ColumnBuilder::Prefetch(std::span<const uint32_t> hashes) const {
  const auto slot = [&](uint32_t hash) -> const Slot& { return slots_[hash & (slots_.size() - 1)]; };
  for (const uint32_t hash : hashes) __builtin_prefetch(&slot(hash));
  for (const uint32_t hash : hashes) {
    if (slot(hash).hash == hash) __builtin_prefetch(&offsets_[slot(hash).number_plus_one]);
  }
  for (const uint32_t hash : hashes) {
    if (slot(hash).hash == hash && slot(hash).number_plus_one != 0) {
      __builtin_prefetch(Text(slot(hash).number_plus_one - 1).data());
    }
  }
}

void ColumnBuilder::InternAll(std::span<const std::string_view> texts, std::span<uint32_t> numbers) {
  std::array<uint32_t, kBatch> hashes;
  for (size_t begin = 0; begin < texts.size(); begin += kBatch) {
    const size_t count = std::min(kBatch, texts.size() - begin);
    for (size_t i = 0; i < count; ++i) hashes[i] = Hash(texts[begin + i]);
    if (slots_.size() > kCachedSlots) Prefetch(std::span(hashes).first(count));
    for (size_t i = 0; i < count; ++i) numbers[begin + i] = Intern(texts[begin + i], hashes[i]);
  }
}

void ColumnBuilder::Grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.number_plus_one == 0) continue;
    size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].number_plus_one != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

uint32_t ColumnBuilder::InternNull() {
  has_null_ = true;
  return Intern("");
}

std::span<uint32_t> ColumnBuilder::Extend(size_t count) {
  rows_.resize(rows_.size() + count);
  return std::span(rows_).last(count);
}

void ColumnBuilder::SetType(ValueType type, std::string detail) {
  type_ = type;
  type_detail_ = std::move(detail);
}

bool ColumnBuilder::IsMissing(std::string_view text) const {
  if (has_null_ && text.empty()) return true;
  return std::find(options_.missing.begin(), options_.missing.end(), text) != options_.missing.end();
}

Result<Kind> ColumnBuilder::DecideKind(const std::vector<uint32_t>& values, bool* dates) const {
  *dates = false;
  if (options_.kind && *options_.kind != Kind::kNumeric) return *options_.kind;
  if (type_ == ValueType::kBoolean) return Kind::kCategorical;
  const auto first_not = [&](auto parses) {
    return std::find_if(values.begin(), values.end(), [&](uint32_t v) { return !parses(Text(v)); });
  };
  const auto not_number = first_not([](std::string_view text) { return ParseNumber(text).has_value(); });
  if (not_number == values.end()) {
    if (values.empty() && !options_.kind) return Kind::kCategorical;
    return Kind::kNumeric;
  }
  if (not_number == values.begin() && first_not(IsDate) == values.end()) {
    *dates = true;
    return Kind::kNumeric;
  }
  if (!options_.kind) return Kind::kCategorical;
  return InvalidArgument("Column is not numeric: column={}, value='{}'", name_, Text(*not_number))
      .WithHint(
          fmt::format("Write {}:categorical, or add the value to --missing if it means that there is none.", name_));
}

void ColumnBuilder::SortNumeric(std::vector<uint32_t>& values, std::vector<double>& numbers, bool dates) const {
  std::vector<double> number_of(offsets_.size() - 1);
  for (const uint32_t v : values) number_of[v] = dates ? *ParseDate(Text(v)) : *ParseNumber(Text(v));
  std::sort(values.begin(), values.end(), [&](uint32_t a, uint32_t b) {
    if (number_of[a] != number_of[b]) return number_of[a] < number_of[b];
    if (dates) {
      const std::string key_a = DateKey(Text(a)), key_b = DateKey(Text(b));
      if (key_a != key_b) return key_a < key_b;
    } else if (const int order = CompareNumbers(Text(a), Text(b)); order != 0) {
      return order < 0;
    }
    return Text(a) < Text(b);
  });
  numbers.reserve(numbers.size() + values.size());
  for (const uint32_t v : values) numbers.push_back(number_of[v]);
}

void ColumnBuilder::SortNames(std::vector<uint32_t>& values) const {
  // An ordinal column whose names are numbers, and a typed number forced to be categorical, sort as numbers.
  const bool numbers =
      std::all_of(values.begin(), values.end(), [&](uint32_t v) { return ParseNumber(Text(v)).has_value(); });
  const auto usual = [&](uint32_t a, uint32_t b) {
    if (options_.order_of_appearance) return a < b;
    if (numbers && options_.kind == Kind::kOrdinal) {
      if (const int order = CompareNumbers(Text(a), Text(b)); order != 0) return order < 0;
    }
    return Text(a) < Text(b);
  };
  if (options_.order.empty()) {
    std::sort(values.begin(), values.end(), usual);
    return;
  }
  std::unordered_map<std::string_view, size_t> place;
  for (const std::string& text : options_.order) place.emplace(text, place.size());
  const auto rank = [&](uint32_t v) {
    const auto found = place.find(Text(v));
    return found == place.end() ? place.size() : found->second;
  };
  std::sort(values.begin(), values.end(), [&](uint32_t a, uint32_t b) {
    const size_t rank_a = rank(a), rank_b = rank(b);
    return rank_a != rank_b ? rank_a < rank_b : usual(a, b);
  });
}

Result<Column> ColumnBuilder::Finish() {
  if (rows_.size() > std::numeric_limits<RowId>::max() - 1) {
    return DataError("Too many rows: {} rows, at most {}", rows_.size(), std::numeric_limits<RowId>::max() - 1);
  }
  const auto num_texts = static_cast<uint32_t>(offsets_.size() - 1);
  std::vector<uint32_t> missing, values;
  for (uint32_t number = 0; number < num_texts; ++number)
    (IsMissing(Text(number)) ? missing : values).push_back(number);
  std::sort(missing.begin(), missing.end(), [&](uint32_t a, uint32_t b) { return Text(a) < Text(b); });
  const size_t spellings = options_.merge_missing ? std::min<size_t>(1, missing.size()) : missing.size();

  Column column;
  column.name_ = name_;
  column.type_ = type_;
  column.type_detail_ = type_detail_;
  column.num_missing_ = static_cast<Code>(spellings);
  TADA_TRY(kind, DecideKind(values, &column.is_date_));
  column.kind_ = kind;
  if (kind == Kind::kNumeric) {
    column.numbers_.assign(spellings, std::numeric_limits<double>::quiet_NaN());
    SortNumeric(values, column.numbers_, column.is_date_);
  } else {
    SortNames(values);
  }

  std::vector<Code> code_of(num_texts, 0);  // every spelling of missing is code 0 when they are merged
  for (size_t i = 0; i < spellings; ++i) code_of[missing[i]] = static_cast<Code>(i);
  for (size_t i = 0; i < values.size(); ++i) code_of[values[i]] = static_cast<Code>(spellings + i);
  std::vector<uint32_t> sorted(missing.begin(), missing.begin() + static_cast<ptrdiff_t>(spellings));
  sorted.insert(sorted.end(), values.begin(), values.end());
  column.offsets_.reserve(sorted.size() + 1);
  column.offsets_.push_back(0);
  column.arena_.reserve(arena_.size());
  for (const uint32_t number : sorted) {
    column.arena_ += Text(number);
    column.offsets_.push_back(column.arena_.size());
  }

  // Which codes are one value: spellings of missing, and numbers that are equal. Named only where it happens.
  std::vector<Code> value_ids(sorted.size());
  bool shared = false;
  for (Code code = 1; code < sorted.size(); ++code) {
    bool same = code < column.num_missing_;
    if (kind == Kind::kNumeric && code > column.num_missing_ && column.numbers_[code] == column.numbers_[code - 1]) {
      same = column.is_date_ ? DateKey(column.text(code)) == DateKey(column.text(code - 1))
                             : CompareNumbers(column.text(code), column.text(code - 1)) == 0;
    }
    shared |= same;
    value_ids[code] = value_ids[code - 1] + (same ? 0 : 1);
  }
  if (shared) {
    column.num_values_ = value_ids.back() + 1;
    column.value_ids_ = std::move(value_ids);
  }

  column.codes_ = Codes(rows_.size(), column.num_codes());
  column.codes_.Visit([&](auto codes) {
    using Narrow = typename decltype(codes)::value_type;
    for (size_t row = 0; row < rows_.size(); ++row) codes[row] = static_cast<Narrow>(code_of[rows_[row]]);
  });
  *this = ColumnBuilder(name_, options_);
  return column;
}

}  // namespace tada
