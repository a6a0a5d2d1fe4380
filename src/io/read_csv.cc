// CSV by Arrow's reader. It gives every column as dictionaries of texts, one dictionary a block; each block's texts are
// numbered once and its rows follow by index, so that a text is hashed once a block and not once a row.
// Where blocks end is quick to see as long as no quotes hold a line end. Nearly no file has such quotes, so that is tried
// first; a file that has them is read once more, with its quotes followed from the start.
// Arrow tells neither line nor column of what is wrong, and takes an open quote for closed at the end: see
// csv_diagnose.h.

#include <arrow/array.h>
#include <arrow/chunked_array.h>
#include <arrow/csv/api.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/util/thread_pool.h>

#include <algorithm>
#include <functional>

#include "io/csv_diagnose.h"
#include "io/csv_header.h"
#include "io/csv_stream.h"
#include "io/read_parts.h"

namespace tada {
namespace {

constexpr int32_t kFirstBlock = 1 << 20;
constexpr int64_t kStreamedBlock = 4 << 20;
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

struct ReaderOptions {
  arrow::csv::ReadOptions read = arrow::csv::ReadOptions::Defaults();
  arrow::csv::ParseOptions parse = arrow::csv::ParseOptions::Defaults();
  arrow::csv::ConvertOptions convert = arrow::csv::ConvertOptions::Defaults();
};

ReaderOptions MakeOptions(const CsvInput& input, int32_t block, bool plain_lines, bool threads) {
  ReaderOptions options;
  auto& [read, parse, convert] = options;
  read.use_threads = threads;
  read.block_size = block;
  parse.delimiter = input.header.delimiter;
  parse.newlines_in_values = !plain_lines;
  parse.ignore_empty_lines = input.header.names.size() > 1;
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
  return options;
}

using Take = std::function<void(const arrow::RecordBatch&)>;  // of the wanted columns, in order

// The whole file as chunks of the wanted columns.
arrow::Status ReadWhole(const ReaderOptions& options, const std::shared_ptr<CsvStream>& stream,
                        std::vector<arrow::ArrayVector>& chunks) {
  ARROW_ASSIGN_OR_RAISE(auto reader, arrow::csv::TableReader::Make(arrow::io::IOContext(CsvMemory()), stream,
                                                                   options.read, options.parse, options.convert));
  ARROW_ASSIGN_OR_RAISE(const auto table, reader->Read());
  for (const auto& column : table->columns()) chunks.push_back(column->chunks());
  return arrow::Status::OK();
}

// The same a block after the other, each of which is gone before the next is read.
arrow::Status ReadBlocks(const ReaderOptions& options, const std::shared_ptr<CsvStream>& stream, const Take& take) {
  ARROW_ASSIGN_OR_RAISE(auto reader, arrow::csv::StreamingReader::Make(arrow::io::IOContext(CsvMemory()), stream,
                                                                       options.read, options.parse, options.convert));
  for (;;) {
    std::shared_ptr<arrow::RecordBatch> batch;
    ARROW_RETURN_NOT_OK(reader->ReadNext(&batch));
    if (batch == nullptr) return arrow::Status::OK();
    take(*batch);
  }
}

// The chunks of the wanted columns; none at all when there are no rows, or when `take` got them. `restart` is called before
// the file is read once more.
Result<std::vector<arrow::ArrayVector>> ReadChunks(CsvInput& input, const Workers& workers, Progress& progress,
                                                   const Take& take, const std::function<void()>& restart) {
  arrow::Status refused;
  bool plain_lines = input.header.names.size() > 1;  // a CR LF cut in two makes a blank line, which then means nothing
  for (int64_t block = take ? kStreamedBlock : kFirstBlock; block <= kLargestBlock;) {
    progress.Begin("read", input.source->stored_size());
    TADA_CHECK_OK(SkipTo(*input.source, input.header.body_offset));
    const auto stream =
        std::make_shared<CsvStream>(*input.source, input.header.delimiter, plain_lines, workers, progress);
    const ReaderOptions options = MakeOptions(input, static_cast<int32_t>(block), plain_lines, workers.threads() > 1);
    restart();
    std::vector<arrow::ArrayVector> chunks;
    const arrow::Status read = take ? ReadBlocks(options, stream, take) : ReadWhole(options, stream, chunks);
    stream->Detach();
    workers.Poll();
    if (!stream->failure().ok()) return stream->failure().error();
    if (plain_lines && stream->has_quoted_line_ends()) {
      plain_lines = false;
      continue;
    }
    const auto num_wanted = static_cast<size_t>(std::count(input.wanted.begin(), input.wanted.end(), true));
    if (stream->was_empty() && !stream->is_suspect()) return std::vector<arrow::ArrayVector>(num_wanted);
    if (!read.ok() || stream->is_suspect()) {
      if (auto error = DiagnoseCsv(*input.source, input.name, input.header)) return *std::move(error);
    }
    if (read.ok()) {
      if (take) chunks.resize(num_wanted);
      return chunks;
    }
    refused = read;  // all is well with the file, so a line may be longer than a block: try a larger one
    block *= 32;
  }
  return DataError("{}: cannot be read as CSV: {}", input.name, refused.message());
}

// Numbers the texts of one chunk and appends its rows.
void AddChunk(const arrow::Array& array, ColumnBuilder& builder) {
  const auto& chunk = static_cast<const arrow::DictionaryArray&>(array);
  const auto& texts = static_cast<const arrow::StringArray&>(*chunk.dictionary());
  std::vector<std::string_view> views(static_cast<size_t>(texts.length()));
  for (size_t i = 0; i < views.size(); ++i) views[i] = texts.GetView(static_cast<int64_t>(i));
  std::vector<uint32_t> numbers(views.size());
  builder.InternAll(views, numbers);
  const int32_t* indices = static_cast<const arrow::Int32Array&>(*chunk.indices()).raw_values();
  const std::span<uint32_t> rows = builder.Extend(static_cast<size_t>(chunk.length()));
  for (size_t row = 0; row < rows.size(); ++row) rows[row] = numbers[static_cast<size_t>(indices[row])];
}

// Room for about as many rows as the file has, by its first block, so that columns need not move while they grow.
void ReserveRows(const CsvInput& input, size_t rows_of_block, std::vector<ColumnBuilder>& builders) {
  const uint64_t rows = input.source->stored_size() / kStreamedBlock * rows_of_block;
  for (ColumnBuilder& builder : builders) builder.Reserve(rows + rows / 16);
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
  const auto restart = [&] {
    builders.clear();
    for (size_t i = 0; i < input.wanted.size(); ++i) {
      const std::string& name = input.header.names[i];
      if (input.wanted[i]) builders.emplace_back(name, OptionsOf(name, options));
    }
  };
  restart();
  if (!builders.empty()) {
    if (workers.threads() > 1) TADA_ASSERT(arrow::SetCpuThreadPoolCapacity(workers.threads()).ok());
    Take take;
    if (options.streamed) {
      take = [&](const arrow::RecordBatch& batch) {
        if (builders[0].num_rows() == 0) ReserveRows(input, static_cast<size_t>(batch.num_rows()), builders);
        workers.For(builders.size(), [&](size_t i) { AddChunk(*batch.column(static_cast<int>(i)), builders[i]); });
      };
    }
    TADA_TRY(columns, ReadChunks(input, workers, progress, take, restart));
    TADA_CHECK_OK(input.source->CheckUnchanged());
    workers.For(builders.size(), [&](size_t i) {
      size_t rows = 0;
      for (const auto& chunk : columns[i]) rows += static_cast<size_t>(chunk->length());
      if (rows > 0) builders[i].Reserve(rows);
      for (std::shared_ptr<arrow::Array>& chunk : columns[i]) {
        AddChunk(*chunk, builders[i]);
        chunk.reset();  // memory: a chunk goes as soon as its rows are in the builder
      }
    });
    columns.clear();
    CsvMemory()->ReleaseUnused();
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
