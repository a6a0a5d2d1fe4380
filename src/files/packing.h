#pragma once

// Packed bytes: gzip, and where the build has their libraries zstd, bzip2 and lz4. A packed file is a row of members, each of which can be
// unpacked by itself: they are packed in parallel, and `cat a.gz b.gz` is one too.

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "files/format.h"

namespace tada {

class Unpacker {
 public:
  virtual ~Unpacker() = default;
  /// Unpacks from `in` to `out` as far as either reaches, and takes off both what it used; whether a member has ended.
  /// The error says what is wrong with the bytes.
  virtual Result<bool> Unpack(std::string_view& in, char*& out, size_t& room) = 0;
  /// Begins anew.
  virtual void Reset() = 0;
};

/// kInvalidArgument if this build cannot.
Result<std::unique_ptr<Unpacker>> MakeUnpacker(Packing packing);

/// Whether this build can pack and unpack so.
bool HasPacking(Packing packing);

/// A member that unpacks to `text`. Pre: HasPacking(packing), and not kNone.
std::string PackMember(std::string_view text, Packing packing);

}  // namespace tada
