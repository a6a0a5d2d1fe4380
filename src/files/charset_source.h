#pragma once

// Text in UTF-8, whatever it was written in.
//   rule   a byte order mark decides (UTF-8, UTF-16 of either order); else what the user named; else it is UTF-8, and whoever reads the text
//          finds out if it is not. Nothing is guessed.

#include <memory>
#include <string>

#include "files/byte_source.h"

namespace tada {

/// Opens a text; `charset` is a name that iconv knows, "" if the user named none. kInvalidArgument for a name that it does not know.
Result<std::unique_ptr<ByteSource>> OpenText(const std::string& path, Packing packing, const std::string& charset);

}  // namespace tada
