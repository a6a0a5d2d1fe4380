#pragma once

// Reading a release and the table it was made from, for whoever judges one.

#include "files/files.h"
#include "plan/plan.h"

namespace tada {

/// A release is read as its receiver would: every cell is text, and only columns that are no quasi-identifiers know
/// what "missing" is.
Result<Table> ReadRelease(Source& source, const Plan& plan, const Workers& workers, Progress& progress);

/// The same, with what is to be said of the file.
Result<TableFile> ReadReleaseFile(Source& source, const Plan& plan, const Workers& workers, Progress& progress);

/// Of the original only the columns that the release has are read.
Result<Table> ReadOriginal(Source& source, const Plan& plan, const Table& release, const Workers& workers,
                           Progress& progress);

/// An error if there is nobody in it.
Status CheckHasRows(const Table& table, const std::string& name);

/// The table that a release is to be made of: the columns that the plan names, each as it says. Columns that are not there are
/// refused before anything is read, if the source can be asked.
Result<TableFile> ReadPlanned(Source& source, const Plan& plan, const Workers& workers, Progress& progress);

}  // namespace tada
