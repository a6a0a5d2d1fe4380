#include "files/csv/csv_blocks.h"

#include <algorithm>
#include <cstring>

namespace tada {
namespace {

constexpr size_t kLongestRecord = 1 << 30;  // the parser counts bytes of a block in 31 bits

// Where the last line ends, none of which are quoted. A CR at the end may be half of a CR LF and does not count.
size_t LastLineEnd(std::string_view bytes) {
  const auto* const feed = static_cast<const char*>(memrchr(bytes.data(), '\n', bytes.size()));
  const size_t end = feed == nullptr ? 0 : static_cast<size_t>(feed - bytes.data()) + 1;
  const size_t back = bytes.substr(end).rfind('\r');
  return back == std::string_view::npos || end + back + 1 == bytes.size() ? end : end + back + 1;
}

// The same where line ends may be quoted: a quote opens only at the start of a cell, and two quotes inside are one.
size_t LastRecordEnd(std::string_view bytes, char delimiter) {
  size_t end = 0;
  bool at_start = true, open = false;
  for (size_t i = 0; i + 1 < bytes.size(); ++i) {
    const char byte = bytes[i], next = bytes[i + 1];
    if (open) {
      if (byte != '"') continue;
      if (next == '"') {
        ++i;
      } else {
        open = false;
      }
    } else if (byte == '"' && at_start) {
      open = true;
      at_start = false;
    } else if (byte == '\n' || byte == '\r') {
      if (byte == '\r' && next == '\n') ++i;
      end = i + 1;
      at_start = true;
    } else {
      at_start = byte == delimiter;
    }
  }
  return end;
}

}  // namespace

CsvBlocks::CsvBlocks(ByteSource& source, std::string name, char delimiter, const Workers& workers, Progress& progress,
                     size_t block)
    : source_(source),
      name_(std::move(name)),
      delimiter_(delimiter),
      block_(block),
      workers_(workers),
      progress_(progress),
      quotes_(delimiter) {}

Result<bool> CsvBlocks::Extend(std::string& block, size_t count) {
  workers_.Poll();
  size_t filled = block.size();
  const size_t before = filled;
  block.resize(before + count);
  while (filled < block.size()) {
    TADA_TRY(got, source_.Read(block.data() + filled, block.size() - filled));
    if (got == 0) break;
    filled += got;
  }
  block.resize(filled);
  const std::string_view bytes = std::string_view(block).substr(before);
  is_text_ = utf8_.Feed(bytes);
  quotes_.Feed(bytes);
  progress_.Advance(source_.stored_position() - reported_);
  reported_ = source_.stored_position();
  return !bytes.empty();
}

Result<std::string> CsvBlocks::Next() {
  std::string block = std::move(rest_);
  rest_.clear();
  for (;;) {
    TADA_TRY(more, Extend(block, std::max(block_, block.size())));
    if (!is_text_) return std::string();
    if (!more) return block;
    const bool plain = !quotes_.saw_quoted_line_end() && !quotes_.has_stray();
    const size_t end = plain ? LastLineEnd(block) : LastRecordEnd(block, delimiter_);
    if (end > 0) {
      rest_ = block.substr(end);
      block.resize(end);
      return block;
    }
    if (block.size() >= kLongestRecord) {
      return DataError("{}: a line has more than {} bytes", name_, kLongestRecord)
          .WithHint("A quote may be open, or --delimiter or the format may be another.");
    }
  }
}

}  // namespace tada
