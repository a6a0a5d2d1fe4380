#pragma once

// The rows of one block of CSV, cut into cells by column, ready to be numbered.
//   tile   a few rows of all wanted columns: the cells of a column side by side, so that each column is walked through
//          on its own, and those of a row not far from each other, so that cutting stays in the cache.

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "files/csv/csv_scanner.h"
#include "table/text_key.h"

namespace tada {

/// How cells are told apart, and which are kept.
struct CsvShape {
  char delimiter = ',';
  std::vector<bool> wanted;  ///< a bit for each column of the file
  MaskBytes* mask_bytes = FastestMaskBytes();
};

class CsvRows {
 public:
  enum class State {
    kWhole,     ///< every record is a row, or blank
    kInQuotes,  ///< a quote is open at the end; whole records before it are there
    kRefused,   ///< a record has too few or too many cells, or one that is not UTF-8
  };

  /// What is to be cut, and afterwards what the cells are pieces of. Kept from block to block, for its memory.
  std::string& bytes() { return bytes_; }
  std::string_view bytes() const { return bytes_; }
  /// The bytes that were cut.
  std::string_view cut_bytes() const { return bytes().substr(0, size_); }

  /// Cuts the bytes, which begin at the first byte of a record. The last record may lack its line end.
  State Cut(const CsvShape& shape);

  State state() const { return state_; }
  size_t num_rows() const { return num_rows_; }
  /// How many bytes the whole records have.
  size_t num_taken() const { return taken_; }
  /// Calls visit(cells) for a wanted column, counted from 0 on, with its cells in the order of rows.
  template <class Visit>
  void VisitColumn(size_t column, const Visit& visit) const {
    for (size_t first = 0; first < num_rows_; first += tile_rows_) {
      const TextKey* const cells = tiles_[first / tile_rows_].get() + column * tile_rows_;
      visit(std::span(cells, std::min(tile_rows_, num_rows_ - first)));
    }
  }

 private:
  void Begin(const CsvShape& shape);
  bool TakeEnds(std::span<const uint32_t> ends, const CsvShape& shape, const CsvScanner& scanner);
  bool TakeRest(bool check_utf8);
  bool IsUtf8Cell(const TextKey& cell) const;
  TextKey KeyOf(size_t begin, size_t size) const;
  TextKey Cell(size_t begin, size_t end);
  TextKey Unquoted(size_t begin, size_t end);
  TextKey* Tile();

  std::string bytes_;  // of the block, and behind them texts whose doubled quotes are one
  size_t size_ = 0;    // of the block
  State state_ = State::kWhole;
  size_t tile_rows_ = 1;
  std::vector<std::unique_ptr<TextKey[]>> tiles_;
  size_t tile_cells_ = 0;       // that a tile has room for
  std::vector<size_t> places_;  // of each column's first cell in a tile; unwanted ones share one behind the others
  TextKey* row_ = nullptr;      // the first cell of the row that is cut
  size_t num_rows_ = 0;
  size_t taken_ = 0;
  size_t begin_ = 0;   // of the cell that is cut
  size_t column_ = 0;  // and its column
};

}  // namespace tada
