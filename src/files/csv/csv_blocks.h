#pragma once

// The body of a CSV in blocks of whole records, so that blocks can be cut into cells each on its own. A block ends at the
// last line end that was read, on the guess that no quote is open there, which whoever cuts the block finds out: if one
// is, what follows is put back, and from then on quotes are followed from the start of each block.

#include <string>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "files/byte_source.h"
#include "files/csv/csv_masks.h"

namespace tada {

class CsvBlocks {
 public:
  static constexpr size_t kBlock = 1 << 18;

  /// Pre: `source` stands at the first byte of the body. Blocks have about `block` bytes.
  CsvBlocks(ByteSource& source, std::string name, char delimiter, MaskBytes* mask_bytes, const Workers& workers,
            Progress& progress, size_t block = kBlock)
      : source_(source),
        name_(std::move(name)),
        delimiter_(delimiter),
        mask_bytes_(mask_bytes),
        block_(block),
        workers_(workers),
        progress_(progress) {}

  /// Fills `block` with the next records; with nothing at the end. The last record may lack its line end.
  /// kData if a record is longer than can be read.
  Status Next(std::string& block);

  /// Gives back the bytes that were read last, which are then read again.
  void PutBack(std::string bytes) { put_back_.push_back({std::move(bytes), 0}); }
  /// Follows quotes from now on.
  void FollowQuotes() { follows_quotes_ = true; }
  bool follows_quotes() const { return follows_quotes_; }

 private:
  struct Piece {
    std::string bytes;
    size_t at;  // the first byte that is not read yet
  };
  /// Reads up to `count` bytes more behind the first `filled`, fewer only at the end; whether there were any.
  Result<bool> Extend(std::string& block, size_t filled, size_t count);
  size_t TakePutBack(char* out, size_t count);

  ByteSource& source_;
  std::string name_;
  char delimiter_;
  MaskBytes* mask_bytes_;
  size_t block_;
  const Workers& workers_;
  Progress& progress_;
  std::vector<Piece> put_back_;  // the last one is read first
  uint64_t reported_ = 0;        // stored bytes that the progress knows of
  bool follows_quotes_ = false;
};

}  // namespace tada
