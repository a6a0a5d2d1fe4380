#pragma once

// Tables of PostgreSQL, by libpq, which is loaded when the first address is met: nobody else needs it.
//   address   `postgresql://user@host/database?table=schema.name`, or `query=` and a select; all else is libpq's, passwords and
//             services too.
//   read      one COPY ... TO STDOUT in a transaction of its own: one snapshot. Values are the texts that PostgreSQL writes (dates as ISO,
//             times in UTC). Ranges and text[] are cells of a release; other arrays and nested types are refused.
//   write     one transaction: the table is made and filled, read back and audited inside it, and committed only then.

#include <memory>
#include <string>
#include <vector>

#include "files/files.h"

namespace tada {

bool IsPostgres(const std::string& path);

Result<TableFile> ReadPostgres(const std::string& path, const ReadOptions& options, const Workers& workers,
                               Progress& progress);
Result<std::vector<std::string>> PostgresHeader(const std::string& path);
Result<std::unique_ptr<Sink>> OpenPostgresSink(const std::string& path, bool force);

}  // namespace tada
