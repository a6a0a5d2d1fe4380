#include "files/csv/csv_body.h"

#include <algorithm>

namespace tada {
namespace {

constexpr size_t kBlocksPerThread = 8;

// Blocks that are cut at the same time. What is behind `count` waits to be used again.
struct Wave {
  std::vector<CsvRows> blocks;
  size_t count = 0;

  explicit Wave(size_t most) : blocks(most) {}
  std::span<CsvRows> used() { return std::span(blocks).first(count); }
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

Status ReadWave(CsvBlocks& source, Wave& wave) {
  for (wave.count = 0; wave.count < wave.blocks.size(); ++wave.count) {
    std::string& block = wave.blocks[wave.count].bytes();
    TADA_CHECK_OK(source.Next(block));
    if (block.empty()) break;
  }
  return Ok();
}

// A block that ends in quotes was cut at a wrong place: its last record and all that was read behind it are put back.
void PutBack(Wave& wave, size_t wrong, Wave& next, CsvBlocks& source) {
  for (size_t i = next.count; i-- > 0;) source.PutBack(std::move(next.blocks[i].bytes()));
  for (size_t i = wave.count; --i > wrong;) source.PutBack(std::string(wave.blocks[i].cut_bytes()));
  const CsvRows& block = wave.blocks[wrong];
  source.PutBack(std::string(block.cut_bytes().substr(block.num_taken())));
  wave.count = wrong + 1;
  next.count = 0;
}

// Whether the records of a wave are rows of the table. Where quotes hold line ends, the waves may end earlier than they did.
Result<bool> Settle(Wave& wave, Wave& next, CsvBlocks& source) {
  for (size_t i = 0; i < wave.count; ++i) {
    const CsvRows::State state = wave.blocks[i].state();
    if (state == CsvRows::State::kWhole) continue;
    if (state == CsvRows::State::kRefused || source.follows_quotes()) return false;  // the file ends in quotes
    source.FollowQuotes();
    PutBack(wave, i, next, source);
    TADA_CHECK_OK(ReadWave(source, next));
  }
  return true;
}

// Room for about as many rows as the file has, by those of its first wave, so that columns need not move while they grow.
void ReserveRows(Wave& first, uint64_t file_bytes, std::vector<ColumnBuilder>& builders) {
  uint64_t rows = 0, bytes = 0;
  for (const CsvRows& block : first.used()) {
    rows += block.num_rows();
    bytes += block.num_taken();
  }
  const auto expected = static_cast<uint64_t>(static_cast<double>(file_bytes) / static_cast<double>(bytes + 1) *
                                              static_cast<double>(rows));
  for (ColumnBuilder& builder : builders) builder.Reserve(expected + expected / 16);
}

void AddRows(const CsvRows& block, size_t column, ColumnBuilder& builder) {
  block.VisitColumn(column, [&](std::span<const TextKey> cells) {
    builder.InternAll(block.bytes(), cells, builder.Extend(cells.size()));
  });
}

}  // namespace

Result<bool> ReadCsvBody(ByteSource& source, uint64_t offset, const std::string& name, const CsvShape& shape,
                         const Workers& workers, Progress& progress, std::vector<ColumnBuilder>& builders,
                         size_t block) {
  TADA_CHECK_OK(SkipTo(source, offset));
  CsvBlocks blocks(source, name, shape.delimiter, shape.mask_bytes, workers, progress, block);
  const size_t most = kBlocksPerThread * static_cast<size_t>(workers.threads());
  Wave wave(most), next(most);
  TADA_CHECK_OK(ReadWave(blocks, wave));
  for (bool first = true; wave.count > 0; first = false, std::swap(wave, next)) {
    Status reading;
    workers.For(wave.count + 1, [&](size_t i) {
      if (i == 0) {
        reading = ReadWave(blocks, next);
      } else {
        wave.blocks[i - 1].Cut(shape);
      }
    });
    TADA_CHECK_OK(std::move(reading));
    TADA_TRY(settled, Settle(wave, next, blocks));
    if (!settled) return false;
    if (first) ReserveRows(wave, source.stored_size(), builders);
    workers.For(builders.size(), [&](size_t i) {
      for (const CsvRows& rows : wave.used()) AddRows(rows, i, builders[i]);
    });
  }
  return true;
}

}  // namespace tada
