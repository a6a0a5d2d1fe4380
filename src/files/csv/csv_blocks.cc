#include "files/csv/csv_blocks.h"

#include <algorithm>
#include <cstring>

#include "base/option_mark.h"
#include "files/csv/csv_scanner.h"

namespace tada {
namespace {

constexpr size_t kLongestRecord = 1 << 30;  // offsets into a block have 32 bits

// Where the last line ends, if none is quoted. A CR at the end may be half of a CR LF and does not count.
size_t LastLineEnd(std::string_view bytes) {
  const auto* const feed = static_cast<const char*>(memrchr(bytes.data(), '\n', bytes.size()));
  const size_t end = feed == nullptr ? 0 : static_cast<size_t>(feed - bytes.data()) + 1;
  const size_t back = bytes.substr(end).rfind('\r');
  return back == std::string_view::npos || end + back + 1 == bytes.size() ? end : end + back + 1;
}

// The same where line ends may be quoted.
size_t LastRecordEnd(std::string_view bytes, char delimiter, MaskBytes* mask_bytes) {
  CsvScanner scanner(delimiter, mask_bytes);
  CsvScanner::Ends ends;
  size_t last = 0;
  while (scanner.at() < bytes.size()) {
    for (size_t i = scanner.Next(bytes, ends); i-- > 0;) {
      const size_t end = ends[i];
      const bool may_be_half = bytes[end] == '\r' && end + 1 == bytes.size();
      if (bytes[end] == delimiter || may_be_half) continue;
      last = end + (bytes[end] == '\r' && bytes[end + 1] == '\n' ? 2 : 1);
      break;
    }
  }
  return last;
}

}  // namespace

size_t CsvBlocks::TakePutBack(char* out, size_t count) {
  if (put_back_.empty()) return 0;
  Piece& piece = put_back_.back();
  count = std::min(count, piece.bytes.size() - piece.at);
  std::memcpy(out, piece.bytes.data() + piece.at, count);
  piece.at += count;
  if (piece.at == piece.bytes.size()) put_back_.pop_back();
  return count;
}

Result<bool> CsvBlocks::Extend(std::string& block, size_t filled, size_t count) {
  workers_.Poll();
  const size_t before = filled;
  block.resize(before + count);
  while (filled < block.size()) {
    if (!put_back_.empty()) {
      filled += TakePutBack(block.data() + filled, block.size() - filled);
      continue;
    }
    TADA_TRY(got, source_.Read(block.data() + filled, block.size() - filled));
    if (got == 0) break;
    filled += got;
  }
  block.resize(filled);
  progress_.Advance(source_.stored_position() - reported_);
  reported_ = source_.stored_position();
  return filled > before;
}

Status CsvBlocks::Next(std::string& block) {
  for (size_t filled = 0;;
       filled = block.size()) {  // what the block held is written over, which is less work than clearing it
    TADA_TRY(more, Extend(block, filled, std::max(block_, filled)));
    if (!more) return Ok();
    const size_t end = follows_quotes_ ? LastRecordEnd(block, delimiter_, mask_bytes_) : LastLineEnd(block);
    if (end > 0) {
      if (end < block.size()) PutBack(block.substr(end));
      block.resize(end);
      return Ok();
    }
    if (block.size() >= kLongestRecord) {
      return DataError("{}: a line has more than {} bytes", name_, kLongestRecord)
          .WithHint("A quote may be open, or " TADA_OPTION("delimiter") " or the format may be another.");
    }
  }
}

}  // namespace tada
