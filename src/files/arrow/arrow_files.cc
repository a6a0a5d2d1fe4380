#include "files/arrow/arrow_files.h"

#include "files/arrow/outside.h"
#include "files/digest/sha256.h"
#include "files/read_parts.h"
#include "files/write_parts.h"

namespace tada {

Result<TableFile> ArrowFiles::ReadColumnar(const std::string& path, Format format, const ReadOptions& options,
                                           const Workers& workers, Progress& progress) {
  if (format == Format::kParquet) return ReadParquet(path, options, workers, progress);
  return ReadArrow(path, options, workers, progress);
}

Result<std::vector<std::string>> ArrowFiles::ColumnarHeader(const std::string& path, Format format) {
  return format == Format::kParquet ? ReadParquetHeader(path) : ReadArrowHeader(path);
}

Result<std::optional<std::vector<OutsideContent>>> ArrowFiles::ColumnarOutside(const std::string& path, Format format) {
  TADA_TRY(found, ReadColumnarOutside(path, format));
  return std::optional(std::move(found));
}

Status ArrowFiles::WriteColumnar(const Release& release, Format format, const WriteOptions& options,
                                 const Workers& workers, Progress& progress, PendingFile& file) {
  if (format == Format::kParquet) return WriteParquet(release, options.cells, workers, progress, file);
  return WriteArrow(release, options.cells, workers, progress, file);
}

Result<std::string> ArrowFiles::Digest(const std::string& path) { return Sha256OfFile(path); }

}  // namespace tada
