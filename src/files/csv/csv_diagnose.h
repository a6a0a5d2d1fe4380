#pragma once

// Says where a CSV is wrong, after the fast reader has refused it or a quote looked odd: line, column, and what is
// there.

#include <optional>

#include "files/byte_source.h"
#include "files/csv/csv_header.h"

namespace tada {

/// Reads `source` again from the front; the first thing that is wrong in it, or nothing if all is well.
std::optional<Error> DiagnoseCsv(ByteSource& source, const std::string& name, const CsvHeader& header);

/// Watches quotes in passing, cheaply. Files whose quotes open at the start of a cell and close before its end have an
/// even number of them, so anything else is worth a closer look by DiagnoseCsv.
class QuoteWatch {
 public:
  explicit QuoteWatch(char delimiter) : delimiter_(delimiter) {}
  void Feed(std::string_view bytes);
  /// Whether a quote is left open, or there is a stray one: opened inside a cell.
  bool is_odd() const { return open_ || stray_; }
  bool has_stray() const { return stray_; }
  /// Whether a line ended inside quotes.
  bool saw_quoted_line_end() const { return quoted_line_end_; }

 private:
  /// Whether a quote after this byte is at the start of a cell, or the second of two.
  bool StartsCell(char byte) const { return byte == delimiter_ || byte == '\n' || byte == '\r' || byte == '"'; }
  void FeedByte(char byte);
  void FeedWord(const char* bytes);

  char delimiter_;
  char last_ = '\n';  // the byte before this piece
  bool open_ = false;
  bool stray_ = false;
  bool quoted_line_end_ = false;
};

}  // namespace tada
