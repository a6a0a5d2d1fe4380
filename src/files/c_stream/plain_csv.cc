// CSV without Arrow C++: the exact machine (files/csv/csv_machine.h) feeds the columns. Slower than Arrow's reader by several times,
// and the same cells, errors and lines.

#include "files/csv/csv_diagnose.h"
#include "files/csv/csv_header.h"
#include "files/csv/csv_machine.h"
#include "files/read_parts.h"
#include "files/utf8.h"

namespace tada {
namespace {

// Gathers the cells of a record and appends them once it is known to be whole. It stops at anything odd; what that is, is
// said by DiagnoseCsv.
class RowBuilder final : public CsvEvents {
 public:
  RowBuilder(const std::vector<bool>& wanted, std::vector<ColumnBuilder>& builders)
      : wanted_(wanted), builders_(builders), ends_(wanted.size()) {}

  void OnByte(char byte) override { cells_ += byte; }
  void OnCell() override {
    const size_t begin = count_ == 0 || count_ > ends_.size() ? 0 : ends_[count_ - 1];
    valid_ = valid_ && IsUtf8(std::string_view(cells_).substr(begin));
    if (count_ < ends_.size()) ends_[count_] = cells_.size();
    ++count_;
  }
  bool OnRecord(uint64_t, bool blank) override {
    const bool whole = count_ == wanted_.size();
    if (!(blank && wanted_.size() > 1)) {
      if (!whole || !valid_) return false;
      Append();
    }
    cells_.clear();
    count_ = 0;
    return true;
  }

 private:
  void Append() {
    size_t begin = 0, builder = 0;
    for (size_t i = 0; i < wanted_.size(); ++i) {
      if (wanted_[i]) builders_[builder++].AppendText(std::string_view(cells_).substr(begin, ends_[i] - begin));
      begin = ends_[i];
    }
  }

  const std::vector<bool>& wanted_;
  std::vector<ColumnBuilder>& builders_;
  std::string cells_;         // of the record, one after the other
  std::vector<size_t> ends_;  // of each cell
  size_t count_ = 0;
  bool valid_ = true;  // UTF-8, every cell by itself
};

// Feeds what follows the header.
Status FeedRows(ByteSource& source, uint64_t skip, CsvMachine& machine, const Workers& workers, Progress& progress) {
  TADA_CHECK_OK(source.Rewind());
  progress.Begin("read", source.stored_size());
  std::string piece(1 << 18, '\0');
  for (uint64_t told = 0; !machine.stopped();) {
    workers.Poll();
    TADA_TRY(got, source.Read(piece.data(), skip > 0 ? std::min<size_t>(skip, piece.size()) : piece.size()));
    if (got == 0) break;
    if (skip > 0) {
      skip -= got;
    } else {
      machine.Feed(std::string_view(piece).substr(0, got));
    }
    progress.Advance(source.stored_position() - told);
    told = source.stored_position();
  }
  return Ok();
}

}  // namespace

Result<TableFile> ReadCsv(const std::string& path, Format format, const ReadOptions& options, const Workers& workers,
                          Progress& progress) {
  const std::string name = InputName(path);
  TADA_TRY(source, OpenBytes(path, format));
  TADA_TRY(header, ReadCsvHeader(*source, name, options.delimiter));
  TADA_TRY(wanted, WantedColumns(header.names, options, name));
  std::vector<ColumnBuilder> builders;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) builders.emplace_back(header.names[i], OptionsOf(header.names[i], options));
  }
  if (!builders.empty()) {
    RowBuilder rows(wanted, builders);
    CsvMachine machine(header.delimiter, rows);
    TADA_CHECK_OK(FeedRows(*source, header.body_offset, machine, workers, progress));
    const bool open_quote = !machine.stopped() && machine.in_quotes();
    machine.Finish();
    if (open_quote || machine.stopped()) {
      if (auto error = DiagnoseCsv(*source, name, header)) return *std::move(error);
      return DataError("{}: cannot be read as CSV", name);
    }
    TADA_CHECK_OK(source->CheckUnchanged());
  }
  TADA_TRY(table, FinishColumns(std::move(builders), workers));
  TableFile file;
  file.table = std::move(table);
  file.all_columns = std::move(header.names);
  file.format = FormatName(format);
  file.delimiter = header.delimiter;
  file.bytes = source->stored_size();
  return file;
}

}  // namespace tada
