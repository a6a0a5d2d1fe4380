// CSV, parsed by Arrow. A wave of blocks at a time: its blocks are parsed side by side, while the next ones are read; then the
// columns are numbered side by side, each along the blocks. So memory holds the texts of a few blocks, and every different
// text once, whatever the size of the file.
// Arrow tells neither line nor column of what is wrong, and takes an open quote for closed at the end: see
// csv_diagnose.h.

#include <arrow/csv/options.h>
#include <arrow/csv/parser.h>
#include <arrow/memory_pool.h>

#include <algorithm>
#include <limits>

#include "files/csv/csv_blocks.h"
#include "files/csv/csv_diagnose.h"
#include "files/csv/csv_header.h"
#include "files/read_parts.h"

namespace tada {
namespace {

constexpr size_t kBlocksPerThread = 4;

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

// The blocks of one wave as they are read, and as they are parsed.
struct Wave {
  std::vector<std::string> blocks;
  std::vector<std::unique_ptr<arrow::csv::BlockParser>> parsed;
  std::vector<arrow::Status> refused;
};

Status ReadWave(CsvBlocks& source, size_t count, Wave& wave) {
  wave = {};
  while (wave.blocks.size() < count) {
    TADA_TRY(block, source.Next());
    if (block.empty()) break;
    wave.blocks.push_back(std::move(block));
  }
  wave.parsed.resize(wave.blocks.size());
  wave.refused.resize(wave.blocks.size());
  return Ok();
}

// Every block is parsed as if it were the last: it has whole records, and the last of the file may lack its line end.
void ParseBlock(const CsvInput& input, Wave& wave, size_t index) {
  arrow::csv::ParseOptions options = arrow::csv::ParseOptions::Defaults();
  options.delimiter = input.header.delimiter;
  options.newlines_in_values = true;
  options.ignore_empty_lines = input.header.names.size() > 1;
  // The system's heap uses freed blocks again; Arrow's own returns them and asks for fresh pages, which takes longer.
  wave.parsed[index] = std::make_unique<arrow::csv::BlockParser>(arrow::system_memory_pool(), options,
                                                                 static_cast<int32_t>(input.header.names.size()),
                                                                 /*first_row=*/-1, std::numeric_limits<int32_t>::max());
  uint32_t taken = 0;
  arrow::Status& refused = wave.refused[index];
  refused = wave.parsed[index]->ParseFinal(wave.blocks[index], &taken);
  if (refused.ok() && taken != wave.blocks[index].size()) refused = arrow::Status::Invalid("a record is not complete");
  wave.blocks[index] = {};
}

// Appends a column's rows of one block.
void AddRows(const arrow::csv::BlockParser& block, int32_t column, ColumnBuilder& builder) {
  std::vector<std::string_view> texts;
  texts.reserve(static_cast<size_t>(block.num_rows()));
  const arrow::Status visited = block.VisitColumn(column, [&](const uint8_t* data, uint32_t size, bool, bool) {
    texts.emplace_back(reinterpret_cast<const char*>(data), size);
    return arrow::Status::OK();
  });
  TADA_ASSERT(visited.ok());
  builder.InternAll(texts, builder.Extend(texts.size()));
}

// Room for about as many rows as the file has, by those of its first wave, so that columns need not move while they grow.
void ReserveRows(const CsvInput& input, const Wave& first, std::vector<ColumnBuilder>& builders) {
  uint64_t rows = 0, bytes = 0;
  for (const auto& block : first.parsed) {
    rows += static_cast<uint64_t>(block->num_rows());
    bytes += block->num_bytes() + static_cast<uint64_t>(block->num_rows()) * input.header.names.size();
  }
  const auto expected = static_cast<uint64_t>(static_cast<double>(input.source->stored_size()) /
                                              static_cast<double>(bytes + 1) * static_cast<double>(rows));
  for (ColumnBuilder& builder : builders) builder.Reserve(expected + expected / 16);
}

// Why a file that was read is looked at again.
struct Doubt {
  arrow::Status refused;  // by Arrow's parser
  bool suspect = false;   // by the look of its bytes
};

// Fills the builders of the wanted columns, as far as there is no doubt.
Result<Doubt> ReadBody(CsvInput& input, const Workers& workers, Progress& progress,
                       std::vector<ColumnBuilder>& builders) {
  TADA_CHECK_OK(SkipTo(*input.source, input.header.body_offset));
  CsvBlocks source(*input.source, input.name, input.header.delimiter, workers, progress);
  std::vector<int32_t> columns;
  for (size_t i = 0; i < input.wanted.size(); ++i) {
    if (input.wanted[i]) columns.push_back(static_cast<int32_t>(i));
  }
  const size_t count = kBlocksPerThread * static_cast<size_t>(workers.threads());
  Wave wave, next;
  TADA_CHECK_OK(ReadWave(source, count, wave));
  for (bool first = true; !wave.blocks.empty(); first = false, std::swap(wave, next)) {
    Status reading;
    workers.For(wave.blocks.size() + 1, [&](size_t i) {
      if (i == 0) {
        reading = ReadWave(source, count, next);
      } else {
        ParseBlock(input, wave, i - 1);
      }
    });
    TADA_CHECK_OK(std::move(reading));
    for (const arrow::Status& refused : wave.refused) {
      if (!refused.ok()) return Doubt{refused, false};
    }
    if (first) ReserveRows(input, wave, builders);
    workers.For(builders.size(), [&](size_t i) {
      for (const auto& block : wave.parsed) AddRows(*block, columns[i], builders[i]);
    });
  }
  return Doubt{arrow::Status::OK(), source.is_suspect()};
}

// What is wrong with a doubtful file; a suspect may be innocent.
Status Explain(CsvInput& input, const Doubt& doubt) {
  if (doubt.refused.ok() && !doubt.suspect) return Ok();
  if (auto error = DiagnoseCsv(*input.source, input.name, input.header)) return *std::move(error);
  if (doubt.refused.ok()) return Ok();
  return DataError("{}: cannot be read as CSV: {}", input.name, doubt.refused.message());
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
    progress.Begin("read", input.source->stored_size());
    TADA_TRY(doubt, ReadBody(input, workers, progress, builders));
    TADA_CHECK_OK(Explain(input, doubt));
    TADA_CHECK_OK(input.source->CheckUnchanged());
    arrow::system_memory_pool()->ReleaseUnused();
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
