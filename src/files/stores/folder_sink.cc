#include "files/stores/folder_sink.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "base/option_mark.h"
#include "files/format.h"
#include "files/published.h"
#include "files/stores/dataset.h"
#include "files/write_parts.h"
#include "table/select_rows.h"

namespace tada {
namespace {

namespace fs = std::filesystem;

Error CannotWrite(const std::string& path, int code) {
  return IoError("Cannot write {}: {}", path, std::strerror(code))
      .WithHint(code == ENOENT ? "Make the folder that it shall be in first." : "Choose another place for the output.");
}

Status SyncFolder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return CannotWrite(path, errno);
  const int code = ::fsync(folder) != 0 && errno != EINVAL ? errno : 0;
  ::close(folder);
  return code == 0 ? Ok() : Status(CannotWrite(path, code));
}

// Whether a folder holds parts of a release and nothing else, so that it may be replaced.
bool HoldsPartsAlone(const std::string& path) {
  std::error_code failed;
  for (fs::recursive_directory_iterator at(path, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    const bool partition = at->is_directory() && name.find('=') != std::string::npos;
    const bool part = at->is_regular_file() && name.starts_with("part-") && !KnownExtension(name).empty();
    if (!partition && !part && name != "_SUCCESS" && !name.ends_with(".crc")) return false;
  }
  return !failed;
}

Status CheckTarget(const std::string& target, bool force) {
  struct stat there{};
  if (::lstat(target.c_str(), &there) != 0) return errno == ENOENT ? Ok() : Status(CannotWrite(target, errno));
  if (!S_ISDIR(there.st_mode)) {
    return IoError("Cannot write {}: it is there and no folder", target).WithHint("Choose another name.");
  }
  if (!force)
    return IoError("Output exists: {}", target)
        .WithHint("Add " TADA_OPTION("force") " to replace it, or choose another name.");
  if (!HoldsPartsAlone(target)) {
    return IoError("Will not replace folder {}: it holds more than parts of a release", target)
        .WithHint("Remove it yourself, or choose another name.");
  }
  return Ok();
}

// The extension that parts have.
Result<std::string> ExtensionOf(const std::string& target, const std::string& input_format) {
  if (const std::string_view own = KnownExtension(target); !own.empty()) {
    TADA_CHECK_OK(OutputFormatOf(target));
    return std::string(own);
  }
  const std::string like_input = "." + input_format;
  return OutputFormatOf("part" + like_input).ok() ? like_input : std::string(".parquet");
}

struct Part {
  std::string folder;            // "" or "sex=f/"
  std::vector<RowId> positions;  // in the release
};

// Which rows go into which folder, folders by their names.
std::vector<Part> SplitByColumn(const Release& release, const ReleasedColumn& by) {
  const Column& column = release.table->column(by.source);
  std::map<std::string, std::vector<RowId>> rows;
  std::vector<uint32_t> codes(release.row_order.size());
  CellIndices(release, by, 0, codes);
  std::vector<std::vector<RowId>*> of_code(column.num_codes(), nullptr);
  for (RowId position = 0; position < codes.size(); ++position) {
    std::vector<RowId>*& into = of_code[codes[position]];
    if (into == nullptr) {
      into = &rows[fmt::format("{}={}", PartitionText(column.name()), PartitionText(column.text(codes[position])))];
    }
    into->push_back(position);
  }
  std::vector<Part> parts;
  for (auto& [folder, positions] : rows) parts.push_back({folder + "/", std::move(positions)});
  return parts;
}

// Of rows in one folder, how many go into each file.
std::vector<std::span<const RowId>> SplitByRows(std::span<const RowId> positions, uint64_t rows_per_file) {
  std::vector<std::span<const RowId>> files;
  const size_t rows = rows_per_file == 0 ? positions.size() : static_cast<size_t>(rows_per_file);
  for (size_t at = 0; at < positions.size(); at += rows) {
    files.push_back(positions.subspan(at, std::min(rows, positions.size() - at)));
  }
  if (files.empty()) files.emplace_back();  // a table without rows has columns still
  return files;
}

Result<size_t> FindPartitionColumn(const Release& release, const std::string& name) {
  for (size_t i = 0; i < release.columns.size(); ++i) {
    if (release.table->column(release.columns[i].source).name() != name) continue;
    if (!release.columns[i].recoded && release.columns.size() > 1) return i;
    return InvalidArgument(TADA_OPTION("partition-by") ": cells of column '{}' are widened, and name no folders", name)
        .WithHint("Name a column that is released as it is: of " TADA_OPTION("keep") ", " TADA_OPTION(
            "label") " or " TADA_OPTION("sensitive") ".");
  }
  return InvalidArgument(TADA_OPTION("partition-by") ": column '{}' is not released", name)
      .WithHint("Add " TADA_OPTION("keep") " " + name + ".");
}

}  // namespace

FolderSink::FolderSink(Files& files, std::string target, SinkOptions options)
    : files_(files), target_(std::move(target)), options_(std::move(options)) {}

FolderSink::~FolderSink() {
  std::error_code ignored;
  if (is_pending_) fs::remove_all(pending_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

Result<std::unique_ptr<Sink>> FolderSink::Open(Files& files, const std::string& path, const SinkOptions& options) {
  std::string target = path;
  while (target.size() > 1 && target.ends_with('/')) target.pop_back();
  TADA_CHECK_OK(CheckTarget(target, options.force));
  std::unique_ptr<FolderSink> sink(new FolderSink(files, std::move(target), options));
  TADA_CHECK_OK(sink->Create());
  return std::unique_ptr<Sink>(std::move(sink));
}

// The hidden folder, locked as long as we live. Between the two another run may take it for a leftover: then once more.
Status FolderSink::Create() {
  const fs::path parent = fs::path(target_).parent_path();
  parent_ = parent.empty() ? "." : parent.string();
  RemovePending(parent_);
  for (int attempt = 0; attempt < 100; ++attempt) {
    pending_ = PendingName(parent_, fs::path(target_).filename().string());
    if (::mkdir(pending_.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;
      return CannotWrite(target_, errno);
    }
    is_pending_ = true;
    lock_ = ::open(pending_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat made{};
    if (lock_ >= 0 && (::flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && ::fstat(lock_, &made) == 0 &&
        made.st_nlink > 0) {
      return Ok();
    }
    if (lock_ >= 0) ::close(lock_);
    lock_ = -1;
  }
  return IoError("Cannot write {}: other runs keep removing the temporary folder", target_);
}

Status FolderSink::WritePart(const Release& part, const std::string& name, const WriteOptions& options,
                             const Workers& workers, Progress& progress) {
  TADA_TRY(file, PendingFile::Open(pending_ + "/" + name, false));
  TADA_CHECK_OK(files_.Write(part, options, workers, progress, file));
  TADA_CHECK_OK(file.Publish());
  ForgetPublished(pending_ + "/" + name);
  return Ok();
}

Status FolderSink::Write(const Release& release, const WriteOptions& options, const Workers& workers,
                         Progress& progress) {
  TADA_TRY(extension, ExtensionOf(target_, options.input_format));
  if (options.guard_formulas && !IsCsv(*FormatOf("part" + extension))) {
    return InvalidArgument(TADA_OPTION("guard-formulas") " is for CSV: {}", target_)
        .WithHint("Leave it out: spreadsheets do not run cells of Parquet and Arrow files.");
  }
  Release part = release;
  std::vector<Part> folders(1);
  if (options_.partition_by.empty()) {
    folders[0].positions.resize(release.row_order.size());
    std::iota(folders[0].positions.begin(), folders[0].positions.end(), RowId{0});
  } else {
    TADA_TRY(by, FindPartitionColumn(release, options_.partition_by));
    folders = SplitByColumn(release, release.columns[by]);
    part.columns.erase(part.columns.begin() + static_cast<std::ptrdiff_t>(by));
  }
  for (const Part& folder : folders) {
    if (!folder.folder.empty() && ::mkdir((pending_ + "/" + folder.folder).c_str(), 0777) != 0) {
      return CannotWrite(target_ + "/" + folder.folder, errno);
    }
    folders_.push_back(pending_ + "/" + folder.folder);
    const auto files = SplitByRows(folder.positions, options_.rows_per_file);
    const size_t width = std::max<size_t>(5, std::to_string(files.size()).size());
    for (size_t i = 0; i < files.size(); ++i) {
      part.row_order.clear();
      for (const RowId position : files[i]) part.row_order.push_back(release.row_order[position]);
      position_.insert(position_.end(), files[i].begin(), files[i].end());
      TADA_CHECK_OK(WritePart(part, fmt::format("{}part-{:0{}}{}", folder.folder, i, width, extension), options,
                              workers, progress));
    }
  }
  return Ok();
}

Result<Table> FolderSink::ReadBack(const ReadOptions& options, const Workers& workers) {
  NoProgress silent;
  TADA_TRY(read, ReadDataset(files_, pending_, options, workers, silent));
  if (read.table.num_rows() != position_.size()) return std::move(read.table);  // which the audit will say
  std::vector<RowId> row_at(position_.size());
  for (RowId row = 0; row < position_.size(); ++row) row_at[position_[row]] = row;
  return SelectRows(read.table, row_at);
}

Result<std::string> FolderSink::Digest() { return DatasetDigest(files_, pending_); }

Status FolderSink::Publish() {
  for (const std::string& folder : folders_) TADA_CHECK_OK(SyncFolder(folder));
  const mode_t mask = ::umask(0);
  ::umask(mask);
  struct stat replaced{};
  const bool exists = ::stat(target_.c_str(), &replaced) == 0;
  if (::fchmod(lock_, exists ? replaced.st_mode & 0777 : 0777 & ~mask) != 0) return CannotWrite(target_, errno);
  TADA_CHECK_OK(SyncFolder(pending_));
  TADA_CHECK_OK(CheckTarget(target_, options_.force));
  if (::renameat2(AT_FDCWD, pending_.c_str(), AT_FDCWD, target_.c_str(), exists ? RENAME_EXCHANGE : RENAME_NOREPLACE) !=
      0) {
    if (exists && (errno == EINVAL || errno == ENOSYS)) {
      return IoError("Cannot replace {} in one step on this file system", target_).WithHint("Remove the folder first.");
    }
    return CannotWrite(target_, errno);
  }
  is_pending_ = false;
  AddPublished(target_);
  std::error_code ignored;
  if (exists) fs::remove_all(pending_, ignored);
  return SyncFolder(parent_);
}

}  // namespace tada
