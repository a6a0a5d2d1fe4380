#pragma once

// The codes of a column, one per row, in the smallest integer that holds them: u8, u16 or u32.

#include <cstddef>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "base/ids.h"

namespace tada {

class Codes {
 public:
  Codes() = default;
  /// `size` zeros, wide enough for codes below `num_codes`.
  Codes(size_t size, Code num_codes);

  size_t size() const {
    return std::visit([](const auto& codes) { return codes.size(); }, codes_);
  }
  Code operator[](size_t row) const {
    return std::visit([row](const auto& codes) { return static_cast<Code>(codes[row]); }, codes_);
  }
  void Set(size_t row, Code code) {
    std::visit([&](auto& codes) { codes[row] = static_cast<typename std::decay_t<decltype(codes)>::value_type>(code); },
               codes_);
  }
  /// Makes room for this number of rows, so that they need not move while they are added.
  void Reserve(size_t rows) {
    std::visit([rows](auto& codes) { codes.reserve(rows); }, codes_);
  }
  /// Adds rows whose codes are below `num_codes`; all rows become wide enough for these.
  void Append(std::span<const Code> added, Code num_codes);
  /// Replaces each code by its entry in `codes`, which are below `num_codes`.
  void Renumber(std::span<const Code> codes, Code num_codes);
  /// Calls f with a span of u8, u16 or u32: the way to loop over codes.
  template <class F>
  decltype(auto) Visit(F&& f) const {
    return std::visit([&](const auto& codes) -> decltype(auto) { return f(std::span(codes)); }, codes_);
  }
  template <class F>
  decltype(auto) Visit(F&& f) {
    return std::visit([&](auto& codes) -> decltype(auto) { return f(std::span(codes)); }, codes_);
  }
  int bytes_per_code() const { return codes_.index() == 0 ? 1 : codes_.index() == 1 ? 2 : 4; }

 private:
  /// Makes room for codes below `num_codes` in every row.
  void Widen(Code num_codes);

  std::variant<std::vector<uint8_t>, std::vector<uint16_t>, std::vector<uint32_t>> codes_;
};

}  // namespace tada
