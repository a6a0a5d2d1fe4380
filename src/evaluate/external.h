#pragma once

// Methods that are not ours, in a grid: a finished release, a program, a function of Python. Each gives a table of released cells, which
// is audited as ours are; what breaks the requirement, or is not true, is a row with a problem.

#include <functional>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "files/files.h"
#include "learn/features/cell_table.h"
#include "plan/plan.h"

namespace tada {

struct ExternalMethod {
  std::string name;
  /// A release of `rows`, with plan.requirement and plan.seed. kInfeasible if it fails.
  std::function<Result<Table>(const Table& rows, const Plan& plan, const Workers& workers)> release;
  bool whole_table_only = false;  ///< it is a release of the whole table: no part of it can be released
};

/// `name=value`: the items of --release and --run. A comma inside a value does not end it.
Result<std::vector<std::pair<std::string, std::string>>> NamedItems(std::string_view option,
                                                                    const std::vector<std::string>& items);

/// A file that somebody released. It is read when it is first asked for.
ExternalMethod ReleasedFile(const std::string& name, const std::string& path, Files& files);

/// A program: {input}, {output}, {k}, {l} and {seed} in `command` stand for the file it reads, the one it writes, and numbers.
Result<ExternalMethod> Program(const std::string& name, const std::string& command, Files& files);

/// The cells of a release as models read them; names are numbered as the values of the original. Rows in the order of the release.
/// Pre: the release passed its audit against rows of the original.
CellTable ForeignCells(const Table& released, const Table& original, const Roles& roles, bool regression,
                       const std::vector<std::string>& missing);

}  // namespace tada
