#pragma once

// Where tables come from and where releases go.
//   files    reads and writes files by their extension. Its backends: files/arrow, by Arrow C++; files/c_stream, with Parquet and
//            Arrow files left to whoever embeds it. A program makes one and passes it on.
//   source   a table that can be read: a file, or a stream that somebody hands over.
//   sink     where a release goes. It is written, read back, and only then published: whole or not at all.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "files/read.h"
#include "files/write.h"
#include "recode/release.h"
#include "table/outside_content.h"

namespace tada {

class Sink;

struct SinkOptions {
  bool force = false;             ///< replaces what is there
  uint64_t rows_per_file = 0;     ///< of a folder of parts; 0: one file, or one for each value of `partition_by`
  std::string partition_by = {};  ///< a released column whose values name folders: sex=f/part-00000.parquet
};

class Files {
 public:
  virtual ~Files() = default;

  /// Where a release goes: a file, by its extension. Refuses what could not be written, before there is anything to write.
  virtual Result<std::unique_ptr<Sink>> OpenSink(const std::string& path, const SinkOptions& options);

  /// Reads a whole table, by its extension (files/format.h); `-` is CSV on standard input. Errors are kData
  /// and name file, line and column. A file that changes while it is read is an error.
  virtual Result<TableFile> Read(const std::string& path, const ReadOptions& options, const Workers& workers,
                                 Progress& progress) = 0;
  /// The column names of a file, without reading its rows.
  virtual Result<std::vector<std::string>> Header(const std::string& path, const LayoutOptions& layout) = 0;
  /// The SHA-256 of a file's bytes, in hex.
  virtual Result<std::string> Digest(const std::string& path) = 0;
  /// What a file holds beside the cells of its table; nothing if it cannot be told here.
  virtual Result<std::optional<std::vector<OutsideContent>>> Outside(const std::string& path) = 0;
  /// Writes a release into a pending file, in the format of its target's extension, and syncs it.
  virtual Status Write(const Release& release, const WriteOptions& options, const Workers& workers, Progress& progress,
                       PendingFile& file) = 0;
};

class Source {
 public:
  virtual ~Source() = default;
  /// What messages and reports call it: a path, "the frame".
  virtual const std::string& name() const = 0;
  /// Whether Header() can be asked before Read(); not of standard input.
  virtual bool has_header() const { return true; }
  virtual Result<std::vector<std::string>> Header(const LayoutOptions& layout) = 0;
  /// Reads the table, once.
  virtual Result<TableFile> Read(const ReadOptions& options, const Workers& workers, Progress& progress) = 0;
  /// The SHA-256 of the bytes that were read; "" if it has none that could be read again. kData if they have changed since.
  virtual Result<std::string> Digest() { return std::string(); }
  /// What its bytes hold beside the cells of the table; nothing if that cannot be told.
  virtual Result<std::optional<std::vector<OutsideContent>>> Outside() {
    return std::optional(std::vector<OutsideContent>());
  }
  /// Which table it is and when it was last changed, but nothing of what it holds.
  virtual std::string Stamp() const { return name(); }
};

class Sink {
 public:
  virtual ~Sink() = default;
  /// What messages and reports call it; "" for one that is handed out in memory.
  virtual const std::string& name() const = 0;
  /// A folder with room for about as much as the release takes; "" if none belongs to it.
  virtual std::string folder() const { return ""; }
  virtual Status Write(const Release& release, const WriteOptions& options, const Workers& workers,
                       Progress& progress) = 0;
  /// What was written, read as its receiver will.
  virtual Result<Table> ReadBack(const ReadOptions& options, const Workers& workers) = 0;
  /// The SHA-256 of the bytes that were written; "" if there are none.
  virtual Result<std::string> Digest() { return std::string(); }
  /// Makes it visible. Pre: Write() succeeded.
  virtual Status Publish() = 0;
};

class FileSource : public Source {
 public:
  /// `name`: what reports call it, if not its path, without any password that this holds.
  FileSource(Files& files, std::string path, std::string name = "");
  const std::string& name() const override { return name_; }
  bool has_header() const override { return path_ != "-"; }
  Result<std::vector<std::string>> Header(const LayoutOptions& layout) override;
  Result<TableFile> Read(const ReadOptions& options, const Workers& workers, Progress& progress) override;
  Result<std::string> Digest() override;
  Result<std::optional<std::vector<OutsideContent>>> Outside() override;
  std::string Stamp() const override;

 private:
  // What tells that somebody wrote to a file since.
  struct State {
    std::filesystem::file_time_type written;
    uintmax_t bytes = 0;
    bool operator==(const State&) const = default;
  };
  State Now() const;

  Files& files_;
  std::string path_, name_;
  std::optional<State> read_;  // when it was read
};

class FileSink final : public Sink {
 public:
  /// Refuses a path that could not be written, before there is anything to write.
  static Result<FileSink> Open(Files& files, const std::string& path, bool force);
  const std::string& name() const override { return file_.target(); }
  std::string folder() const override;
  Status Write(const Release& release, const WriteOptions& options, const Workers& workers,
               Progress& progress) override;
  Result<Table> ReadBack(const ReadOptions& options, const Workers& workers) override;
  Result<std::string> Digest() override { return files_.Digest(file_.path()); }
  Status Publish() override { return file_.Publish(); }

 private:
  FileSink(Files& files, PendingFile file) : files_(files), file_(std::move(file)) {}
  Files& files_;
  PendingFile file_;
};

}  // namespace tada
