#pragma once

// What libtada_arrow.so holds: everything that Arrow C++ is for. The program loads it when it meets the first file or address
// that needs it (files/on_demand), because Arrow alone takes longer to load than many a table takes to be released.

#include <memory>

#include "files/csv/csv_files.h"
#include "files/stores/remote.h"

namespace tada {

struct ArrowParts {
  std::unique_ptr<CsvFiles> files;
  std::unique_ptr<Remote> remote;
};

/// The one function of the library, by this name.
inline constexpr const char* kMakeArrowParts = "tada_make_arrow_parts";
using MakeArrowParts = void(ArrowParts& parts);

}  // namespace tada
