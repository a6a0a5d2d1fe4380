#include "files/arrow/pending_stream.h"

namespace tada {

arrow::Status PendingStream::Write(const void* data, int64_t count) {
  if (failure_.ok()) failure_ = file_.Write({static_cast<const char*>(data), static_cast<size_t>(count)});
  if (!failure_.ok()) return arrow::Status::IOError("write failed");
  position_ += count;
  return arrow::Status::OK();
}

arrow::Status PendingStream::Close() {
  closed_ = true;
  return arrow::Status::OK();
}

Status PendingStream::Outcome(const arrow::Status& status) const {
  if (!failure_.ok()) return failure_;
  if (!status.ok()) return IoError("Cannot write {}: {}", file_.target(), status.message());
  return Ok();
}

}  // namespace tada
