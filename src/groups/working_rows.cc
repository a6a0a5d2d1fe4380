#include "groups/working_rows.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tada {
namespace {

constexpr size_t kAlone = 50'000;  // rows; fewer are laid out before another thread has started

// Never smaller again: growing clears bytes, and columns of different widths take turns.
void Grow(std::vector<char>& scratch, size_t size) {
  if (scratch.size() < size) scratch.resize(size);
}

// Stable partition into two sides without a branch per row: every item is written to both sides, and only one side moves on.
template <class T>
void PartitionPlainly(std::span<T> items, std::span<const uint16_t> child, T* right) {
  T* left = items.data();
  for (size_t i = 0; i < items.size(); ++i) {
    const T item = items[i];
    *left = item;
    *right = item;
    const size_t goes_right = child[i];
    left += 1 - goes_right;
    right += goes_right;
  }
}

#if defined(__x86_64__)
#define TADA_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt")))

// Processors that gather the chosen items of 64 bytes in one instruction. Emulators that lack it fall back to the loop above.
bool HasCompress() {
  static const bool has = __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vbmi2") != 0;
  return has;
}

template <class T>
TADA_AVX512 inline __m512i Compress(uint64_t chosen, __m512i items) {
  if constexpr (sizeof(T) == 1) return _mm512_maskz_compress_epi8(chosen, items);
  if constexpr (sizeof(T) == 2) return _mm512_maskz_compress_epi16(static_cast<__mmask32>(chosen), items);
  if constexpr (sizeof(T) == 4) return _mm512_maskz_compress_epi32(static_cast<__mmask16>(chosen), items);
}

// Which of up to 64 items go right, as bits.
TADA_AVX512 inline uint64_t RightBits(const uint16_t* child, size_t count) {
  uint64_t bits = 0;
  for (size_t first = 0; first < count; first += 32) {
    const __mmask32 there = count - first >= 32 ? ~__mmask32{0} : (__mmask32{1} << (count - first)) - 1;
    const __m512i part = _mm512_maskz_loadu_epi16(there, child + first);
    bits |= uint64_t{_mm512_test_epi16_mask(part, part)} << first;
  }
  return bits;
}

// The same, 64 bytes at a time. What is written behind the left side has been read already; `right` has room for 64 bytes more.
template <class T>
TADA_AVX512 void PartitionByCompress(std::span<T> items, std::span<const uint64_t> goes_right, T* right) {
  constexpr size_t kAtOnce = 64 / sizeof(T);
  constexpr uint64_t kAll = kAtOnce == 64 ? ~uint64_t{0} : (uint64_t{1} << (kAtOnce % 64)) - 1;
  T* left = items.data();
  size_t i = 0;
  for (; i + kAtOnce <= items.size(); i += kAtOnce) {
    const uint64_t chosen = goes_right[i / 64] >> (i % 64) & kAll;
    const __m512i here = _mm512_loadu_si512(items.data() + i);
    _mm512_storeu_si512(left, Compress<T>(~chosen & kAll, here));
    _mm512_storeu_si512(right, Compress<T>(chosen, here));
    const auto count = static_cast<size_t>(__builtin_popcountll(chosen));
    left += kAtOnce - count;
    right += count;
  }
  for (; i < items.size(); ++i) {
    const T item = items[i];
    const size_t rightwards = goes_right[i / 64] >> (i % 64) & 1;
    *left = item;
    *right = item;
    left += 1 - rightwards;
    right += rightwards;
  }
}
#endif

// Divides columns of the same rows in two.
class PartitionTwo {
 public:
  PartitionTwo(std::span<const uint16_t> child, uint32_t num_left, std::vector<char>& scratch)
      : child_(child), num_left_(num_left), scratch_(scratch) {
#if defined(__x86_64__)
    if (HasCompress()) FindBits();
#endif
  }

  template <class T>
  void Reorder(std::span<T> items) {
    Grow(scratch_, (items.size() + 64) * sizeof(T));
    T* const right = reinterpret_cast<T*>(scratch_.data());
#if defined(__x86_64__)
    if (!goes_right_.empty()) {
      PartitionByCompress<T>(items, goes_right_, right);
    } else {
      PartitionPlainly<T>(items, child_, right);
    }
#else
    PartitionPlainly<T>(items, child_, right);
#endif
    std::memcpy(items.data() + num_left_, right, (items.size() - num_left_) * sizeof(T));
  }

 private:
#if defined(__x86_64__)
  TADA_AVX512 void FindBits() {
    thread_local std::vector<uint64_t> bits;
    bits.resize((child_.size() + 63) / 64);
    for (size_t i = 0; i < bits.size(); ++i)
      bits[i] = RightBits(child_.data() + 64 * i, std::min<size_t>(64, child_.size() - 64 * i));
    goes_right_ = bits;
  }
#endif

  std::span<const uint16_t> child_;
  uint32_t num_left_;
  std::vector<char>& scratch_;
  std::span<const uint64_t> goes_right_;  // as bits; empty where there is no instruction for it
};

template <class T>
void PartitionMany(std::span<T> items, std::span<const uint16_t> child, std::span<const uint32_t> begins,
                   std::vector<char>& scratch) {
  Grow(scratch, items.size() * sizeof(T));
  T* const copy = reinterpret_cast<T*>(scratch.data());
  std::vector<uint32_t> at(begins.begin(), begins.end());
  for (size_t i = 0; i < items.size(); ++i) copy[at[child[i]]++] = items[i];
  std::memcpy(items.data(), copy, items.size() * sizeof(T));
}

}  // namespace

Codes WorkingRows::LayOut(const Added& added) const {
  const std::span<const Code> renumber = added.renumber;
  Codes laid_out(rows_.size(), renumber.empty() ? added.column->num_codes() : added.num_codes);
  added.column->codes().Visit([&](auto from) {
    laid_out.Visit([&](auto to) {
      using Narrow = typename decltype(to)::value_type;
      if (renumber.empty()) {
        for (size_t i = 0; i < rows_.size(); ++i) to[i] = static_cast<Narrow>(from[rows_[i]]);
      } else {
        for (size_t i = 0; i < rows_.size(); ++i) to[i] = static_cast<Narrow>(renumber[from[rows_[i]]]);
      }
    });
  });
  return laid_out;
}

void WorkingRows::AddColumns(std::span<const Added> added, const Workers& workers) {
  const size_t first = columns_.size();
  columns_.resize(first + added.size());
  const auto lay_out = [&](size_t i) { columns_[first + i] = LayOut(added[i]); };
  if (rows_.size() < kAlone) {
    for (size_t i = 0; i < added.size(); ++i) lay_out(i);
  } else {
    workers.For(added.size(), lay_out);
  }
}

uint32_t WorkingRows::AddColumn(const Column& column, std::span<const Code> renumber, Code num_codes) {
  columns_.push_back(LayOut({&column, renumber, num_codes}));
  return num_columns() - 1;
}

uint32_t WorkingRows::AddCodes(std::span<const Code> code_of_row, Code num_codes) {
  Codes laid_out(rows_.size(), num_codes);
  for (size_t i = 0; i < rows_.size(); ++i) laid_out.Set(i, code_of_row[rows_[i]]);
  columns_.push_back(std::move(laid_out));
  return num_columns() - 1;
}

WorkingRows WorkingRows::Slice(uint32_t begin, uint32_t end) const {
  WorkingRows slice;
  slice.rows_.assign(rows_.begin() + begin, rows_.begin() + end);
  if (!weights_.empty()) slice.weights_.assign(weights_.begin() + begin, weights_.begin() + end);
  for (const Codes& column : columns_) {
    const Code num_codes = column.bytes_per_code() == 4 ? UINT32_MAX : Code{1} << (8 * column.bytes_per_code());
    Codes& part = slice.columns_.emplace_back(end - begin, num_codes);
    for (uint32_t i = begin; i < end; ++i) part.Set(i - begin, column[i]);
  }
  return slice;
}

uint64_t WorkingRows::BytesPerPosition() const {
  uint64_t bytes = sizeof(RowId) + (weights_.empty() ? 0 : sizeof(uint32_t));
  for (const Codes& column : columns_) bytes += static_cast<uint64_t>(column.bytes_per_code());
  return bytes;
}

uint64_t WorkingRows::NumRows(uint32_t begin, uint32_t end) const {
  if (weights_.empty()) return end - begin;
  return std::accumulate(weights_.begin() + begin, weights_.begin() + end, uint64_t{0});
}

WorkingRows::Extent WorkingRows::FindExtent(uint32_t column, uint32_t begin, uint32_t end) const {
  return Visit(column, begin, end, [](auto codes) {
    auto low = codes[0], high = codes[0];
    for (const auto code : codes) {
      low = std::min(low, code);
      high = std::max(high, code);
    }
    return Extent{low, high};
  });
}

std::vector<uint32_t> WorkingRows::Partition(uint32_t begin, uint32_t end, std::span<const uint16_t> child,
                                             uint32_t num_children) {
  std::vector<uint32_t> begins(num_children + 1, 0);
  if (num_children == 2) {
    begins[2] = std::accumulate(child.begin(), child.end(), uint32_t{0});  // many at once, as counting can't be
    begins[1] = static_cast<uint32_t>(child.size()) - begins[2];
  } else {
    for (const uint16_t c : child) ++begins[c + 1];
  }
  for (uint32_t c = 0; c < num_children; ++c) begins[c + 1] += begins[c];
  thread_local std::vector<char> scratch;
  std::optional<PartitionTwo> in_two;
  if (num_children == 2) in_two.emplace(child, begins[1], scratch);
  const auto reorder = [&](auto items) {
    if (in_two) {
      in_two->Reorder(items);
    } else {
      PartitionMany(items, child, std::span(begins).first(num_children), scratch);
    }
  };
  reorder(std::span(rows_).subspan(begin, end - begin));
  if (!weights_.empty()) reorder(std::span(weights_).subspan(begin, end - begin));
  for (Codes& column : columns_) {
    column.Visit([&](auto codes) { reorder(codes.subspan(begin, end - begin)); });
  }
  for (uint32_t& at : begins) at += begin;
  return begins;
}

}  // namespace tada
