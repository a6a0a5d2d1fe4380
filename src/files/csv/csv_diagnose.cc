#include "files/csv/csv_diagnose.h"

#include <algorithm>

#include "base/option_mark.h"
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
                                ? "Quote cells that hold the delimiter, or say with " TADA_OPTION(
                                      "delimiter") " what separates cells."
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

}  // namespace tada
