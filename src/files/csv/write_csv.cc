// CSV, written in blocks of rows: blocks are formatted (and packed) in parallel and written in order, a few at a time,
// so that the bytes do not depend on the threads and memory stays small whatever the table.

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

  /// A recoded cell as it will be written.
  std::string_view Recoded(uint32_t cell) const { return cells_[cell]; }
  /// A value of a column that is not recoded, as it will be written; what has to be made for that goes to `made`.
  std::string_view Own(uint32_t index, std::deque<std::string>& made) const {
    if (quoted_[index] == kAsItIs) return column_.text(index);
    std::string text((quoted_[index] & kGuarded) != 0 ? 1 : 0, '\'');
    text += column_.text(index);
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

// A line of the release, in which what a group shows is the same in all of its rows. `shown` is that: pieces of a line, one
// before each column whose rows show values of their own, and one behind the last of them.
class LineOfGroup {
 public:
  LineOfGroup(const std::vector<ColumnTexts>& columns, char delimiter) : columns_(columns), delimiter_(delimiter) {}

  /// What is written next are rows of a group. Their first cell is that of the group `first`: another one only if a fault is seeded.
  void Show(GroupId group, GroupId first) {
    if (group == group_ && first == first_) return;
    group_ = group;
    first_ = first;
    shown_.clear();
    ends_.clear();
    for (size_t c = 0; c < columns_.size(); ++c) {
      const ReleasedColumn& released = columns_[c].released();
      if (released.recoded) {
        shown_ += columns_[c].Recoded(released.cell_of_group[c == 0 ? first : group]);
      } else {
        ends_.push_back(shown_.size());
      }
      shown_ += c + 1 < columns_.size() ? delimiter_ : '\n';
    }
    ends_.push_back(shown_.size());
  }
  size_t size() const { return shown_.size(); }

  /// Appends a line; `own` are the texts of the row.
  char* Write(std::span<const std::string_view> own, char* at) const {
    size_t begin = 0;
    for (size_t i = 0; i < own.size(); ++i) {
      at = std::copy(shown_.data() + begin, shown_.data() + ends_[i], at);
      at = std::copy(own[i].begin(), own[i].end(), at);
      begin = ends_[i];
    }
    return std::copy(shown_.data() + begin, shown_.data() + ends_.back(), at);
  }

 private:
  const std::vector<ColumnTexts>& columns_;
  char delimiter_;
  std::string shown_;
  std::vector<size_t> ends_;  // of the pieces
  std::optional<GroupId> group_, first_;
};

// What the rows of a block show: the groups whose cells they have, and, column by column, the codes of their own values.
struct BlockRows {
  std::vector<GroupId> groups;
  std::vector<std::vector<uint32_t>> own;
  size_t size() const { return groups.size(); }
};

BlockRows LookUp(const Release& release, const std::vector<const ColumnTexts*>& own, size_t begin, size_t end) {
  BlockRows rows{std::vector<GroupId>(end - begin), {}};
  if (own.size() < release.columns.size()) {  // a table that is written as it is has no groups
    for (size_t i = begin; i < end; ++i) rows.groups[i - begin] = release.group_of_row[release.row_order[i]];
  }
  for (const ColumnTexts* column : own) {
    CellIndices(release, column->released(), begin, rows.own.emplace_back(end - begin));
  }
  if (rows.size() < 2) return rows;
  const auto swap_ends = [](std::vector<uint32_t>& of_row) { std::swap(of_row.front(), of_row.back()); };
  if (TADA_FAULT("write-value") && !own.empty()) swap_ends(rows.own.back());
  if (TADA_FAULT("write-twice")) {
    rows.groups.front() = rows.groups.back();
    for (std::vector<uint32_t>& of_row : rows.own) of_row.front() = of_row.back();
  }
  return rows;
}

// Rows lie in the order of the release, which is no order: nearly every text of their own is at a place that no cache holds.
// All those of a batch are looked up and asked for before the first is copied, so that the waits overlap.
std::string FormatRows(const Release& release, const std::vector<ColumnTexts>& columns, char delimiter, size_t begin,
                       size_t end) {
  std::vector<const ColumnTexts*> own;
  for (const ColumnTexts& column : columns) {
    if (!column.released().recoded) own.push_back(&column);
  }
  const BlockRows rows = LookUp(release, own, begin, end);
  const size_t width = own.size();
  LineOfGroup line(columns, delimiter);
  std::vector<std::string_view> texts(kBatchRows * width);
  std::deque<std::string> made;
  std::string out;
  out.reserve(rows.size() * columns.size() * 13);
  for (size_t first = 0; first < rows.size(); first += kBatchRows) {
    const size_t count = std::min(kBatchRows, rows.size() - first);
    made.clear();
    for (size_t c = 0; c < width; ++c) {
      for (size_t i = 0; i < count; ++i) {
        std::string_view& text = texts[i * width + c];
        text = own[c]->Own(rows.own[c][first + i], made);
        __builtin_prefetch(text.data());
      }
    }
    for (size_t i = 0; i < count; ++i) {
      const size_t row = first + i;
      const bool ends = row == 0 || row + 1 == rows.size();
      const GroupId group = rows.groups[row];
      line.Show(group, TADA_FAULT("write-cell") && ends ? rows.groups[rows.size() - 1 - row] : group);
      const auto own_texts = std::span(texts).subspan(i * width, width);
      size_t length = line.size();
      for (const std::string_view text : own_texts) length += text.size();
      const size_t written = out.size();
      out.resize(written + length);
      line.Write(own_texts, out.data() + written);
    }
  }
  if (TADA_FAULT("write-drop") && begin == 0) out.erase(out.rfind('\n', out.size() - 2) + 1);
  return out;
}

// Packed pieces are members of the packed file, each by itself, so that they can be packed in parallel.
std::string Pack(std::string text, Packing packing) {
  return packing == Packing::kNone ? std::move(text) : PackMember(text, packing);
}

Status WriteAll(const std::vector<std::string>& pieces, PendingFile& file) {
  for (const std::string& piece : pieces) TADA_CHECK_OK(file.Write(piece));
  return Ok();
}

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

  TADA_CHECK_OK(file.Write(Pack(HeaderLine(release, delimiter), packing)));
  const size_t rows = release.row_order.size();
  const size_t wave = kBlockRows * static_cast<size_t>(workers.threads()) * 2;
  std::vector<std::string> pieces, next;  // those of a wave are written while the next ones are made
  for (size_t begin = 0; begin < rows || !pieces.empty(); begin += wave) {
    const size_t count = begin < rows ? std::min(wave, rows - begin) : 0;
    next.resize((count + kBlockRows - 1) / kBlockRows);
    Status writing;
    workers.For(next.size() + 1, [&](size_t i) {
      if (i == 0) {
        writing = WriteAll(pieces, file);
        return;
      }
      const size_t from = begin + (i - 1) * kBlockRows, to = std::min(from + kBlockRows, begin + count);
      next[i - 1] = Pack(FormatRows(release, columns, delimiter, from, to), packing);
    });
    TADA_CHECK_OK(std::move(writing));
    progress.Advance(count);
    pieces.swap(next);
    next.clear();
  }
  return Ok();
}

}  // namespace tada
