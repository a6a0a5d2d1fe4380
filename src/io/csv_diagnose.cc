#include "io/csv_diagnose.h"

#include <cstring>

#include "io/csv_machine.h"
#include "io/utf8.h"

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
      error = DataError("{}, line {}, column {}: invalid UTF-8", name_, at,
                        bad_cell_ < expected ? header_.names[bad_cell_] : std::to_string(bad_cell_ + 1))
                  .WithHint(kNotUtf8Hint);
    } else if (cells_ != expected && !blank) {
      error = DataError("{}, line {}: {} {} where the header has {}", name_, at, cells_, cells_ == 1 ? "cell" : "cells",
                        expected)
                  .WithHint(expected == 1
                                ? "Quote cells that hold the delimiter, or say with --delimiter what parts cells."
                                : "Give every line as many cells as the header; quote cells that hold the delimiter.");
    }
    cells_ = 0;
    return !error.has_value();
  }
  std::optional<Error> error;

 private:
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

}  // namespace

std::optional<Error> DiagnoseCsv(ByteSource& source, const std::string& name, const CsvHeader& header) {
  FaultFinder finder(name, header);
  CsvMachine machine(header.delimiter, finder);
  if (Status read = FeedBody(source, header.body_offset, machine); !read.ok()) return std::move(read).error();
  if (!machine.stopped() && machine.in_quotes()) {
    return DataError("{}, line {}: a quote is opened here and never closed", name,
                     machine.quote_line() + header.body_line - 1)
        .WithHint("Close the quote, or double it if it is part of the text.");
  }
  machine.Finish();
  return finder.error;
}

void QuoteWatch::Feed(std::string_view bytes) {
  const char* const end = bytes.data() + bytes.size();
  const char* at = bytes.data();
  while (at < end && (at = static_cast<const char*>(std::memchr(at, '"', static_cast<size_t>(end - at)))) != nullptr) {
    const char before = at == bytes.data() ? last_ : at[-1];
    if (!open_ && before != delimiter_ && before != '\n' && before != '\r' && before != '"') stray_ = true;
    open_ = !open_;
    ++at;
  }
  if (!bytes.empty()) last_ = bytes.back();
}

}  // namespace tada
