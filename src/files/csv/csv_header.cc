#include "files/csv/csv_header.h"

#include <algorithm>
#include <unordered_set>

#include "base/option_mark.h"
#include "files/csv/csv_machine.h"
#include "files/utf8.h"

namespace tada {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";  // the byte order mark of UTF-8
constexpr size_t kFirstBytes = 1 << 16;
constexpr size_t kMostHeaderBytes = 1 << 26;
constexpr size_t kSniffedRecords = 20;

// Counts the cells of the first records.
class CellCounts final : public CsvEvents {
 public:
  void OnByte(char) override {}
  void OnCell() override { ++cells_; }
  bool OnRecord(uint64_t, bool blank) override {
    if (!blank) counts.push_back(cells_);
    cells_ = 0;
    return counts.size() < kSniffedRecords;
  }
  std::vector<size_t> counts;

 private:
  size_t cells_ = 0;
};

// Collects the cells of the first record.
class FirstRecord final : public CsvEvents {
 public:
  void OnByte(char byte) override { cell_ += byte; }
  void OnCell() override {
    cells.push_back(std::move(cell_));
    cell_.clear();
  }
  bool OnRecord(uint64_t, bool is_blank) override {
    blank = is_blank;
    ended = true;
    return false;
  }
  std::vector<std::string> cells;
  bool blank = false;
  bool ended = false;

 private:
  std::string cell_;
};

// Reads on until `bytes` holds `count` bytes; false when the source ends before.
Result<bool> FillUpTo(ByteSource& source, std::string& bytes, size_t count) {
  size_t used = bytes.size();
  bytes.resize(count);
  while (used < count) {
    TADA_TRY(got, source.Read(bytes.data() + used, count - used));
    if (got == 0) break;
    used += got;
  }
  bytes.resize(used);
  return used == count;
}

Status CheckNames(const std::vector<std::string>& names, const std::string& file) {
  std::unordered_set<std::string_view> seen;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!IsUtf8(names[i])) {
      return DataError("{}, line 1, column {}: the column's name is not UTF-8", file, i + 1).WithHint(kNotUtf8Hint);
    }
    if (names[i].find('\0') != std::string::npos) {
      return DataError("{}, line 1, column {}: the column's name holds a zero byte; is this text?", file, i + 1)
          .WithHint(kNotUtf8Hint);
    }
    if (!seen.insert(names[i]).second) {
      return DataError("{}, line 1, column {}: two columns have the name '{}'", file, i + 1, names[i])
          .WithHint("Rename one of them in the header.");
    }
  }
  return Ok();
}

}  // namespace

char SniffDelimiter(std::string_view bytes, bool whole) {
  char best = ',', widest = ',';
  size_t best_cells = 1, widest_cells = 1;
  for (const char candidate : {',', ';', '\t', '|'}) {
    CellCounts cells;
    CsvMachine machine(candidate, cells);
    machine.Feed(bytes);
    if (whole) machine.Finish();
    if (cells.counts.empty()) continue;
    const size_t first = cells.counts.front();
    const bool even = std::all_of(cells.counts.begin(), cells.counts.end(), [&](size_t n) { return n == first; });
    if (even && first > best_cells) {
      best = candidate;
      best_cells = first;
    }
    if (first > widest_cells) {
      widest = candidate;
      widest_cells = first;
    }
  }
  return best_cells > 1 ? best : widest;
}

Result<CsvHeader> ReadCsvHeader(ByteSource& source, const std::string& name, std::optional<char> delimiter) {
  if (delimiter && (*delimiter == '"' || *delimiter == '\n' || *delimiter == '\r' || *delimiter == '\0' ||
                    static_cast<unsigned char>(*delimiter) > 127)) {
    return InvalidArgument(
               "Delimiter cannot be a quote, a line end or a byte that is not ASCII: " TADA_OPTION("delimiter"))
        .WithHint("Use , ; | or a tab.");
  }
  CsvHeader header;
  std::string bytes;
  for (size_t want = kFirstBytes;; want *= 4) {
    TADA_TRY(more, FillUpTo(source, bytes, want));
    const bool marked = bytes.starts_with(kMark);
    const std::string_view text = std::string_view(bytes).substr(marked ? kMark.size() : 0);
    if (text.empty()) return DataError("{}: the file is empty", name).WithHint("The first line must name the columns.");
    header.delimiter = delimiter.value_or(SniffDelimiter(text, !more));
    FirstRecord first;
    CsvMachine machine(header.delimiter, first);
    const size_t taken = machine.Feed(text);
    if (!more) {
      if (machine.in_quotes()) {
        return DataError("{}, line {}, column {}: a quote is opened here and never closed", name, machine.quote_line(),
                         first.cells.size() + 1)
            .WithHint("Close the quote, or double it if it is part of the text.");
      }
      machine.Finish();
    }
    // The end of a line may be in two halves, the second not read yet: then look again with more bytes.
    if (!first.ended || (more && taken == text.size())) {
      if (want >= kMostHeaderBytes) return DataError("{}, line 1: the header does not end; is this a CSV file?", name);
      continue;
    }
    if (first.blank)
      return DataError("{}, line 1: the header is blank", name).WithHint("The first line must name the columns.");
    header.names = std::move(first.cells);
    header.body_offset = taken + (marked ? kMark.size() : 0);
    header.body_line = machine.line();
    TADA_CHECK_OK(CheckNames(header.names, name));
    return header;
  }
}

}  // namespace tada
