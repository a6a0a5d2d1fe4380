#pragma once

// The different cells of a released column, numbered as they come up.

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "recode/release.h"

namespace tada {

class CellList {
 public:
  explicit CellList(ReleasedColumn& out) : out_(out) {}

  uint32_t Value(Code code) { return Find({Cell::Form::kValue, code, code, 0}); }
  uint32_t Interval(Code low, Code high) { return Find({Cell::Form::kInterval, low, high, 0}); }
  uint32_t Mask() { return Find({Cell::Form::kMask, 0, 0, 0}); }
  uint32_t Set(std::vector<Code> codes) {
    const auto [found, is_new] = sets_.try_emplace(std::move(codes), static_cast<uint32_t>(out_.cells.size()));
    if (is_new) {
      out_.sets.push_back(found->first);
      out_.cells.push_back(
          {Cell::Form::kSet, found->first.front(), found->first.back(), static_cast<uint32_t>(out_.sets.size() - 1)});
    }
    return found->second;
  }

 private:
  uint32_t Find(const Cell& cell) {
    const uint64_t key = cell.form == Cell::Form::kMask ? UINT64_MAX : (uint64_t{cell.low} << 32 | cell.high);
    const auto [found, is_new] = cells_.try_emplace(key, static_cast<uint32_t>(out_.cells.size()));
    if (is_new) out_.cells.push_back(cell);
    return found->second;
  }

  ReleasedColumn& out_;
  std::unordered_map<uint64_t, uint32_t> cells_;
  std::map<std::vector<Code>, uint32_t> sets_;
};

}  // namespace tada
