#include "files/csv/csv_files.h"

#include "files/charset_source.h"
#include "files/csv/csv_header.h"
#include "files/csv/csv_outside.h"
#include "files/read_parts.h"
#include "files/rows/read_rows.h"
#include "files/write_parts.h"

namespace tada {
namespace {

bool IsColumnar(Format format) { return format == Format::kParquet || format == Format::kArrow; }

}  // namespace

Result<TableFile> CsvFiles::Read(const std::string& path, const ReadOptions& options, const Workers& workers,
                                 Progress& progress) {
  TADA_TRY(format, FormatOf(path));
  if (IsColumnar(format)) return ReadColumnar(path, format, options, workers, progress);
  if (!IsCsv(format)) return ReadRows(path, format, options, workers, progress);
  return ReadCsv(path, format, options, workers, progress);
}

Result<std::vector<std::string>> CsvFiles::Header(const std::string& path, const LayoutOptions& layout) {
  TADA_TRY(format, FormatOf(path));
  if (IsColumnar(format)) return ColumnarHeader(path, format);
  if (!IsCsv(format)) return ReadRowsHeader(path, format, layout);
  TADA_TRY(source, OpenText(path, PackingOf(format), layout.charset));
  TADA_TRY(header, ReadCsvHeader(*source, InputName(path), layout.delimiter));
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
  TADA_TRY(format, OutputFormatOf(file.target()));
  progress.Begin("write", release.row_order.size());
  if (IsColumnar(format)) {
    TADA_CHECK_OK(WriteColumnar(release, format, options, workers, progress, file));
  } else {
    TADA_CHECK_OK(WriteCsv(release, options, PackingOf(format), workers, progress, file));
  }
  return file.Sync();
}

}  // namespace tada
