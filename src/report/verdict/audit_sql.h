#pragma once

// The audit as one SQL query for DuckDB and PostgreSQL: a receiver verifies a release without trusting this program's verdict.
//   fold pair   a text of a sensitive column and the value that it counts as: `007` and `7` are one number, `Flu` and `flu` one
//               disease, `?` and the empty text are "missing". The query holds them as a table, so that a reader sees what counts as
//               one value. tada-verify (proofs/) takes the same table as a file.

#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "table/table.h"

namespace tada {

struct AuditSqlOptions {
  std::string table;  ///< name of the table that the query reads; `schema.table` is taken apart at its dots
  /// The release, for the words on how to load it: its path, "csv", "csv.gz", "parquet" or another format, and what parts its cells.
  std::string file = {}, format = {};
  char delimiter = ',';
  std::vector<std::string> nested =
      {};  ///< quasi-identifiers stored as structs or lists, which are compared as they are
};

struct FoldPair {
  std::string text;
  std::optional<std::string> value;  ///< nothing: the text does not count as a value
};

/// The texts of a sensitive column that are not their own value: spellings of "missing", then others in the order of its values.
std::vector<FoldPair> FoldPairs(const Column& column, const Plan& plan);

/// The pairs of all sensitive columns as CSV, for tada-verify: column,value,canonical. What is missing has the first spelling of
/// --missing.
std::string FoldsCsv(const Table& release, const Plan& plan);

/// A table's name for a release in `path`: its file name without endings, or as the address of a database names it; `release` for
/// standard input and a query.
std::string SqlTableName(const std::string& path);

/// A query whose rows are (check, passed, found, asked): one for k, one for the l of each sensitive column. Masked rows are a class
/// like others, and a release without rows passes nothing. Only distinct l can be asked; kInvalidArgument otherwise, and where the
/// release has a controller column, whose parts would have to be asked one by one.
Result<std::string> AuditSql(const Table& release, const Plan& plan, const AuditSqlOptions& options);

}  // namespace tada
