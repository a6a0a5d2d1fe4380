#pragma once

// A pending file as Arrow's output; keeps our own error, which names path and reason.

#include <arrow/io/interfaces.h>
#include <arrow/result.h>

#include "files/write.h"

namespace tada {

class PendingStream final : public arrow::io::OutputStream {
 public:
  explicit PendingStream(PendingFile& file) : file_(file) {}

  using arrow::io::OutputStream::Write;
  arrow::Status Write(const void* data, int64_t count) override;
  arrow::Status Close() override;
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return position_; }

  /// The outcome of writing: our own error if there is one, else that of Arrow.
  Status Outcome(const arrow::Status& status) const;

 private:
  PendingFile& file_;
  Status failure_;
  int64_t position_ = 0;
  bool closed_ = false;
};

}  // namespace tada
