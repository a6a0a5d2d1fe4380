#pragma once

// Tables in memory, and files where there is no Arrow C++: in the Python package and behind the C interface. CSV is read and
// written by us; Parquet and Arrow files by whoever embeds the library, who also makes streams of them.

#include <memory>
#include <string>
#include <vector>

#include "files/c_stream/write_stream.h"
#include "files/csv/csv_files.h"

namespace tada {

/// Reads and writes the files that we do not.
class ColumnarFiles {
 public:
  virtual ~ColumnarFiles() = default;
  virtual Result<nanoarrow::UniqueArrayStream> Read(const std::string& path, Format format) = 0;
  virtual Result<std::vector<std::string>> Names(const std::string& path, Format format) = 0;
  virtual Status Write(const std::shared_ptr<const Batches>& batches, Format format, PendingFile& file) = 0;
  virtual Result<std::string> Sha256(const std::string& path) = 0;
};

class StreamFiles final : public CsvFiles {
 public:
  /// `columnar` must live as long as this.
  explicit StreamFiles(ColumnarFiles& columnar) : columnar_(columnar) {}
  Result<std::string> Digest(const std::string& path) override;

 protected:
  Result<TableFile> ReadColumnar(const std::string& path, Format format, const ReadOptions& options,
                                 const Workers& workers, Progress& progress) override;
  Result<std::vector<std::string>> ColumnarHeader(const std::string& path, Format format) override;
  Result<std::optional<std::vector<OutsideContent>>> ColumnarOutside(const std::string& path, Format format) override;
  Status WriteColumnar(const Release& release, Format format, const WriteOptions& options, const Workers& workers,
                       Progress& progress, PendingFile& file) override;

 private:
  ColumnarFiles& columnar_;
};

/// A stream that is read once, without holding it as a whole.
class StreamSource final : public Source {
 public:
  /// `format` is for reports. `untyped`: its texts come from a CSV file, so that types are inferred when a release is written.
  StreamSource(nanoarrow::UniqueArrayStream stream, std::string name, std::string format = "arrow",
               bool untyped = false);
  const std::string& name() const override { return name_; }
  Result<std::vector<std::string>> Header(const LayoutOptions& layout) override;
  Result<TableFile> Read(const ReadOptions& options, const Workers& workers, Progress& progress) override;

 private:
  nanoarrow::UniqueArrayStream stream_;
  std::string name_, format_;
  bool untyped_;
};

/// A release that stays in memory, as batches.
class BatchesSink final : public Sink {
 public:
  const std::string& name() const override { return name_; }
  Status Write(const Release& release, const WriteOptions& options, const Workers& workers,
               Progress& progress) override;
  Result<Table> ReadBack(const ReadOptions& options, const Workers& workers) override;
  Status Publish() override;
  /// Null until it is published.
  const std::shared_ptr<const Batches>& batches() const { return published_; }

 private:
  std::string name_;
  std::shared_ptr<const Batches> written_, published_;
};

}  // namespace tada
