// CSV by Arrow's reader. It gives every column as dictionaries of texts, one dictionary a block; each block's texts are
// numbered once and its rows follow by index, so that a text is hashed once a block and not once a row.
// Arrow tells neither line nor column of what is wrong, and takes an open quote for closed at the end: see
// csv_diagnose.h.

#include <arrow/array.h>
#include <arrow/chunked_array.h>
#include <arrow/csv/api.h>
#include <arrow/memory_pool.h>
#include <arrow/table.h>
#include <arrow/util/thread_pool.h>

#include <algorithm>

#include "io/csv_diagnose.h"
#include "io/csv_header.h"
#include "io/csv_stream.h"
#include "io/read_parts.h"

namespace tada {
namespace {

constexpr int32_t kFirstBlock = 1 << 20;
constexpr int32_t kLargestBlock = 1 << 30;

struct CsvInput {
  const std::string name;
  std::unique_ptr<ByteSource> source;
  CsvHeader header;
  std::vector<bool> wanted;
};

Status SkipTo(ByteSource& source, uint64_t offset) {
  TADA_CHECK_OK(source.Rewind());
  std::string piece(1 << 16, '\0');
  while (offset > 0) {
    TADA_TRY(got, source.Read(piece.data(), std::min<uint64_t>(offset, piece.size())));
    if (got == 0) return DataError("Input changed while it was read");
    offset -= got;
  }
  return Ok();
}

std::shared_ptr<arrow::csv::TableReader> MakeReader(const CsvInput& input, std::shared_ptr<CsvStream> stream,
                                                    int32_t block, bool threads) {
  auto read = arrow::csv::ReadOptions::Defaults();
  read.use_threads = threads;
  read.block_size = block;
  auto parse = arrow::csv::ParseOptions::Defaults();
  parse.delimiter = input.header.delimiter;
  parse.newlines_in_values = true;
  parse.ignore_empty_lines = input.header.names.size() > 1;
  auto convert = arrow::csv::ConvertOptions::Defaults();
  convert.check_utf8 = false;  // the stream does
  convert.strings_can_be_null = false;
  const auto type = arrow::dictionary(arrow::int32(), arrow::utf8());
  for (size_t i = 0; i < input.wanted.size(); ++i) {
    // Names of our own, since Arrow knows columns by name and any name may be in the file.
    const std::string name = std::to_string(i);
    read.column_names.push_back(name);
    convert.column_types[name] = type;
    if (input.wanted[i]) convert.include_columns.push_back(name);
  }
  auto made = arrow::csv::TableReader::Make(arrow::io::default_io_context(), std::move(stream), read, parse, convert);
  TADA_ASSERT(made.ok());
  return *made;
}

// The chunks of the wanted columns; none at all when there are no rows.
Result<std::vector<arrow::ArrayVector>> ReadChunks(CsvInput& input, const Workers& workers, Progress& progress) {
  arrow::Status refused;
  for (int64_t block = kFirstBlock; block <= kLargestBlock; block *= 32) {
    progress.Begin("read", input.source->stored_size());
    TADA_CHECK_OK(SkipTo(*input.source, input.header.body_offset));
    const auto stream = std::make_shared<CsvStream>(*input.source, input.header.delimiter, workers, progress);
    const auto reader = MakeReader(input, stream, static_cast<int32_t>(block), workers.threads() > 1);
    auto table = reader->Read();
    stream->Detach();
    workers.Poll();
    if (!stream->failure().ok()) return stream->failure().error();
    const auto num_wanted = static_cast<size_t>(std::count(input.wanted.begin(), input.wanted.end(), true));
    if (stream->was_empty() && !stream->is_suspect()) return std::vector<arrow::ArrayVector>(num_wanted);
    if (!table.ok() || stream->is_suspect()) {
      if (auto error = DiagnoseCsv(*input.source, input.name, input.header)) return *std::move(error);
    }
    if (table.ok()) {
      std::vector<arrow::ArrayVector> chunks;
      for (const auto& column : (*table)->columns()) chunks.push_back(column->chunks());
      return chunks;
    }
    refused = table.status();  // all is well with the file, so a line may be longer than a block: try a larger one
  }
  return DataError("{}: cannot be read as CSV: {}", input.name, refused.message());
}

// Numbers the texts of one chunk and appends its rows.
void AddChunk(const arrow::Array& array, ColumnBuilder& builder) {
  const auto& chunk = static_cast<const arrow::DictionaryArray&>(array);
  const auto& texts = static_cast<const arrow::StringArray&>(*chunk.dictionary());
  std::vector<uint32_t> numbers(static_cast<size_t>(texts.length()));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = builder.Intern(texts.GetView(static_cast<int64_t>(i)));
  const int32_t* indices = static_cast<const arrow::Int32Array&>(*chunk.indices()).raw_values();
  const std::span<uint32_t> rows = builder.Extend(static_cast<size_t>(chunk.length()));
  for (size_t row = 0; row < rows.size(); ++row) rows[row] = numbers[static_cast<size_t>(indices[row])];
}

}  // namespace

Result<TableFile> ReadCsv(const std::string& path, Format format, const ReadOptions& options, const Workers& workers,
                          Progress& progress) {
  CsvInput input{.name = InputName(path), .source = nullptr, .header = {}, .wanted = {}};
  TADA_TRY(source, OpenBytes(path, format));
  input.source = std::move(source);
  TADA_TRY(header, ReadCsvHeader(*input.source, input.name, options.delimiter));
  input.header = std::move(header);
  TADA_TRY(wanted, WantedColumns(input.header.names, options, input.name));
  input.wanted = std::move(wanted);

  std::vector<ColumnBuilder> builders;
  for (size_t i = 0; i < input.wanted.size(); ++i) {
    const std::string& name = input.header.names[i];
    if (input.wanted[i]) builders.emplace_back(name, OptionsOf(name, options));
  }
  if (!builders.empty()) {
    if (workers.threads() > 1) TADA_ASSERT(arrow::SetCpuThreadPoolCapacity(workers.threads()).ok());
    TADA_TRY(columns, ReadChunks(input, workers, progress));
    TADA_CHECK_OK(input.source->CheckUnchanged());
    workers.For(builders.size(), [&](size_t i) {
      size_t rows = 0;
      for (const auto& chunk : columns[i]) rows += static_cast<size_t>(chunk->length());
      builders[i].Reserve(rows);
      for (std::shared_ptr<arrow::Array>& chunk : columns[i]) {
        AddChunk(*chunk, builders[i]);
        chunk.reset();  // memory: a chunk goes as soon as its rows are in the builder
      }
    });
    columns.clear();
    arrow::default_memory_pool()->ReleaseUnused();
  }
  TADA_TRY(table, FinishColumns(std::move(builders), workers));
  TableFile file;
  file.table = std::move(table);
  file.all_columns = std::move(input.header.names);
  file.format = FormatName(format);
  file.delimiter = input.header.delimiter;
  file.bytes = input.source->stored_size();
  return file;
}

}  // namespace tada
