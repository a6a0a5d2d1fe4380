#include "groups/working_rows.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace tada {
namespace {

// Stable partition into two sides without a branch per row: every item is written to both sides, and only one side moves on.
template <class T>
void PartitionTwo(std::span<T> items, std::span<const uint16_t> child, uint32_t num_left, std::vector<char>& scratch) {
  scratch.resize((items.size() + 1) * sizeof(T));
  T* const right_begin = reinterpret_cast<T*>(scratch.data());
  T* left = items.data();
  T* right = right_begin;
  for (size_t i = 0; i < items.size(); ++i) {
    const T item = items[i];
    *left = item;
    *right = item;
    const size_t goes_right = child[i];
    left += 1 - goes_right;
    right += goes_right;
  }
  std::memcpy(items.data() + num_left, right_begin, (items.size() - num_left) * sizeof(T));
}

template <class T>
void PartitionMany(std::span<T> items, std::span<const uint16_t> child, std::span<const uint32_t> begins,
                   std::vector<char>& scratch) {
  scratch.resize(items.size() * sizeof(T));
  T* const copy = reinterpret_cast<T*>(scratch.data());
  std::vector<uint32_t> at(begins.begin(), begins.end());
  for (size_t i = 0; i < items.size(); ++i) copy[at[child[i]]++] = items[i];
  std::memcpy(items.data(), copy, items.size() * sizeof(T));
}

}  // namespace

WorkingRows::WorkingRows(const Groups& groups) : rows_(groups.order()) {}

uint32_t WorkingRows::AddColumn(const Column& column, std::span<const Code> renumber, Code num_codes) {
  Codes laid_out(rows_.size(), renumber.empty() ? column.num_codes() : num_codes);
  column.codes().Visit([&](auto from) {
    laid_out.Visit([&](auto to) {
      using Narrow = typename decltype(to)::value_type;
      if (renumber.empty()) {
        for (size_t i = 0; i < rows_.size(); ++i) to[i] = static_cast<Narrow>(from[rows_[i]]);
      } else {
        for (size_t i = 0; i < rows_.size(); ++i) to[i] = static_cast<Narrow>(renumber[from[rows_[i]]]);
      }
    });
  });
  columns_.push_back(std::move(laid_out));
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
  for (const uint16_t c : child) ++begins[c + 1];
  for (uint32_t c = 0; c < num_children; ++c) begins[c + 1] += begins[c];
  thread_local std::vector<char> scratch;
  const auto reorder = [&](auto items) {
    if (num_children == 2) {
      PartitionTwo(items, child, begins[1], scratch);
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
