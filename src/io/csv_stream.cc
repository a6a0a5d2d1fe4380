#include "io/csv_stream.h"

#include <arrow/buffer.h>

namespace tada {

CsvStream::CsvStream(ByteSource& source, char delimiter, bool plain_lines, const Workers& workers, Progress& progress)
    : source_(&source), plain_lines_(plain_lines), workers_(&workers), progress_(&progress), quotes_(delimiter) {}

void CsvStream::Detach() {
  const std::lock_guard lock(mutex_);
  source_ = nullptr;
}

arrow::Result<int64_t> CsvStream::Read(int64_t count, void* out) {
  const std::lock_guard lock(mutex_);
  if (source_ == nullptr) return arrow::Status::Cancelled("the reader is gone");
  try {
    workers_->Poll();
  } catch (const Interrupted&) {  // nothing may be thrown through Arrow; the caller polls again and throws
    return arrow::Status::Cancelled("interrupted");
  }
  int64_t filled = 0;
  while (filled < count) {  // Arrow takes a short read for the end of a block, so that blocks would depend on luck
    Result<size_t> got = source_->Read(static_cast<char*>(out) + filled, static_cast<size_t>(count - filled));
    if (!got.ok()) {
      failure_ = std::move(got).error();
      return arrow::Status::IOError("read failed");
    }
    if (*got == 0) break;
    filled += static_cast<int64_t>(*got);
  }
  const std::string_view bytes(static_cast<const char*>(out), static_cast<size_t>(filled));
  if (!utf8_.Feed(bytes)) {
    suspect_ = true;
    return arrow::Status::Invalid("invalid UTF-8");
  }
  quotes_.Feed(bytes);
  if (plain_lines_ && quotes_.saw_quoted_line_end()) return arrow::Status::Cancelled("a line end in quotes");
  delivered_ += filled;
  progress_->Advance(source_->stored_position() - reported_);
  reported_ = source_->stored_position();
  return filled;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> CsvStream::Read(int64_t count) {
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<arrow::ResizableBuffer> buffer,
                        arrow::AllocateResizableBuffer(count, CsvMemory()));
  ARROW_ASSIGN_OR_RAISE(const int64_t got, Read(count, buffer->mutable_data()));
  if (got < count) ARROW_RETURN_NOT_OK(buffer->Resize(got));
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

arrow::Status CsvStream::Close() {
  closed_ = true;
  return arrow::Status::OK();
}

}  // namespace tada
