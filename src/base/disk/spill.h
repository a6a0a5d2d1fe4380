#pragma once

// Tables larger than memory: while a spill is open, every large block of memory lies in a file instead, and what is resident
// of it is kept below a budget. The algorithms do not change, so neither do the bytes that come out.
//   large block   one of at least kLargeBlock bytes: columns of codes, orders of rows, hash tables, dictionaries.
//   spill file    mapped memory without a name: it is unlinked as soon as it is open, so that not even a killed run leaves
//                 data behind. Its folder `.tada-spill-PID-RANDOM` (0700) is removed at the end; that of a killed run by
//                 the next run in the same folder.
//   budget        of resident memory. A thread of our own watches it and gives back pages of the file when it is exceeded;
//                 they stay in the system's cache as long as there is room, and come back from the disk otherwise.
// Everything large is then read and written in long runs: rows in the order of groups, level by level (split_engine.cc).
// Only the program replaces operator new (cli/large_new.cc); elsewhere a spill has no blocks. docs/decisions/spill.md

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include "base/status.h"

namespace tada {

constexpr size_t kLargeBlock = size_t{1} << 20;

/// Thrown where memory is asked for and the disk has none left.
class SpillFull : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "no room for spill files"; }
};

class Spill {
 public:
  /// Makes the folder of the spill in `parent` after removing those of killed runs. kIo if that is not possible.
  /// Pre: no spill is open.
  static Result<std::unique_ptr<Spill>> Open(const std::string& parent, uint64_t budget);
  /// Removes the folders that killed runs left in `parent`; those of live ones are locked.
  static void RemoveLeftovers(const std::string& parent);
  ~Spill();  ///< later blocks are in memory again; those that are still in use stay where they are
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;

  /// Half of the machine's memory if a run is expected to need more than that; 0 if not: everything fits.
  static uint64_t DefaultBudget(uint64_t expected);
  /// The budget of the open spill, in bytes; 0 if none is open: everything fits.
  static uint64_t Budget();
  /// Whether an exception is SpillFull's: then this is what to tell.
  static Error Full();

 private:
  Spill() = default;
  struct State;
  std::unique_ptr<State> state_;
};

/// A large block in the open spill's file; null if there is none. Throws SpillFull.
void* AllocateSpilled(size_t bytes);
/// Whether a block came from AllocateSpilled.
bool IsSpilled(const void* block) noexcept;
void FreeSpilled(void* block) noexcept;

}  // namespace tada
