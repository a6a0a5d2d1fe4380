// Parquet files: the different cells of each column, and the rows of a row group as runs of cells.

#include <parquet/exception.h>

#include <algorithm>

#include "files/arrow/pages/parquet_file.h"
#include "files/arrow/pending_stream.h"
#include "files/arrow/typed_cells.h"
#include "files/write_parts.h"

namespace tada {
namespace {

constexpr size_t kGroupRows = 1 << 20;  // of a row group

arrow::Result<ParquetFile::Column> MakeColumn(const Release& release, const ReleasedColumn& column, CellForm form) {
  ARROW_ASSIGN_OR_RAISE(const DistinctCells cells, MakeDistinctCells(*release.table, column, form));
  ParquetFile::Column made;
  made.field = arrow::field(release.table->column(column.source).name(), cells.type);
  ARROW_ASSIGN_OR_RAISE(made.leaves, LeavesOf(cells.cells, !column.recoded));
  return made;
}

arrow::Result<std::vector<ParquetFile::Column>> MakeColumns(const Release& release, CellForm form,
                                                            const Workers& workers) {
  std::vector<ParquetFile::Column> columns(release.columns.size());
  std::vector<arrow::Status> failed(columns.size());
  workers.For(columns.size(),
              [&](size_t i) { failed[i] = MakeColumn(release, release.columns[i], form).Value(&columns[i]); });
  for (const arrow::Status& status : failed) ARROW_RETURN_NOT_OK(status);
  return columns;
}

void AddRun(uint32_t cell, uint32_t rows, std::vector<CellRun>& runs) {
  if (!runs.empty() && runs.back().cell == cell) {
    runs.back().rows += rows;
  } else {
    runs.push_back({cell, rows});
  }
}

// Positions [begin, end) by their groups. Where no column is recoded nobody asks for them, and there may be none.
std::vector<CellRun> RunsOfGroups(const Release& release, size_t begin, size_t end) {
  std::vector<CellRun> runs;
  if (std::ranges::none_of(release.columns, &ReleasedColumn::recoded)) return runs;
  for (size_t i = begin; i < end; ++i) AddRun(release.group_of_row[release.row_order[i]], 1, runs);
  return runs;
}

// The same by the cells of a column.
std::vector<CellRun> RunsOfCells(const Release& release, const ReleasedColumn& column, size_t begin, size_t end,
                                 std::span<const CellRun> groups) {
  std::vector<CellRun> runs;
  if (column.recoded) {
    for (const CellRun& group : groups) AddRun(column.cell_of_group[group.cell], group.rows, runs);
    return runs;
  }
  std::vector<uint32_t> cells(end - begin);
  CellIndices(release, column, begin, cells);
  for (const uint32_t cell : cells) AddRun(cell, 1, runs);
  return runs;
}

arrow::Status WriteTo(std::shared_ptr<PendingStream> stream, const Release& release, CellForm form,
                      const Workers& workers, Progress& progress) {
  BEGIN_PARQUET_CATCH_EXCEPTIONS
  ARROW_ASSIGN_OR_RAISE(auto columns, MakeColumns(release, form, workers));
  ARROW_ASSIGN_OR_RAISE(ParquetFile file, ParquetFile::Open(std::move(stream), std::move(columns)));
  const size_t rows = release.row_order.size();
  for (size_t begin = 0; begin < rows; begin += kGroupRows) {
    const size_t end = std::min(rows, begin + kGroupRows);
    const std::vector<CellRun> groups = RunsOfGroups(release, begin, end);
    const auto runs_of = [&](size_t i) { return RunsOfCells(release, release.columns[i], begin, end, groups); };
    ARROW_RETURN_NOT_OK(file.Write(end - begin, runs_of, workers));
    progress.Advance(end - begin);
  }
  file.Close();
  END_PARQUET_CATCH_EXCEPTIONS
  return arrow::Status::OK();
}

}  // namespace

Status WriteParquet(const Release& release, CellForm cells, const Workers& workers, Progress& progress,
                    PendingFile& file) {
  const auto stream = std::make_shared<PendingStream>(file);
  return stream->Outcome(WriteTo(stream, release, cells, workers, progress));
}

}  // namespace tada
