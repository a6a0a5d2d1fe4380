#pragma once

// Typed cells of a release on their way into a column builder: the number of a cell's text, from the numbers of its
// parts. Each different cell is written once. No Arrow here: the readers of files and of streams share it.

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "table/column_builder.h"

namespace tada {

/// Numbers 1, 2, ... of texts that can be asked for again; 0 is null. For the parts of a cell.
class TextPool {
 public:
  uint32_t Intern(std::string_view text);
  uint32_t InternNull() { return 0; }
  std::string_view text(uint32_t number) const { return number == 0 ? std::string_view() : texts_[number - 1]; }

 private:
  std::deque<std::string> texts_;  // what is in a deque stays where it is
  std::unordered_map<std::string_view, uint32_t> numbers_;
};

/// struct<lo,hi>: nulls inside are a missing value, equal bounds are the value itself.
class IntervalNumbers {
 public:
  explicit IntervalNumbers(ColumnBuilder& builder) : builder_(builder) {}
  TextPool& bounds() { return bounds_; }
  uint32_t Number(uint32_t low, uint32_t high);
  uint32_t Mask() { return builder_.Intern("*"); }

 private:
  ColumnBuilder& builder_;
  TextPool bounds_;
  std::unordered_map<uint64_t, uint32_t> seen_;
};

/// list<string>: one element is the value itself, or a set of one if it would be read as something else; more are `{a,b}`.
class SetNumbers {
 public:
  explicit SetNumbers(ColumnBuilder& builder) : builder_(builder) {}
  TextPool& elements() { return elements_; }
  uint32_t Number(std::span<const uint32_t> elements);
  uint32_t Mask() { return builder_.Intern("*"); }

 private:
  ColumnBuilder& builder_;
  TextPool elements_;
  std::deque<std::string> keys_;
  std::unordered_map<std::string_view, uint32_t> seen_;  // by the bytes of the elements' numbers
};

}  // namespace tada
