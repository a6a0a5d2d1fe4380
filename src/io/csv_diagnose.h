#pragma once

// Says where a CSV is wrong, after the fast reader has refused it or a quote looked odd: line, column, and what is
// there.

#include <optional>

#include "io/byte_source.h"
#include "io/csv_header.h"

namespace tada {

/// Reads `source` again from the front; the first thing that is wrong in it, or nothing if all is well.
std::optional<Error> DiagnoseCsv(ByteSource& source, const std::string& name, const CsvHeader& header);

/// Watches quotes in passing, cheaply. Files whose quotes open at the start of a cell and close before its end have an
/// even number of them, so anything else is worth a closer look by DiagnoseCsv.
class QuoteWatch {
 public:
  explicit QuoteWatch(char delimiter) : delimiter_(delimiter) {}
  void Feed(std::string_view bytes);
  bool is_odd() const { return open_ || stray_; }

 private:
  char delimiter_;
  char last_ = '\n';  // the byte before this piece
  bool open_ = false;
  bool stray_ = false;
};

}  // namespace tada
