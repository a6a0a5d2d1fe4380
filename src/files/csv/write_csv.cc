// CSV, written in blocks of rows: blocks are formatted (and packed) in parallel and written in order, a few at a time,
// so that the bytes do not depend on the threads and memory stays small whatever the table.

#include <zlib.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "base/fault.h"
#include "files/csv/formula_guard.h"
#include "files/packing.h"
#include "files/write_parts.h"

namespace tada {
namespace {

constexpr size_t kBlockRows = 1 << 14;
constexpr size_t kBatchRows = 32;

// The only column of a table, `alone`: empty cells are quoted, for a blank line would look like no row, and so is every character that
// might be taken for the delimiter, for there is none.
bool NeedsQuotes(std::string_view text, char delimiter, bool alone) {
  if (alone)
    return text.empty() || text.find_first_of(",;\t|\"\n\r") != std::string_view::npos ||
           text.find(delimiter) != std::string_view::npos;
  return std::any_of(text.begin(), text.end(),
                     [&](char c) { return c == delimiter || c == '"' || c == '\n' || c == '\r'; });
}

void AppendQuoted(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void AppendField(std::string_view text, char delimiter, bool alone, std::string& out) {
  if (NeedsQuotes(text, delimiter, alone)) {
    AppendQuoted(text, out);
  } else {
    out += text;
  }
}

// What one released column shows. Recoded cells are few and kept as they will be written; a column that is not recoded
// may have as many values as rows, so its texts stay where they are and only those that need quotes are known.
class ColumnTexts {
 public:
  ColumnTexts(const Release& release, const ReleasedColumn& released, const WriteOptions& options, bool alone)
      : released_(released), column_(release.table->column(released.source)) {
    const auto guard = [&](std::string_view text) { return options.guard_formulas && IsGuarded(text) ? "'" : ""; };
    if (released.recoded) {
      for (const std::string& text : CellTexts(column_, released, options.cells)) {
        AppendField(guard(text) + text, options.delimiter, alone, cells_.emplace_back());
      }
      return;
    }
    quoted_.resize(column_.num_codes());
    for (Code code = 0; code < column_.num_codes(); ++code) {
      const std::string_view text = column_.text(code);
      quoted_[code] = NeedsQuotes(text, options.delimiter, alone) ? kQuoted : kAsItIs;
      if (*guard(text) != '\0') quoted_[code] |= kGuarded;
    }
  }

  /// A cell as it will be written; what has to be made for that goes to `made`.
  std::string_view Written(uint32_t index, std::deque<std::string>& made) const {
    if (released_.recoded) return cells_[index];
    if (quoted_[index] == kAsItIs) return column_.text(index);
    const std::string text = ((quoted_[index] & kGuarded) != 0 ? "'" : "") + std::string(column_.text(index));
    std::string& written = made.emplace_back();
    (quoted_[index] & kQuoted) != 0 ? AppendQuoted(text, written) : void(written = text);
    return written;
  }
  const ReleasedColumn& released() const { return released_; }

 private:
  const ReleasedColumn& released_;
  const Column& column_;
  static constexpr uint8_t kAsItIs = 0, kQuoted = 1, kGuarded = 2;
  std::vector<std::string> cells_;
  std::vector<uint8_t> quoted_;  // by code
};

std::string HeaderLine(const Release& release, char delimiter) {
  std::string line;
  for (const ReleasedColumn& released : release.columns) {
    if (&released != &release.columns.front()) line += delimiter;
    AppendField(release.table->column(released.source).name(), delimiter, release.columns.size() == 1, line);
  }
  return line + '\n';
}

// Rows lie in the order of the release, which is no order: nearly every text is at a place that no cache holds. All texts
// of a batch are looked up and asked for before the first is copied, so that the waits overlap.
std::string FormatRows(const Release& release, const std::vector<ColumnTexts>& columns, char delimiter, size_t begin,
                       size_t end) {
  const size_t rows = end - begin, width = columns.size();
  std::vector<uint32_t> indices(rows * width);
  for (size_t c = 0; c < width; ++c) {
    CellIndices(release, columns[c].released(), begin, std::span(indices).subspan(c * rows, rows));
  }
  if (TADA_FAULT("write-cell") && rows > 1) std::swap(indices[0], indices[rows - 1]);
  if (TADA_FAULT("write-value") && rows > 1) std::swap(indices[(width - 1) * rows], indices[width * rows - 1]);
  if (TADA_FAULT("write-twice") && rows > 1) {
    for (size_t c = 0; c < width; ++c) indices[c * rows] = indices[(c + 1) * rows - 1];
  }
  std::string out;
  out.reserve(rows * width * 12);
  std::vector<std::string_view> texts(kBatchRows * width);
  std::deque<std::string> made;
  for (size_t first = 0; first < rows; first += kBatchRows) {
    const size_t count = std::min(kBatchRows, rows - first);
    size_t length = count * width;
    made.clear();
    for (size_t c = 0; c < width; ++c) {
      for (size_t i = 0; i < count; ++i) {
        std::string_view& text = texts[i * width + c];
        text = columns[c].Written(indices[c * rows + first + i], made);
        __builtin_prefetch(text.data());
        length += text.size();
      }
    }
    const size_t written = out.size();
    out.resize(written + length);
    char* at = out.data() + written;
    for (size_t i = 0; i < count * width; i += width) {
      for (size_t c = 0; c < width; ++c) {
        at = std::copy(texts[i + c].begin(), texts[i + c].end(), at);
        *at++ = delimiter;
      }
      at[-1] = '\n';
    }
  }
  if (TADA_FAULT("write-drop") && begin == 0) out.erase(out.rfind('\n', out.size() - 2) + 1);
  return out;
}

// A piece of a packed file: packed on its own and ended at a byte, so that pieces of one stream can be packed in
// parallel. What is not gzip is packed into members, one after the other.
struct Piece {
  std::string bytes;
  uLong checksum = 0;
  size_t length = 0;  // before packing
};

Piece Pack(std::string text, Packing packing) {
  Piece piece;
  piece.length = text.size();
  if (packing != Packing::kGzip) {
    piece.bytes = packing == Packing::kNone ? std::move(text) : PackMember(text, packing);
    return piece;
  }
  piece.checksum = crc32_z(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(text.data()), text.size());
  z_stream stream{};
  TADA_ASSERT(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  constexpr size_t kMost = 1 << 30;  // zlib counts in 32 bits
  size_t given = 0, taken = 0;
  do {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<uInt>(std::min(kMost, text.size() - given));
      given += stream.avail_in;
    }
    piece.bytes.resize(taken + std::clamp<size_t>(stream.avail_in / 3, 1 << 10, kMost));
    stream.next_out = reinterpret_cast<Bytef*>(piece.bytes.data() + taken);
    stream.avail_out = static_cast<uInt>(piece.bytes.size() - taken);
    const int code = deflate(&stream, given == text.size() ? Z_SYNC_FLUSH : Z_NO_FLUSH);
    TADA_ASSERT(code == Z_OK || code == Z_BUF_ERROR);
    taken = piece.bytes.size() - stream.avail_out;
  } while (stream.avail_out == 0 || given < text.size());
  piece.bytes.resize(taken);
  deflateEnd(&stream);
  return piece;
}

// Writes pieces in order; for gzip a header without time stamp or name before, and checksum and length behind them.
class PieceWriter {
 public:
  PieceWriter(PendingFile& file, Packing packing) : file_(file), gzip_(packing == Packing::kGzip) {}

  Status Begin() {
    return gzip_ ? file_.Write(std::string_view("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", 10)) : Ok();
  }
  Status Add(const Piece& piece) {
    checksum_ = crc32_combine(checksum_, piece.checksum, static_cast<z_off_t>(piece.length));
    length_ += piece.length;
    return file_.Write(piece.bytes);
  }
  Status End() {
    if (!gzip_) return Ok();
    std::string end("\x03\x00", 2);  // an empty last block
    for (const uint64_t word : {static_cast<uint64_t>(checksum_), length_}) {
      for (int shift = 0; shift < 32; shift += 8) end += static_cast<char>(word >> shift & 0xFF);
    }
    return file_.Write(end);
  }

 private:
  PendingFile& file_;
  bool gzip_;
  uLong checksum_ = crc32(0, nullptr, 0);
  uint64_t length_ = 0;
};

}  // namespace

Status WriteCsv(const Release& release, const WriteOptions& options, Packing packing, const Workers& workers,
                Progress& progress, PendingFile& file) {
  const char delimiter = options.delimiter;
  if (!HasPacking(packing)) {
    return InvalidArgument("This build cannot pack {}", PackingName(packing)).WithHint("Write .csv or .csv.gz.");
  }
  std::vector<std::optional<ColumnTexts>> made(release.columns.size());
  workers.For(made.size(),
              [&](size_t i) { made[i].emplace(release, release.columns[i], options, release.columns.size() == 1); });
  std::vector<ColumnTexts> columns;
  columns.reserve(made.size());
  for (auto& texts : made) columns.push_back(*std::move(texts));

  PieceWriter writer(file, packing);
  TADA_CHECK_OK(writer.Begin());
  TADA_CHECK_OK(writer.Add(Pack(HeaderLine(release, delimiter), packing)));
  const size_t rows = release.row_order.size();
  const size_t wave = kBlockRows * static_cast<size_t>(workers.threads()) * 4;
  for (size_t begin = 0; begin < rows; begin += wave) {
    const size_t count = std::min(wave, rows - begin);
    std::vector<Piece> pieces((count + kBlockRows - 1) / kBlockRows);
    workers.ForBlocks(count, kBlockRows, [&](size_t from, size_t to) {
      pieces[from / kBlockRows] = Pack(FormatRows(release, columns, delimiter, begin + from, begin + to), packing);
    });
    for (const Piece& piece : pieces) TADA_CHECK_OK(writer.Add(piece));
    progress.Advance(count);
  }
  return writer.End();
}

}  // namespace tada
