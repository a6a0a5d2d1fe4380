#include "files/csv/csv_diagnose.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "files/csv/csv_machine.h"
#include "files/utf8.h"

namespace tada {
namespace {

class FaultFinder final : public CsvEvents {
 public:
  FaultFinder(const std::string& name, const CsvHeader& header) : name_(name), header_(header) {}

  void OnByte(char byte) override { cell_ += byte; }
  void OnCell() override {
    // The record's line is known only at its end, so a bad cell waits for it.
    if (!IsUtf8(cell_) && bad_cell_ == kNone) bad_cell_ = cells_;
    cell_.clear();
    ++cells_;
  }
  bool OnRecord(uint64_t line, bool blank) override {
    const uint64_t at = line + header_.body_line - 1;
    const size_t expected = header_.names.size();
    if (bad_cell_ != kNone) {
      error =
          DataError("{}, line {}, column {}: invalid UTF-8", name_, at, ColumnWord(bad_cell_)).WithHint(kNotUtf8Hint);
    } else if (cells_ != expected && !blank) {  // at the first column that lacks its cell, or the first cell too many
      error = DataError("{}, line {}, column {}: {} {} where the header has {}", name_, at,
                        ColumnWord(std::min(cells_, expected)), cells_, cells_ == 1 ? "cell" : "cells", expected)
                  .WithHint(expected == 1
                                ? "Quote cells that hold the delimiter, or say with --delimiter what separates cells."
                                : "Give every line as many cells as the header; quote cells that hold the delimiter.");
    }
    cells_ = 0;
    return !error.has_value();
  }
  /// The name of the column that the next byte belongs to, or its number from 1 on.
  std::string current_column() const { return ColumnWord(cells_); }
  std::optional<Error> error;

 private:
  std::string ColumnWord(size_t cell) const {
    return cell < header_.names.size() ? header_.names[cell] : std::to_string(cell + 1);
  }

  static constexpr size_t kNone = static_cast<size_t>(-1);

  const std::string& name_;
  const CsvHeader& header_;
  std::string cell_;
  size_t cells_ = 0;
  size_t bad_cell_ = kNone;
};

// Feeds what follows the header to the machine, until it stops.
Status FeedBody(ByteSource& source, uint64_t offset, CsvMachine& machine) {
  TADA_CHECK_OK(source.Rewind());
  std::string piece(1 << 18, '\0');
  while (!machine.stopped()) {
    TADA_TRY(got, source.Read(piece.data(), offset > 0 ? std::min<size_t>(offset, piece.size()) : piece.size()));
    if (got == 0) break;
    if (offset > 0) {
      offset -= got;
    } else {
      machine.Feed(std::string_view(piece).substr(0, got));
    }
  }
  return Ok();
}

// The high bits of those of eight bytes that equal `byte`. Exact, unlike the usual trick, whose borrows run over into
// the next byte.
uint64_t BytesEqual(uint64_t word, char byte) {
  constexpr uint64_t kOnes = 0x0101010101010101ull, kLow = 0x7F * kOnes;
  const uint64_t differs = word ^ kOnes * static_cast<unsigned char>(byte);
  return ~(((differs & kLow) + kLow) | differs | kLow);
}

// The high bits of eight bytes side by side, the lowest for the byte of lowest value.
uint32_t Gather(uint64_t high_bits) { return static_cast<uint32_t>((high_bits >> 7) * 0x0102040810204080ull >> 56); }

}  // namespace

std::optional<Error> DiagnoseCsv(ByteSource& source, const std::string& name, const CsvHeader& header) {
  FaultFinder finder(name, header);
  CsvMachine machine(header.delimiter, finder);
  if (Status read = FeedBody(source, header.body_offset, machine); !read.ok()) return std::move(read).error();
  if (!machine.stopped() && machine.in_quotes()) {
    return DataError("{}, line {}, column {}: a quote is opened here and never closed", name,
                     machine.quote_line() + header.body_line - 1, finder.current_column())
        .WithHint("Close the quote, or double it if it is part of the text.");
  }
  machine.Finish();
  return finder.error;
}

void QuoteWatch::FeedByte(char byte) {
  const bool line_end = byte == '\n' || byte == '\r';
  if (byte == '"') {
    if (!open_ && !StartsCell(last_)) stray_ = true;
    open_ = !open_;
  }
  if (open_ && line_end) quoted_line_end_ = true;
  last_ = byte;
}

// FeedByte for eight bytes at once: a bit for each byte, the first byte's lowest.
void QuoteWatch::FeedWord(const char* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  const char last = std::exchange(last_, bytes[7]);
  const uint64_t quote_bits = BytesEqual(word, '"');
  if (quote_bits == 0 && !open_) return;
  const uint64_t line_end_bits = BytesEqual(word, '\n') | BytesEqual(word, '\r');
  if (quote_bits == 0) {
    quoted_line_end_ |= line_end_bits != 0;
    return;
  }
  const uint32_t quotes = Gather(quote_bits), line_ends = Gather(line_end_bits);
  uint32_t open = quotes;  // after each byte: whether the number of quotes so far is odd
  open ^= open << 1;
  open ^= open << 2;
  open ^= open << 4;
  if (open_) open = ~open;
  open &= 0xFF;
  const uint32_t starts = (quotes | line_ends | Gather(BytesEqual(word, delimiter_))) << 1 | (StartsCell(last) ? 1 : 0);
  stray_ |= (quotes & open & ~starts) != 0;
  quoted_line_end_ |= (open & line_ends) != 0;
  open_ = (open & 0x80) != 0;
}

void QuoteWatch::Feed(std::string_view bytes) {
  size_t at = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; at + 8 <= bytes.size(); at += 8) FeedWord(bytes.data() + at);
  }
  for (; at < bytes.size(); ++at) FeedByte(bytes[at]);
}

}  // namespace tada
