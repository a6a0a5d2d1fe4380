#include "table/column_builder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "base/option_mark.h"
#include "table/column_doubt.h"
#include "table/number.h"
#include "writing/find_writing.h"

namespace tada {
namespace {

constexpr size_t kBatch = 32;             // texts whose memory is asked for at the same time
constexpr size_t kAddedRows = 1 << 12;    // rows that wait to be packed, if they did not come all at once
constexpr size_t kCachedSlots = 1 << 12;  // tables up to here are in the cache anyway

// The first bytes of a text as a number that orders as the texts do, as far as it goes.
uint64_t Prefix(std::string_view text) {
  const uint64_t word = ShortWord(text.data(), std::min(text.size(), kShortText), text.size());
  return std::endian::native == std::endian::little ? __builtin_bswap64(word) : word;
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

uint32_t ColumnBuilder::Find(uint64_t word, std::string_view text) {
  const auto size = static_cast<uint32_t>(text.size());
  size_t place = Place(word, size);
  for (; slots_[place].number_plus_one != 0; place = (place + 1) & (slots_.size() - 1)) {
    const Slot& slot = slots_[place];
    if (slot.word != word || slot.size != size) continue;
    const uint32_t number = slot.number_plus_one - 1;
    if (text.size() <= kShortText || Text(number) == text) return number;
  }
  return Add(place, word, text);
}

uint32_t ColumnBuilder::Add(size_t place, uint64_t word, std::string_view text) {
  const auto number = static_cast<uint32_t>(offsets_.size() - 1);
  arena_ += text;
  offsets_.push_back(arena_.size());
  slots_[place] = {word, static_cast<uint32_t>(text.size()), number + 1};
  if (offsets_.size() * 2 > slots_.size()) Grow();
  return number;
}

// A long text is found by way of its slot, the offsets that the slot names, and the bytes that these name: each is asked
// for for all texts of a batch before the first of them is looked at, so that the waits overlap. A short one needs its
// slot alone.
void ColumnBuilder::Prefetch(std::span<const TextKey> texts) const {
  for (const TextKey& text : texts) __builtin_prefetch(&slots_[Place(text.word, text.size)]);
  const auto for_found = [&](auto ask) {
    for (const TextKey& text : texts) {
      if (text.size <= kShortText) continue;
      const Slot& slot = slots_[Place(text.word, text.size)];
      if (slot.word == text.word && slot.number_plus_one != 0) ask(slot.number_plus_one - 1);
    }
  };
  for_found([&](uint32_t number) { __builtin_prefetch(&offsets_[number]); });
  for_found([&](uint32_t number) { __builtin_prefetch(Text(number).data()); });
}

void ColumnBuilder::InternAll(std::string_view bytes, std::span<const TextKey> texts, std::span<uint32_t> numbers) {
  const auto text_of = [&](const TextKey& key) { return std::string_view(bytes.data() + key.offset, key.size); };
  for (size_t begin = 0; begin < texts.size(); begin += kBatch) {
    const size_t end = std::min(begin + kBatch, texts.size());
    const bool far = slots_.size() > kCachedSlots;
    if (far) Prefetch(texts.subspan(begin, end - begin));
    for (size_t i = begin; i < end; ++i) {
      const TextKey& key = texts[i];
      // What is as the text before, and what is short and where it is looked for first, is found here.
      if (i > 0 && key.word == texts[i - 1].word && key.size == texts[i - 1].size &&
          (key.size <= kShortText || text_of(key) == text_of(texts[i - 1]))) {
        numbers[i] = numbers[i - 1];
        continue;
      }
      const Slot& slot = slots_[Place(key.word, key.size)];
      if (slot.word == key.word && slot.size == key.size && key.size <= kShortText && slot.number_plus_one != 0) {
        numbers[i] = slot.number_plus_one - 1;
      } else {
        numbers[i] = Find(key.word, text_of(key));
      }
    }
  }
}

void ColumnBuilder::Grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.number_plus_one == 0) continue;
    size_t place = Place(slot.word, slot.size);
    while (slots_[place].number_plus_one != 0) place = (place + 1) & (slots_.size() - 1);
    slots_[place] = slot;
  }
}

uint32_t ColumnBuilder::InternNull() {
  has_null_ = true;
  return Intern("");
}

std::span<uint32_t> ColumnBuilder::Extend(size_t count) {
  if (added_.size() + count > kAddedRows) Pack();
  added_.resize(added_.size() + count);
  return std::span(added_).last(count);
}

void ColumnBuilder::Pack() {
  rows_.Append(added_, static_cast<Code>(offsets_.size() - 1));
  added_.clear();
}

void ColumnBuilder::SetType(ValueType type, std::string detail) {
  type_ = type;
  type_detail_ = std::move(detail);
}

bool ColumnBuilder::IsMissing(std::string_view text) const {
  if (has_null_ && text.empty()) return true;
  return std::find(options_.missing.begin(), options_.missing.end(), text) != options_.missing.end();
}

Error ColumnBuilder::NotNumeric(uint32_t value) const {
  const uint64_t row = rows_.Visit(
      [&](auto rows) { return static_cast<uint64_t>(std::find(rows.begin(), rows.end(), value) - rows.begin()); });
  const std::string shown = options_.show_values ? fmt::format(", value='{}'", Text(value)) : "";
  const std::string how = options_.writing.is_plain() ? "" : fmt::format(" as {}", options_.writing.text());
  return InvalidArgument("Column is not {}{}: column={}, {}{}", options_.dates ? "a date" : "numeric", how, name_,
                         RowMark(row), shown)
      .WithHint(fmt::format(
          "Write {}:categorical, or add the value to " TADA_OPTION("missing") " if it means that there is none.{}",
          name_, options_.show_values ? "" : " " TADA_OPTION("show-values") " shows it."));
}

std::optional<uint32_t> ColumnBuilder::ReadAll(const std::vector<uint32_t>& values, Decision& decision) const {
  decision.numbers.clear();
  decision.numbers.reserve(values.size());
  if (!decision.writing.is_plain()) decision.plain.resize(offsets_.size() - 1);
  for (const uint32_t value : values) {
    std::string_view text = Text(value);
    if (!decision.writing.is_plain()) {
      auto plain = decision.writing.Plain(text);
      if (!plain) return value;
      text = decision.plain[value] = *std::move(plain);
    }
    const auto number = decision.dates ? ParseDate(text) : ParseNumber(text);
    if (!number) return value;
    decision.numbers.push_back(*number);
  }
  return std::nullopt;
}

Result<ColumnBuilder::Decision> ColumnBuilder::Decide(const std::vector<uint32_t>& values) const {
  Decision decision;
  if (options_.kind && *options_.kind != Kind::kNumeric) {
    decision.kind = *options_.kind;
    return decision;
  }
  if (type_ == ValueType::kBoolean || (values.empty() && !options_.kind)) return decision;
  decision.kind = Kind::kNumeric;
  decision.writing = options_.writing;
  decision.dates = options_.dates;
  std::optional<uint32_t> other = ReadAll(values, decision);
  if (!other) return decision;
  if (!options_.writing.is_plain()) return NotNumeric(*other);
  if (*other == values.front() && !options_.dates) {
    decision.dates = true;
    if (!ReadAll(values, decision)) return decision;
  }
  return DecideByWriting(values, *other);
}

Result<ColumnBuilder::Decision> ColumnBuilder::DecideByWriting(const std::vector<uint32_t>& values,
                                                               uint32_t not_plain) const {
  std::vector<Writing> writings;
  if (!WritingsOf(Text(values.front())).empty()) {
    std::vector<std::string_view> texts;
    for (const uint32_t value : values) texts.push_back(Text(value));
    writings = FindWritings(texts);
  }
  if (options_.dates) std::erase_if(writings, [](const Writing& writing) { return !writing.is_dates(); });
  Decision decision;
  if (writings.size() == 1) {
    decision.kind = Kind::kNumeric;
    decision.writing = writings.front();
    decision.dates = decision.writing.is_dates();
    if (!ReadAll(values, decision)) return decision;
    decision = {};
  }
  if (writings.size() > 1) {
    if (options_.kind) return UndecidedWriting(name_, writings);
    decision.doubt = std::make_shared<ColumnDoubt>(ColumnDoubt{.undecided = std::move(writings)});
    return decision;
  }
  if (options_.kind) return NotNumeric(not_plain);
  decision.doubt = FindWords(values);
  return decision;
}

void ColumnBuilder::SortNumeric(std::vector<uint32_t>& values, Decision& decision) const {
  std::vector<std::pair<double, uint32_t>> sorted(values.size());
  for (size_t i = 0; i < values.size(); ++i) sorted[i] = {decision.numbers[i], values[i]};
  std::sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    const std::string_view plain_a = PlainText(decision, a.second), plain_b = PlainText(decision, b.second);
    if (decision.dates) {
      const std::string key_a = DateKey(plain_a), key_b = DateKey(plain_b);
      if (key_a != key_b) return key_a < key_b;
    } else if (const int order = CompareNumbers(plain_a, plain_b); order != 0) {
      return order < 0;
    }
    return Text(a.second) < Text(b.second);
  });
  for (size_t i = 0; i < sorted.size(); ++i) std::tie(decision.numbers[i], values[i]) = sorted[i];
}

void ColumnBuilder::SortByBytes(std::vector<uint32_t>& values) const {
  std::vector<std::pair<uint64_t, uint32_t>> sorted(values.size());  // by their first bytes, as far as these differ
  for (size_t i = 0; i < values.size(); ++i) sorted[i] = {Prefix(Text(values[i])), values[i]};
  const auto less = [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : Text(a.second) < Text(b.second);
  };
  if (std::is_sorted(sorted.begin(), sorted.end(), less)) return;  // as row numbers and the like are
  std::sort(sorted.begin(), sorted.end(), less);
  for (size_t i = 0; i < sorted.size(); ++i) values[i] = sorted[i].second;
}

void ColumnBuilder::SortNames(std::vector<uint32_t>& values) const {
  if (options_.order.empty() && options_.order_of_appearance) {
    std::sort(values.begin(), values.end());
    return;
  }
  // An ordinal column whose names are numbers sorts as numbers.
  const bool numbers = options_.kind == Kind::kOrdinal && std::all_of(values.begin(), values.end(), [&](uint32_t v) {
                         return ParseNumber(Text(v)).has_value();
                       });
  if (options_.order.empty() && !numbers) {
    SortByBytes(values);
    return;
  }
  const auto usual = [&](uint32_t a, uint32_t b) {
    if (options_.order_of_appearance) return a < b;
    if (numbers) {
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
  Pack();
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
  TADA_TRY(decision, Decide(values));
  const Kind kind = decision.kind;
  column.kind_ = kind;
  column.doubt_ = decision.doubt;
  if (kind == Kind::kNumeric) {
    column.is_date_ = decision.dates;
    column.writing_ = decision.writing;
    SortNumeric(values, decision);
    column.numbers_.assign(spellings, std::numeric_limits<double>::quiet_NaN());
    column.numbers_.insert(column.numbers_.end(), decision.numbers.begin(), decision.numbers.end());
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
      const std::string_view own = PlainText(decision, sorted[code]), before = PlainText(decision, sorted[code - 1]);
      same = column.is_date_ ? DateKey(own) == DateKey(before) : CompareNumbers(own, before) == 0;
    }
    shared |= same;
    value_ids[code] = value_ids[code - 1] + (same ? 0 : 1);
  }
  if (shared) {
    column.num_values_ = value_ids.back() + 1;
    column.value_ids_ = std::move(value_ids);
  }

  column.codes_ = std::move(rows_);
  column.codes_.Renumber(code_of, column.num_codes());
  *this = ColumnBuilder(name_, options_);
  return column;
}

}  // namespace tada
