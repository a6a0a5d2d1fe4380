#include "files/arrow/pages/run_encoder.h"

namespace tada {

void RunEncoder::WriteRun() {
  EndGroups();
  uint64_t header = static_cast<uint64_t>(std::exchange(count_, 0)) << 1;
  for (; header >= 0x80; header >>= 7) bytes_.push_back(static_cast<char>(header | 0x80));
  bytes_.push_back(static_cast<char>(header));
  AppendBytes(number_, (width_ + 7) / 8);
}

// Pre: whole groups.
void RunEncoder::EndGroups() {
  if (packed_ == 0) return;
  AppendBytes(bits_, (num_bits_ + 7) / 8);
  const size_t groups = packed_ / 8;
  bytes_[bytes_.size() - groups * static_cast<size_t>(width_) - 1] = static_cast<char>(groups << 1 | 1);
  bits_ = 0;
  num_bits_ = 0;
  packed_ = 0;
}

std::string RunEncoder::Finish() {
  EndRun();
  if (packed_ % 8 != 0) {
    number_ = 0;
    count_ = 8 - packed_ % 8;  // readers know how many numbers there are
    EndRun();
  }
  EndGroups();
  number_ = 0;
  return std::exchange(bytes_, {});
}

}  // namespace tada
