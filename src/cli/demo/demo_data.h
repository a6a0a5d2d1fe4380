#pragma once

// The built-in table of people: made up, seeded, of any length, never held in memory. It looks like a hospital's: who
// people are (eight quasi-identifiers, numbers and names, which depend on each other as in life), what they have (a skewed
// `diagnosis`), whether they came back (`readmitted`, which follows from some of the others), and cells left empty.
//   block   kBlockRows rows with a random stream of their own, so that blocks can be made in any order, by any thread.

#include <cstdint>
#include <string>

#include "base/progress.h"
#include "base/status.h"
#include "base/workers.h"
#include "files/write.h"
#include "plan/plan.h"

namespace tada {

inline constexpr uint64_t kDemoBlockRows = 1 << 14;

/// The header line.
std::string_view DemoHeader();

/// Appends the rows of one block, as CSV lines; the last block of a table has fewer than kDemoBlockRows.
void AppendDemoBlock(uint64_t seed, uint64_t block, uint64_t rows, std::string& out);

/// Writes a table of `rows` people to `path` ("-": standard output), as CSV. The same seed gives the same first rows,
/// whatever the number of rows and threads.
/// The file is there when it is published.
Result<PendingFile> WriteDemoTable(const std::string& path, uint64_t rows, uint64_t seed, bool force,
                                   const Workers& workers, Progress& progress);

/// Whether a file holds what the demo writes with this seed, of any number of rows, and nothing else.
bool IsDemoTable(const std::string& path, uint64_t seed);

/// What the columns of the table are for; `id` has no role and is therefore never released.
Plan DemoPlan();

}  // namespace tada
