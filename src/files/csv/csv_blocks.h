#pragma once

// The body of a CSV in blocks of whole records, so that blocks can be parsed each on its own. As long as no quotes hold a
// line end, a block ends at the last line end that was read; where they do, its quotes are followed from its start.

#include <string>

#include "base/progress.h"
#include "base/workers.h"
#include "files/byte_source.h"
#include "files/csv/csv_diagnose.h"
#include "files/utf8.h"

namespace tada {

class CsvBlocks {
 public:
  static constexpr size_t kBlock = 1 << 20;

  /// Pre: `source` stands at the first byte of the body. Blocks have about `block` bytes.
  CsvBlocks(ByteSource& source, std::string name, char delimiter, const Workers& workers, Progress& progress,
            size_t block = kBlock);

  /// The next records; nothing at the end, or where the bytes are no text. The last record may lack its line end.
  /// kData if a record is longer than can be read.
  Result<std::string> Next();
  /// Whether the bytes need a closer look: not UTF-8, or quotes at odd places.
  bool is_suspect() const { return !is_text_ || quotes_.is_odd() || !utf8_.Finish(); }

 private:
  /// Reads up to `count` bytes more, fewer only at the end; whether there were any.
  Result<bool> Extend(std::string& block, size_t count);

  ByteSource& source_;
  std::string name_;
  char delimiter_;
  size_t block_;
  const Workers& workers_;
  Progress& progress_;
  Utf8Check utf8_;
  QuoteWatch quotes_;
  std::string rest_;       // what was read behind the last block
  uint64_t reported_ = 0;  // stored bytes that the progress knows of
  bool is_text_ = true;
};

}  // namespace tada
