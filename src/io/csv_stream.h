#pragma once

// The body of a CSV as an Arrow stream. Arrow reads ahead on a thread of its own, which may still be at it when the
// reader has returned an error: Detach() waits for the read under way and refuses all later ones.

#include <arrow/io/interfaces.h>
#include <arrow/memory_pool.h>
#include <arrow/result.h>
#include <arrow/status.h>

#include <mutex>

#include "base/progress.h"
#include "base/workers.h"
#include "io/byte_source.h"
#include "io/csv_diagnose.h"
#include "io/utf8.h"

namespace tada {

/// Where Arrow gets memory for CSV: the system's heap, which uses freed blocks again. Arrow's own returns them and asks for
/// fresh pages, a fifth of the time of a large file.
inline arrow::MemoryPool* CsvMemory() { return arrow::system_memory_pool(); }

class CsvStream final : public arrow::io::InputStream {
 public:
  /// Pre: `source` stands at the first byte of the body. With `plain_lines`, reading stops at a line end inside quotes.
  CsvStream(ByteSource& source, char delimiter, bool plain_lines, const Workers& workers, Progress& progress);

  /// After this nothing that was given to the constructor is touched any more.
  void Detach();
  /// What went wrong while reading: an error of the source.
  const Status& failure() const { return failure_; }
  /// Whether the bytes need a closer look: not UTF-8, or quotes at odd places.
  bool is_suspect() const { return suspect_ || quotes_.is_odd() || !utf8_.Finish(); }
  /// Whether what ends a line can be told only by following the quotes from the start.
  bool has_quoted_line_ends() const { return quotes_.saw_quoted_line_end() || quotes_.is_odd(); }
  bool was_empty() const { return delivered_ == 0; }

  arrow::Result<int64_t> Read(int64_t count, void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t count) override;
  arrow::Status Close() override;
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return delivered_; }

 private:
  std::mutex mutex_;
  ByteSource* source_;
  bool plain_lines_;
  const Workers* workers_;
  Progress* progress_;
  Status failure_;
  Utf8Check utf8_;
  QuoteWatch quotes_;
  uint64_t reported_ = 0;  // stored bytes that the progress knows of
  int64_t delivered_ = 0;
  bool suspect_ = false;
  bool closed_ = false;
};

}  // namespace tada
