#pragma once

// Reading a release and the table it was made from, for commands that judge one.

#include <string>

#include "base/progress.h"
#include "base/workers.h"
#include "files/read.h"
#include "plan/plan.h"
#include "table/table.h"

namespace tada {

/// A release is read as its receiver would: every cell is text, and only columns that are no quasi-identifiers know
/// what "missing" is.
Result<Table> ReadRelease(const std::string& path, const Plan& plan, const Workers& workers, Progress& progress);
/// The same, with what is to be said of the file.
Result<TableFile> ReadReleaseFile(const std::string& path, const Plan& plan, const Workers& workers,
                                  Progress& progress);

/// Of the original only the columns that the release has are read.
Result<Table> ReadOriginal(const std::string& path, const Plan& plan, const Table& release, const Workers& workers,
                           Progress& progress);

}  // namespace tada
