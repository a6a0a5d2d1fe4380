#include "files/csv/csv_rows.h"

#include <algorithm>
#include <cstring>

#include "files/utf8.h"

namespace tada {
namespace {

constexpr size_t kTileRows = 256;

}  // namespace

void CsvRows::Begin(const CsvShape& shape) {
  size_ = bytes_.size();
  const size_t width = shape.wanted.size();
  const size_t most_rows = size_ / width + 1;  // a row has a byte for each of its columns
  const size_t num_wanted = static_cast<size_t>(std::count(shape.wanted.begin(), shape.wanted.end(), true));
  tile_rows_ = std::min(kTileRows, most_rows);
  const size_t cells = (num_wanted + 1) * tile_rows_;
  if (cells > tile_cells_) {
    tiles_.clear();
    tile_cells_ = cells;
  }
  places_.clear();
  for (size_t next = 0; const bool wanted : shape.wanted) {
    places_.push_back((wanted ? next : num_wanted) * tile_rows_);
    next += wanted ? 1 : 0;
  }
  num_rows_ = taken_ = begin_ = column_ = 0;
  row_ = Tile();
}

// The tile of the next row. Tiles are used again by the next block.
TextKey* CsvRows::Tile() {
  const size_t tile = num_rows_ / tile_rows_;
  if (tile == tiles_.size()) tiles_.push_back(std::make_unique_for_overwrite<TextKey[]>(tile_cells_));
  return tiles_[tile].get();
}

TextKey CsvRows::KeyOf(size_t begin, size_t size) const {
  const char* const at = bytes_.data() + begin;
  return {size <= kShortText ? ShortWord(at, size, bytes_.size() - begin) : LongWord(at, size),
          static_cast<uint32_t>(begin), static_cast<uint32_t>(size)};
}

// A cell that begins with a quote. Nearly always its only other quote is its last byte.
TextKey CsvRows::Unquoted(size_t begin, size_t end) {
  const auto closing = [&](size_t from) {
    const void* const found = std::memchr(bytes_.data() + from, '"', end - from);
    return found == nullptr ? end : static_cast<size_t>(static_cast<const char*>(found) - bytes_.data());
  };
  size_t quote = closing(++begin);
  if (quote + 1 >= end) return KeyOf(begin, quote - begin);
  std::string text;
  while (quote + 1 < end && bytes_[quote + 1] == '"') {
    text.append(bytes_, begin, quote + 1 - begin);
    begin = quote + 2;
    quote = closing(begin);
  }
  text.append(bytes_, begin, quote - begin);
  if (quote < end) text.append(bytes_, quote + 1, end - quote - 1);  // taken as it comes
  const size_t made = bytes_.size();
  bytes_ += text;
  return KeyOf(made, text.size());
}

TextKey CsvRows::Cell(size_t begin, size_t end) {
  return begin < end && bytes_[begin] == '"' ? Unquoted(begin, end) : KeyOf(begin, end - begin);
}

bool CsvRows::IsUtf8Cell(const TextKey& cell) const { return IsUtf8(bytes().substr(cell.offset, cell.size)); }

// False if a record is refused. What is used for every cell is kept in variables of its own, not in the object.
bool CsvRows::TakeEnds(std::span<const uint32_t> ends, const CsvShape& shape, const CsvScanner& scanner) {
  // Bytes may be no UTF-8 though the cells are, where quotes part the bytes of a character.
  const bool check_utf8 = !scanner.is_utf8();
  const size_t last = places_.size() - 1, all = size_;
  const size_t* const places = places_.data();
  const char delimiter = shape.delimiter;
  const char* data = bytes_.data();
  size_t begin = begin_, column = column_;
  TextKey* row = row_;
  for (const size_t end : ends) {
    const char byte = data[end];
    const bool at_delimiter = byte == delimiter;
    if (at_delimiter == (column == last)) {
      const bool blank = !at_delimiter && column == 0 && begin == end;
      if (!blank) return false;
    } else {
      const size_t quote = data[begin] == '"' ? 1 : 0;
      const size_t from = begin + quote, size = end - begin - 2 * quote;  // as it is where quotes are plain
      TextKey cell;
      if (quote != 0 && !scanner.IsPlain(begin, end)) {
        cell = Unquoted(begin, end);
        data = bytes_.data();
      } else if (size > kShortText) {
        cell = {LongWord(data + from, size), static_cast<uint32_t>(from), static_cast<uint32_t>(size)};
      } else if (from + kShortText <= all) {
        cell = {ShortWord(data + from, size, kShortText), static_cast<uint32_t>(from), static_cast<uint32_t>(size)};
      } else {
        cell = KeyOf(from, size);
      }
      row[places[column++]] = cell;
      if (check_utf8 && !IsUtf8Cell(cell)) return false;
    }
    begin = end + 1;
    if (at_delimiter) continue;
    if (byte == '\r' && begin < all && data[begin] == '\n') ++begin;
    taken_ = begin;
    if (column == 0) continue;  // blank
    column = 0;
    ++row;
    if (++num_rows_ % tile_rows_ == 0) row = Tile();
  }
  begin_ = begin;
  column_ = column;
  row_ = row;
  return true;
}

// The last record, if its line has no end.
bool CsvRows::TakeRest(bool check_utf8) {
  if (begin_ == size_ && column_ == 0) return true;
  if (column_ + 1 != places_.size()) return false;
  const TextKey cell = Cell(begin_, size_);
  row_[places_[column_]] = cell;
  taken_ = size_;
  ++num_rows_;
  return !check_utf8 || IsUtf8Cell(cell);
}

CsvRows::State CsvRows::Cut(const CsvShape& shape) {
  Begin(shape);
  CsvScanner scanner(shape.delimiter, shape.mask_bytes);
  CsvScanner::Ends ends;
  state_ = State::kRefused;
  while (scanner.at() < size_) {
    const size_t count = scanner.Next(cut_bytes(), ends);
    if (!TakeEnds(std::span(ends).first(count), shape, scanner)) return state_;
  }
  if (scanner.in_quotes()) return state_ = State::kInQuotes;
  if (TakeRest(!scanner.is_utf8())) state_ = State::kWhole;
  return state_;
}

}  // namespace tada
