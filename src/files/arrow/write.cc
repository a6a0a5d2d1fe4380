#include "files/write.h"

#include "files/format.h"
#include "files/write_parts.h"

namespace tada {

Status WriteRelease(const Release& release, const WriteOptions& options, const Workers& workers, Progress& progress,
                    PendingFile& file) {
  TADA_TRY(format, FormatOf(file.target()));
  progress.Begin("write", release.row_order.size());
  const auto write = [&]() -> Status {
    switch (format) {
      case Format::kParquet:
        return WriteParquet(release, options.typed_cells, workers, progress, file);
      case Format::kArrow:
        return WriteArrow(release, options.typed_cells, workers, progress, file);
      case Format::kCsv:
      case Format::kCsvGz:
        break;
    }
    return WriteCsv(release, options.delimiter, format == Format::kCsvGz, workers, progress, file);
  };
  TADA_CHECK_OK(write());
  return file.Sync();
}

}  // namespace tada
