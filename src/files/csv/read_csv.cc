#include "files/charset_source.h"
#include "files/csv/csv_body.h"
#include "files/csv/csv_diagnose.h"
#include "files/csv/csv_header.h"
#include "files/csv/formula_guard.h"
#include "files/read_parts.h"

namespace tada {

Result<TableFile> ReadCsv(const std::string& path, Format format, const ReadOptions& options, const Workers& workers,
                          Progress& progress) {
  const std::string name = InputName(path);
  TADA_TRY(source, OpenText(path, PackingOf(format), options.charset));
  TADA_TRY(header, ReadCsvHeader(*source, name, options.delimiter));
  TADA_TRY(wanted, WantedColumns(header.names, options, name));
  std::vector<ColumnBuilder> builders;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) builders.emplace_back(header.names[i], OptionsOf(header.names[i], options));
  }
  if (!builders.empty()) {
    progress.Begin("read", source->stored_size());
    const CsvShape shape{.delimiter = header.delimiter, .wanted = std::move(wanted)};
    TADA_TRY(whole, ReadCsvBody(*source, header.body_offset, name, shape, workers, progress, builders));
    if (!whole) {
      if (auto error = DiagnoseCsv(*source, name, header)) return *std::move(error);
      return DataError("{}: cannot be read as CSV", name);
    }
    TADA_CHECK_OK(source->CheckUnchanged());
  }
  const auto lines = LinesOfCsv(path, PackingOf(format), options.charset, header);
  TADA_TRY(table, FinishColumns(std::move(builders), workers, lines));
  TableFile file;
  file.table = options.guarded ? WithoutGuards(std::move(table)) : std::move(table);
  file.all_columns = std::move(header.names);
  file.format = FormatName(format);
  file.delimiter = header.delimiter;
  file.charset = source->charset();
  file.bytes = source->stored_size();
  return file;
}

}  // namespace tada
