#include "files/csv/csv_files.h"

#include "files/byte_source.h"
#include "files/csv/csv_header.h"
#include "files/csv/csv_outside.h"
#include "files/read_parts.h"
#include "files/write_parts.h"

namespace tada {
namespace {

bool IsColumnar(Format format) { return format == Format::kParquet || format == Format::kArrow; }

}  // namespace

Result<TableFile> CsvFiles::Read(const std::string& path, const ReadOptions& options, const Workers& workers,
                                 Progress& progress) {
  TADA_TRY(format, FormatOf(path));
  if (IsColumnar(format)) return ReadColumnar(path, format, options, workers, progress);
  return ReadCsv(path, format, options, workers, progress);
}

Result<std::vector<std::string>> CsvFiles::Header(const std::string& path, std::optional<char> delimiter) {
  TADA_TRY(format, FormatOf(path));
  if (IsColumnar(format)) return ColumnarHeader(path, format);
  TADA_TRY(source, OpenBytes(path, format));
  TADA_TRY(header, ReadCsvHeader(*source, InputName(path), delimiter));
  return std::move(header.names);
}

Result<std::optional<std::vector<OutsideContent>>> CsvFiles::Outside(const std::string& path) {
  TADA_TRY(format, FormatOf(path));
  if (IsColumnar(format)) return ColumnarOutside(path, format);
  TADA_TRY(found, ReadCsvOutside(path, format));
  return std::optional(std::move(found));
}

Status CsvFiles::Write(const Release& release, const WriteOptions& options, const Workers& workers, Progress& progress,
                       PendingFile& file) {
  TADA_TRY(format, FormatOf(file.target()));
  progress.Begin("write", release.row_order.size());
  if (IsColumnar(format)) {
    TADA_CHECK_OK(WriteColumnar(release, format, options, workers, progress, file));
  } else {
    TADA_CHECK_OK(WriteCsv(release, options, format == Format::kCsvGz, workers, progress, file));
  }
  return file.Sync();
}

}  // namespace tada
