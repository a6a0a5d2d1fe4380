#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "files/format.h"
#include "table/outside_content.h"

namespace tada {

/// What a CSV file holds beside its cells: of a packed one, what its headers say and what stands behind its end; a byte order mark
/// and blank lines say nothing that could be listed.
Result<std::vector<OutsideContent>> ReadCsvOutside(const std::string& path, Format format);

}  // namespace tada
