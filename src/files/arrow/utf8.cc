#include "files/utf8.h"

#include <arrow/util/utf8.h>

#include <algorithm>

namespace tada {
namespace {

// How many bytes a character has that begins with this one; 1 for those that begin none.
size_t LengthOf(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
}

bool Continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// How many bytes at the end begin a character that is not complete.
size_t CutLength(std::string_view bytes) {
  for (size_t back = 1; back <= std::min<size_t>(3, bytes.size()); ++back) {
    const char byte = bytes[bytes.size() - back];
    if (!Continues(byte)) return LengthOf(byte) > back ? back : 0;
  }
  return 0;
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  // Arrow's tables are empty, and everything is valid, until somebody asks for them; its own readers do, but later than we.
  static const bool ready = (arrow::util::InitializeUTF8(), true);
  return ready && arrow::util::ValidateUTF8(bytes);
}

bool Utf8Check::Feed(std::string_view bytes) {
  if (!cut_.empty()) {
    const size_t missing = std::min(LengthOf(cut_[0]) - cut_.size(), bytes.size());
    cut_ += bytes.substr(0, missing);
    bytes.remove_prefix(missing);
    if (cut_.size() < LengthOf(cut_[0])) return valid_;
    valid_ = valid_ && IsUtf8(cut_);
    cut_.clear();
  }
  const size_t cut = CutLength(bytes);
  cut_ = bytes.substr(bytes.size() - cut);
  valid_ = valid_ && IsUtf8(bytes.substr(0, bytes.size() - cut));
  return valid_;
}

}  // namespace tada
