#include "partition/engine/splits/value_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "learn/features/entropy.h"

namespace tada {
namespace {

// Which codes occur in a node, and their places among those; one per thread. Bits keep wide columns cheap for small nodes.
struct Occurring {
  std::vector<uint64_t> words;  // a bit per code; all 0 between two uses
  std::vector<uint32_t> place;  // by code; means something for codes that occur

  void Reserve(Code num_codes) {
    if (place.size() >= num_codes) return;
    words.resize((size_t{num_codes} + 63) / 64, 0);
    place.resize(num_codes);
  }
};

// The rows of one code, those of the second class among them, and which sensitive values these have.
struct WideCounter {
  uint64_t rows_and_ones = 0;  // rows in the lower half, those of the second class in the upper
  uint64_t mask = 0;
  bool any() const { return rows_and_ones != 0; }
  void Add(uint64_t one) { rows_and_ones += 1 + (one << 32); }
  void Mark(uint8_t mark) { mask |= uint64_t{1} << mark; }
  void Merge(const WideCounter& other) {
    rows_and_ones += other.rows_and_ones;
    mask |= other.mask;
  }
  uint32_t rows() const { return static_cast<uint32_t>(rows_and_ones); }
  uint32_t ones() const { return static_cast<uint32_t>(rows_and_ones >> 32); }
  uint64_t marks() const { return mask; }
};

// The same in one word, for nodes of few rows, which nearly all are.
struct NarrowCounter {
  static constexpr size_t kMostRows = UINT16_MAX;
  static constexpr Code kMostMarks = 32;
  uint64_t all = 0;  // 16 bits of rows, 16 of those of the second class, 32 of marks
  bool any() const { return all != 0; }
  void Add(uint64_t one) { all += 1 + (one << 16); }
  void Mark(uint8_t mark) { all |= uint64_t{1} << (32 + mark); }
  void Merge(const NarrowCounter& other) {
    constexpr uint64_t kMarks = ~uint64_t{0} << 32;
    all = ((all | other.all) & kMarks) | static_cast<uint32_t>(all + other.all);
  }
  uint32_t rows() const { return static_cast<uint32_t>(all & UINT16_MAX); }
  uint32_t ones() const { return static_cast<uint32_t>(all >> 16 & UINT16_MAX); }
  uint64_t marks() const { return all >> 32; }
};

// A column of a node that has few different codes.
std::span<const uint8_t> BytesOf(const NodeRows& rows, const Node& node, uint32_t column) {
  return rows.rows.Visit(column, node.begin, node.end, [](auto codes) -> std::span<const uint8_t> {
    if constexpr (std::is_same_v<decltype(codes), std::span<const uint8_t>>) return codes;
    TADA_ASSERT(false);
    return {};
  });
}

constexpr Code kWord = 64;    // bits
constexpr size_t kTurns = 4;  // counters of a code, where there are few

// Counts rows of at most kWord codes; returns which codes occur. A row waits until the one before it with the same value is counted,
// which of few values is often the row before: in several arrays that take turns it does not.
template <class T, class Counter, class Add>
uint64_t CountFew(std::span<const T> codes, Code num_codes, Counter* counters, const Add& add) {
  uint64_t bits = 0;
  if (codes.size() < kTurns * num_codes) {
    for (size_t i = 0; i < codes.size(); ++i) {
      bits |= uint64_t{1} << codes[i];
      add(i, counters[codes[i]]);
    }
    return bits;
  }
  size_t i = 0;
  for (; i + kTurns <= codes.size(); i += kTurns) {
    for (size_t turn = 0; turn < kTurns; ++turn) add(i + turn, counters[turn * kWord + codes[i + turn]]);
  }
  for (; i < codes.size(); ++i) add(i, counters[codes[i]]);
  for (Code code = 0; code < num_codes; ++code) {
    for (size_t turn = 1; turn < kTurns; ++turn) counters[code].Merge(std::exchange(counters[turn * kWord + code], {}));
    bits |= uint64_t{counters[code].any()} << code;
  }
  return bits;
}

// The same of more codes; sets their bits in `words`.
template <class T, class Counter, class Add>
void CountMany(std::span<const T> codes, Code num_codes, Counter* counters, const Add& add, uint64_t* words) {
  if (codes.size() < kTurns * num_codes) {
    for (size_t i = 0; i < codes.size(); ++i) {
      words[codes[i] / kWord] |= uint64_t{1} << codes[i] % kWord;
      add(i, counters[codes[i]]);
    }
    return;
  }
  for (size_t i = 0; i < codes.size(); ++i) add(i, counters[codes[i]]);
  for (Code code = 0; code < num_codes; ++code) words[code / kWord] |= uint64_t{counters[code].any()} << code % kWord;
}

// Codes between which all are: the lowest and the highest, or any where there are few.
template <class T>
std::pair<T, T> BoundsOf(std::span<const T> codes, Code num_codes) {
  constexpr Code kFewCodes = kWord * 8;
  if (num_codes <= kFewCodes) return {0, static_cast<T>(num_codes - 1)};
  T low = codes[0], high = codes[0];
  for (const T code : codes) {
    low = std::min(low, code);
    high = std::max(high, code);
  }
  return {low, high};
}

// How many rows have each value of a label.
std::vector<uint64_t> CountValues(const NodeRows& rows, const LabelView& view) {
  std::vector<uint64_t> counts(view.num_values, 0);
  rows.rows.Visit(view.column, 0, rows.rows.num_positions(), [&](auto values) {
    for (const auto value : values) ++counts[value];
  });
  return counts;
}

// Entropy in bits, or variance in steps squared, of a label over all rows.
double ImpurityPerRow(const std::vector<uint64_t>& counts, const LabelView& view) {
  if (view.numeric()) {
    LabelSums sums;
    for (Code value = 0; value < view.num_values; ++value)
      sums.Add(view.steps[value], static_cast<int64_t>(counts[value]));
    return sums.rows == 0 ? 0 : sums.Deviations() / static_cast<double>(sums.rows);
  }
  uint64_t total = 0;
  double logs = 0;
  for (const uint64_t count : counts) {
    total += count;
    logs += XLog2X(count);
  }
  return total == 0 ? 0 : (XLog2X(total) - logs) / static_cast<double>(total);
}

// Numbers as whole steps from the middle of their range over the rows at hand: 30 bits and a sign for four billion rows, more
// for fewer, so that sums of squares stay within 128 bits.
std::vector<int64_t> StepsOf(const Column& column, const std::vector<uint64_t>& counts) {
  std::vector<int64_t> steps(column.num_values(), kNoNumber);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  uint64_t rows = 0;
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    if (counts[column.value_id(code)] == 0) continue;
    low = std::min(low, column.number(code));
    high = std::max(high, column.number(code));
  }
  for (const uint64_t count : counts) rows += count;
  const double middle = low / 2 + high / 2, half = high / 2 - low / 2;
  const int bits = std::min(52, 62 - static_cast<int>(std::bit_width(rows)));
  const int exponent = half > 0 ? bits - 1 - std::ilogb(half) : 0;
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    const Code value = column.value_id(code);
    if (counts[value] > 0) steps[value] = std::llround(std::ldexp(column.number(code) - middle, exponent));
  }
  return steps;
}

}  // namespace

std::vector<LabelView> LabelViews(const Problem& problem, const NodeRows& rows, const LabelCounts& counts) {
  // Names among the labels make the task a classification; that says nothing of the numbers among them.
  const bool mixed = !std::all_of(problem.roles.label.begin(), problem.roles.label.end(),
                                  [&](ColumnId id) { return problem.table.column(id).is_numeric(); });
  const bool by_number = problem.task == Task::kRegression || mixed;
  const auto counts_of = [&](size_t t, const LabelView& view) {
    return counts.empty() ? CountValues(rows, view) : counts[t];
  };
  std::vector<LabelView> views;
  for (size_t t = 0; t < problem.roles.label.size(); ++t) {
    const Column& column = problem.table.column(problem.roles.label[t]);
    LabelView view;
    view.column = rows.first_label + static_cast<uint32_t>(t);
    view.num_values = column.num_values();
    view.scale = problem.label_weights[t];
    if (column.is_numeric() && by_number) view.steps = StepsOf(column, counts_of(t, view));
    views.push_back(std::move(view));
  }
  NumberClasses(views);
  // Several labels, or a number, count relative to their impurity over all rows; one class label counts in bits.
  if (views.size() > 1 || (views.size() == 1 && views[0].numeric())) {
    for (size_t t = 0; t < views.size(); ++t) {
      LabelView& view = views[t];
      const double impurity = ImpurityPerRow(counts_of(t, view), view);
      view.scale = impurity > 0 ? view.scale / impurity : 0;
    }
  }
  return views;
}

void NumberClasses(std::span<LabelView> labels) {
  for (size_t t = 0; t < labels.size(); ++t) labels[t].first_class = NumFewClasses(labels.first(t));
}

uint32_t NumFewClasses(std::span<const LabelView> labels) {
  uint32_t classes = 0;
  for (const LabelView& label : labels) classes += label.few_classes() ? label.num_values : 0;
  return classes;
}

void AppendNonZero(std::span<const uint32_t> counts, SparseCounts& out) {
  for (Code value = 0; value < counts.size(); ++value) {
    if (counts[value] == 0) continue;
    out.value.push_back(value);
    out.count.push_back(counts[value]);
  }
  out.begin.push_back(static_cast<uint32_t>(out.value.size()));
}

void ValueTable::Restart(const Checker& checker, std::span<const LabelView> labels) {
  Shape(checker, labels);
  codes_.clear();
  rows_.clear();
  classes_.clear();
  for (RawVector<uint64_t>& masks : masks_) masks.clear();
}

void ValueTable::Shape(const Checker& checker, std::span<const LabelView> labels) {
  const auto clear = [](SparseCounts& counts) {
    counts.begin.assign(1, 0);
    counts.value.clear();
    counts.count.clear();
  };
  num_classes_ = NumFewClasses(labels);
  labels_.resize(labels.size());
  sums_.resize(labels.size());
  std::for_each(labels_.begin(), labels_.end(), clear);
  const size_t num_sensitive = checker.needs_values() ? checker.sensitive().size() : 0;
  masks_.resize(checker.distinct_l() > 0 ? num_sensitive : 0);
  sensitive_.resize(num_sensitive);
  std::for_each(sensitive_.begin(), sensitive_.end(), clear);
}

template <class T>
void ValueTable::FindValues(std::span<const T> codes, Code num_codes) {
  place_.resize(codes.size());
  if (num_codes / 64 > 16 * codes.size() + 256) {  // too wide to look at every word of bits
    codes_.assign(codes.begin(), codes.end());
    std::sort(codes_.begin(), codes_.end());
    codes_.erase(std::unique(codes_.begin(), codes_.end()), codes_.end());
    for (size_t i = 0; i < codes.size(); ++i) place_[i] = static_cast<uint32_t>(Find(codes[i]));
    return;
  }
  thread_local Occurring occurring;
  occurring.Reserve(num_codes);
  uint64_t* const words = occurring.words.data();
  uint32_t* const place = occurring.place.data();
  T low = codes[0], high = codes[0];
  for (const T code : codes) {
    words[code / 64] |= uint64_t{1} << code % 64;
    low = std::min(low, code);
    high = std::max(high, code);
  }
  for (size_t word = low / 64; word <= high / 64; ++word) {
    for (uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
      const auto code = static_cast<Code>(word * 64 + static_cast<size_t>(std::countr_zero(bits)));
      place[code] = static_cast<uint32_t>(codes_.size());
      codes_.push_back(code);
    }
    words[word] = 0;
  }
  for (size_t i = 0; i < codes.size(); ++i) place_[i] = place[codes[i]];
}

void ValueTable::CountClasses(const NodeRows& rows, const Node& node, const LabelView& label) {
  rows.rows.Visit(label.column, node.begin, node.end, [&](auto values) {
    uint32_t* const counts = classes_.data() + label.first_class;
    for (size_t i = 0; i < values.size(); ++i) ++counts[size_t{place_[i]} * num_classes_ + values[i]];
  });
}

void ValueTable::Spread(const NodeRows& rows, const Node& node, uint32_t other, Code num_values, SparseCounts& out) {
  rows.rows.Visit(other, node.begin, node.end, [&](auto values) {
    if (codes_.size() * num_values <= 4 * values.size() + 1024) {
      dense_.assign(codes_.size() * num_values, 0);
      for (size_t i = 0; i < values.size(); ++i) ++dense_[size_t{place_[i]} * num_values + values[i]];
      for (size_t v = 0; v < codes_.size(); ++v) {
        AppendNonZero(std::span(dense_).subspan(v * num_values, num_values), out);
      }
      return;
    }
    keys_.resize(values.size());
    for (size_t i = 0; i < values.size(); ++i) keys_[i] = uint64_t{place_[i]} << 32 | values[i];
    std::sort(keys_.begin(), keys_.end());
    for (size_t i = 0; i < keys_.size();) {
      size_t next = i;
      while (next < keys_.size() && keys_[next] == keys_[i]) ++next;
      while (out.begin.size() <= keys_[i] >> 32) out.begin.push_back(static_cast<uint32_t>(out.value.size()));
      out.value.push_back(static_cast<Code>(keys_[i]));
      out.count.push_back(static_cast<uint32_t>(next - i));
      i = next;
    }
    out.begin.resize(codes_.size() + 1, static_cast<uint32_t>(out.value.size()));
  });
}

void ValueTable::SpreadNumeric(const NodeRows& rows, const Node& node, const LabelView& label,
                               std::vector<LabelSums>& out) {
  out.assign(codes_.size(), {});
  rows.rows.Visit(label.column, node.begin, node.end, [&](auto values) {
    for (size_t i = 0; i < values.size(); ++i) out[place_[i]].Add(label.steps[values[i]]);
  });
}

void ValueTable::SpreadSensitive(const Checker& checker, const NodeRows& rows, const Node& node) {
  for (size_t s = 0; s < sensitive_.size(); ++s) {
    const uint32_t column = rows.first_sensitive + static_cast<uint32_t>(s);
    if (masks_.empty()) {
      Spread(rows, node, column, checker.sensitive()[s].num_marks(), sensitive_[s]);
      continue;
    }
    masks_[s].assign(codes_.size(), 0);
    rows.rows.Visit(column, node.begin, node.end, [&](auto values) {
      for (size_t i = 0; i < values.size(); ++i) masks_[s][place_[i]] |= uint64_t{1} << values[i];
    });
    for (uint64_t& mask : masks_[s]) mask &= checker.sensitive()[s].counted_bits();
  }
}

// What most problems count: rows, one label of two classes and at most one sensitive column of few values, in one pass. False if the
// codes are too wide for it.
template <class T>
bool ValueTable::CountTwoClasses(const Problem& problem, const NodeRows& rows, const Node& node,
                                 std::span<const T> codes, uint32_t column, uint32_t label) {
  const Code num_codes = problem.quasi(column).num_codes();
  if (num_codes / 64 > 16 * codes.size() + 256) return false;
  const std::span<const uint8_t> ones = BytesOf(rows, node, label);
  const bool narrow = codes.size() <= NarrowCounter::kMostRows &&
                      (masks_.empty() || problem.checker.sensitive()[0].num_marks() <= NarrowCounter::kMostMarks);
  if (masks_.empty()) {
    narrow ? CountInto<NarrowCounter>(codes, num_codes, ones, nullptr)
           : CountInto<WideCounter>(codes, num_codes, ones, nullptr);
    return true;
  }
  const uint8_t* const marks = BytesOf(rows, node, rows.first_sensitive).data();
  narrow ? CountInto<NarrowCounter>(codes, num_codes, ones, marks)
         : CountInto<WideCounter>(codes, num_codes, ones, marks);
  return true;
}

template <class Counter, class T, class Marks>
void ValueTable::CountInto(std::span<const T> codes, Code num_codes, std::span<const uint8_t> ones, Marks marks) {
  thread_local Occurring occurring;
  thread_local std::vector<Counter> counters;  // by code; all 0 between two uses
  occurring.Reserve(num_codes);
  const size_t room = std::max<size_t>(num_codes, kTurns * kWord);
  if (counters.size() < room) counters.resize(room);
  const auto add = [&](size_t i, Counter& to) {
    Counter own = to;
    own.Add(ones[i]);
    if constexpr (!std::is_same_v<Marks, std::nullptr_t>) own.Mark(marks[i]);
    to = own;
  };
  if (num_codes <= kWord) {
    occurring.words[0] = CountFew(codes, num_codes, counters.data(), add);
  } else {
    CountMany(codes, num_codes, counters.data(), add, occurring.words.data());
  }
  Collect<!std::is_same_v<Marks, std::nullptr_t>>(codes, num_codes, counters.data(), occurring.words.data());
}

// Takes what was counted, value by value; counters and words are 0 again.
template <bool marked, class Counter, class T>
void ValueTable::Collect(std::span<const T> codes, Code num_codes, Counter* counters, uint64_t* words) {
  const auto [low, high] = BoundsOf(codes, num_codes);
  Resize(std::min<size_t>(codes.size(), num_codes));  // there are no more
  size_t at = 0;
  for (size_t word = low / kWord; word <= high / kWord; ++word) {
    for (uint64_t bits = words[word]; bits != 0; bits &= bits - 1, ++at) {
      const auto code = static_cast<Code>(word * kWord + static_cast<size_t>(std::countr_zero(bits)));
      const Counter own = std::exchange(counters[code], {});
      codes_[at] = code;
      rows_[at] = own.rows();
      classes_[2 * at] = own.rows() - own.ones();
      classes_[2 * at + 1] = own.ones();
      if constexpr (marked) masks_[0][at] = own.marks();
    }
    words[word] = 0;
  }
  Resize(at);
}

// What was counted of the node before is written over: clearing it would take as long as counting.
void ValueTable::Resize(size_t num_values) {
  codes_.resize(num_values);
  rows_.resize(num_values);
  classes_.resize(2 * num_values);
  for (RawVector<uint64_t>& masks : masks_) masks.resize(num_values);
}

void ValueTable::Count(const Problem& problem, const NodeRows& rows, const Node& node, uint32_t column,
                       std::span<const LabelView> labels, bool part) {
  Shape(problem.checker, labels);
  const bool two_classes = labels.size() == 1 && labels[0].few_classes() && labels[0].num_values == 2;
  if (two_classes && sensitive_.size() <= 1 && masks_.size() == sensitive_.size() &&
      rows.rows.Visit(column, node.begin, node.end, [&](auto codes) {
        return CountTwoClasses(problem, rows, node, codes, column, labels[0].column);
      })) {
    for (size_t i = 0; !masks_.empty() && i < codes_.size(); ++i)
      masks_[0][i] &= problem.checker.sensitive()[0].counted_bits();
    return;
  }
  Restart(problem.checker, labels);
  rows.rows.Visit(column, node.begin, node.end,
                  [&](auto codes) { FindValues(codes, problem.quasi(column).num_codes()); });
  rows_.assign(codes_.size(), 0);
  if (codes_.size() == 1 && !part) {
    rows_[0] = node.size();
    return;
  }
  for (const uint32_t place : place_) ++rows_[place];
  classes_.assign(codes_.size() * num_classes_, 0);
  for (size_t t = 0; t < labels.size(); ++t) {
    if (labels[t].few_classes()) {
      CountClasses(rows, node, labels[t]);
    } else if (labels[t].numeric()) {
      SpreadNumeric(rows, node, labels[t], sums_[t]);
    } else {
      Spread(rows, node, labels[t].column, labels[t].num_values, labels_[t]);
    }
  }
  SpreadSensitive(problem.checker, rows, node);
}

}  // namespace tada
