#pragma once

// Finds where cells end, 64 bytes at a time, exactly as csv_machine.h does byte by byte.
//   inside   from a quote that opens up to the one that closes it; two quotes inside close and open again.
//   end      a delimiter or line end that is not inside; of a CR LF, the CR.
// Of regular quotes, those that open at the start of a cell, every second one closes, so "inside" is the parity of the
// quotes so far. A word with any other quote (5" pipe) is followed byte by byte.

#include <array>
#include <string_view>

#include "files/csv/csv_masks.h"
#include "files/utf8.h"

namespace tada {

class CsvScanner {
 public:
  static constexpr size_t kStep = 4096;  // bytes looked at in one go
  using Ends = std::array<uint32_t, kStep + 64>;

  CsvScanner(char delimiter, MaskBytes* mask_bytes) : delimiter_(delimiter), mask_bytes_(mask_bytes) {}

  /// Looks at the next kStep of `bytes`, which begin at the first byte of a record and are the same in every step, less
  /// than 4 GiB. Fills `ends` with the offsets of those that end cells; how many.
  size_t Next(std::string_view bytes, Ends& ends);
  /// How many bytes were looked at.
  size_t at() const { return at_; }
  /// Whether a quote is open behind the last byte.
  bool in_quotes() const { return open_; }
  /// Whether the quotes of a cell that begins with one and ended in the last step are its first byte and its last, and no
  /// others. False if that is not known.
  bool IsPlain(size_t begin, size_t end) const {
    if (begin < plain_from_) return false;
    const size_t first = begin < step_ ? 0 : (begin - step_) / 64, last = (end - step_) / 64;
    return doubtful_ >> first << (63 - (last - first)) == 0;
  }
  /// Whether the bytes so far may be UTF-8; and at their end, whether they are.
  bool is_utf8() const { return utf8_.is_valid() && !(utf8_.is_open() && at_end_); }

 private:
  void CheckUtf8(const char* word, uint64_t high);
  uint64_t EndsIn(const CsvMasks& masks, uint64_t word);
  uint64_t FollowByteByByte(const CsvMasks& masks);

  char delimiter_;
  MaskBytes* mask_bytes_;
  size_t at_ = 0;
  bool at_end_ = false;
  bool open_ = false;
  bool may_open_ = true;       // whether a quote that comes next opens, or opens again
  bool after_return_ = false;  // whether the last byte was a CR that ended a cell
  bool after_quote_ = false;   // whether the last byte was a quote that closed, or may have been
  size_t step_ = 0;            // where the last step began
  uint64_t doubtful_ = 0;      // its words with a quote that neither opens nor closes a whole cell
  size_t plain_from_ = 0;      // behind the last such word of the steps before
  Utf8Check utf8_;
};

}  // namespace tada
