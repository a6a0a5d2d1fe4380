#pragma once

// Small numbers in Parquet's hybrid encoding, which its pages have for levels and for the entries of dictionaries: runs of equal
// numbers, and between them groups of eight whose bits are packed (the format's "RLE/bit-packing hybrid").

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace tada {

class RunEncoder {
 public:
  /// Numbers are below 2^width. Pre: 1 <= width <= 32.
  explicit RunEncoder(int width) : width_(width) {}

  void Put(uint32_t number, size_t count = 1) {
    if (number != number_) {
      EndRun();
      number_ = number;
    }
    count_ += count;
  }
  /// The bytes of what was put. Nothing is put then.
  std::string Finish();

 private:
  static constexpr size_t kMostGroups = 63;  // of eight, whose count still fits the one byte before them

  void EndRun() {
    // Groups hold eight: a run lends the numbers that the last one lacks.
    while (count_ > 0 && packed_ % 8 != 0) PackOne();
    if (count_ >= 8) return WriteRun();
    while (count_ > 0) PackOne();
  }
  void PackOne() {
    if (packed_ == 0) bytes_.push_back('\0');  // their count, once it is known
    bits_ |= static_cast<uint64_t>(number_) << num_bits_;
    num_bits_ += width_;
    if (num_bits_ >= 32) {
      AppendBytes(bits_, 4);
      bits_ >>= 32;
      num_bits_ -= 32;
    }
    --count_;
    if (++packed_ == 8 * kMostGroups) EndGroups();
  }
  void AppendBytes(uint64_t number, int count) {
    for (int i = 0; i < count; ++i) bytes_.push_back(static_cast<char>(number >> (8 * i)));
  }
  void WriteRun();
  void EndGroups();

  int width_;
  std::string bytes_;
  uint32_t number_ = 0;  // the run that goes on
  size_t count_ = 0;
  size_t packed_ = 0;  // numbers of the groups that go on
  uint64_t bits_ = 0;  // of them, those that are not in `bytes_` yet
  int num_bits_ = 0;
};

}  // namespace tada
